// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/results_series.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/output_names.hpp"
#include "halocline/io/mesh_cells.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

namespace {

/// A file by the clock has room for so many moments; then the next one begins.
constexpr int most_moments_by_clock = 1000;
/// Packed chunks of a file: 40 bytes each in its head.
constexpr std::int64_t most_chunks_a_file = 200000;

std::vector<int> choose_levels(int count, std::vector<int> wanted) {
    if (wanted.empty()) {
        wanted = {0};
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const int level : wanted) {
        validate<UsageError>(level >= 0 && level < count,
                             "there is no level " + std::to_string(level) +
                                 " to write (levels are 0 to " + std::to_string(count - 1) +
                                 "). Name one of them.");
    }
    return wanted;
}

}  // namespace

ResultsSeries::ResultsSeries(const Communicator& comm, output::Writer& writer,
                             const Options& options, Solver& solver, ResultsHead head,
                             const std::vector<std::string>& level_files)
    : comm_(comm),
      writer_(writer),
      options_(options),
      solver_(solver),
      head_(std::move(head)),
      level_files_(level_files),
      fields_(choose_fields(solver.fields(), options.output_fields)),
      levels_(choose_levels(solver.levels(), options.output_levels)),
      schedule_(options.output_interval, "--output-interval") {
    std::vector<const DatStore*> states;
    for (const int level : levels_) {
        states.push_back(&solver.state_handle(level));
    }
    for (const OutputField& field : fields_) {
        functions_.push_back(field.evaluate);
    }
    head_.compression =
        make_compression(options.output_compression, options.output_compression_level);
    head_.compression.chunk_rows = options.output_chunk;
    run_agreed(comm, [&] { require_available(head_.compression); });
    snapshot_ = writer.make_snapshot("pack_results", std::move(states),
                                     head_.compression.is_on() ? options.output_chunk : 1);
    writer.reserve(*snapshot_);
}

void ResultsSeries::describe_blocks() {
    for (const int level : levels_) {
        const std::string& file = level_files_[static_cast<std::size_t>(level)];
        const std::string name = "level_" + std::to_string(level);
        ResultBlock block = read_level_block(comm_, file, name);
        for (const OutputField& field : fields_) {
            block.fields.push_back({field.name, field.unit, field.components});
            bytes_ += block.points * field.components * static_cast<std::int64_t>(sizeof(double));
        }
        blocks_.push_back(std::move(block));
    }
    if (levels_.front() == 0) {
        for (ResultBlock& boundary : read_boundary_blocks(comm_, level_files_.front(), "level_0")) {
            blocks_.push_back(std::move(boundary));
        }
    }
}

void ResultsSeries::open(int first, int last) {
    first_step_ = first;
    const int moments = schedule_.count(first, last);
    if (moments > 0) {
        open_files(moments);
    }
}

void ResultsSeries::open_files(int moments) {
    remove_older_steps(comm_, options_.output_prefix + "flow", first_step_);
    describe_blocks();
    head_.time_unit = solver_.time_unit();
    if (options_.output_files == OutputFiles::one_a_step) {
        open_steps();
    } else {
        open_next(moments);
    }
}

/// A run that goes on from a checkpoint has a file of its own, and so has each part of a long one.
void ResultsSeries::open_next(int moments) {
    std::string name = options_.output_prefix + "flow";
    if (first_step_ > 1) {
        name += ".after=" + std::to_string(first_step_ - 1);
    }
    if (!files_.empty()) {
        name += ".part=" + std::to_string(files_.size() + 1);
    }
    head_.most_steps = std::min({moments, most_steps_a_file(),
                                 schedule_.goes_by_clock() ? most_moments_by_clock : moments});
    file_ = std::make_shared<ResultsFile>(comm_, name + ".vtkhdf",
                                          std::make_shared<ResultsLayout>(head_, blocks_));
    files_.push_back(file_->path());
    taken_ = 0;
}

/// Chunks are listed in the file, before the first step, and by every rank.
int ResultsSeries::most_steps_a_file() const {
    if (!head_.compression.is_on()) {
        return std::numeric_limits<int>::max();
    }
    std::int64_t chunks = 0;
    for (const ResultBlock& block : blocks_) {
        chunks += (block.points / head_.compression.chunk_rows + 1) *
                  static_cast<std::int64_t>(block.fields.size());
    }
    return static_cast<int>(std::max<std::int64_t>(1, most_chunks_a_file / chunks));
}

/// The mesh lies in a file of its own, to which those of the steps lead.
void ResultsSeries::open_steps() {
    const std::string flow = options_.output_prefix + "flow";
    const std::string mesh = flow + ".mesh.vtkhdf";
    index_ = std::make_unique<StepIndex>(comm_, flow, first_step_);
    std::vector<ResultBlock> bare = blocks_;
    for (ResultBlock& block : bare) {
        block.fields.clear();
    }
    ResultsFile(comm_, mesh, std::make_shared<ResultsLayout>(head_, std::move(bare)));
    files_ = {mesh, index_->path()};
    for (ResultBlock& block : blocks_) {
        block.mesh_file = base_of(mesh);
    }
    const auto layout = std::make_shared<ResultsLayout>(head_, blocks_);
    layout->release_meshes();
    step_layout_ = layout;
}

/// From a step that is due. A solver that chooses the length of its steps foresees more or fewer as it
/// goes.
int ResultsSeries::moments_from(int step) const {
    return std::max(1, schedule_.count(step, solver_.steps()));
}

void ResultsSeries::after_step(int step) {
    if (!schedule_.is_due(comm_, step)) {
        return;
    }
    if (files_.empty()) {  // none was foreseen
        writer_.drain();
        open_files(moments_from(step));
    }
    solver_.refresh_states();
    if (file_ == nullptr) {
        write_alone(step);
    } else {
        write_next(step);
    }
}

/// A step in the file of them all.
void ResultsSeries::write_next(int step) {
    if (taken_ == head_.most_steps) {
        writer_.drain();
        // As much room again at least: parts stay few, however wrong a solver foresees.
        open_next(std::max(moments_from(step), static_cast<int>(taken_)));
    }
    ++taken_;
    writer_.write(*snapshot_, bytes_,
                  [this, file = file_, step, time = solver_.time(step)](
                      const Communicator& comm, const std::vector<FieldRows>& rows) {
                      for (std::size_t l = 0; l < rows.size(); ++l) {
                          file->write_fields(comm, l, rows[l], functions_);
                      }
                      file->end_step(comm, step, time);
                      return std::string();
                  });
}

/// A step in a file of its own, which is there when it is complete.
void ResultsSeries::write_alone(int step) {
    writer_.write(*snapshot_, bytes_,
                  [this, step, time = solver_.time(step)](const Communicator& comm,
                                                          const std::vector<FieldRows>& rows) {
                      const std::string path = index_->path_of(step);
                      ResultsFile file(comm, path, step_layout_,
                                       ResultsFile::Appearance::when_full);
                      for (std::size_t l = 0; l < rows.size(); ++l) {
                          file.write_fields(comm, l, rows[l], functions_);
                      }
                      file.end_step(comm, step, time);
                      index_->add(comm, step, time);
                      return path;
                  });
}

}  // namespace halocline::run
