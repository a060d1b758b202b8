// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/results_series.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/io/mesh_cells.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

namespace {

/// A file by the clock has room for so many moments; then the next one begins.
constexpr int most_moments_by_clock = 1000;

std::vector<OutputField> choose_fields(const std::vector<OutputField>& known,
                                       const std::vector<std::string>& wanted) {
    std::vector<OutputField> chosen;
    if (wanted.empty()) {
        std::copy_if(known.begin(), known.end(), std::back_inserter(chosen),
                     [](const OutputField& field) { return field.is_usual; });
        return chosen;
    }
    std::vector<std::string_view> names;
    for (const OutputField& field : known) {
        names.push_back(field.name);
    }
    for (const std::string& name : wanted) {
        const auto found = std::find(names.begin(), names.end(), name);
        validate<UsageError>(found != names.end(), "this solver has no field '" + name + "'. " +
                                                       suggest_name(name, names));
        chosen.push_back(known[static_cast<std::size_t>(found - names.begin())]);
    }
    return chosen;
}

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
    snapshot_ = writer.make_snapshot("pack_results", std::move(states));
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
    remaining_ = schedule_.count(first, last);
    if (remaining_ > 0) {
        describe_blocks();
        open_next();
    }
}

/// A run that goes on from a checkpoint has a file of its own, and so has each part of a long one.
void ResultsSeries::open_next() {
    std::string name = options_.output_prefix + "flow";
    if (first_step_ > 1) {
        name += ".after=" + std::to_string(first_step_ - 1);
    }
    if (!files_.empty()) {
        name += ".part=" + std::to_string(files_.size() + 1);
    }
    const int room =
        schedule_.goes_by_clock() ? std::min(remaining_, most_moments_by_clock) : remaining_;
    head_.most_steps = room;
    head_.time_unit = solver_.time_unit();
    file_ = std::make_shared<ResultsFile>(comm_, name + ".vtkhdf", head_, blocks_);
    files_.push_back(file_->path());
    taken_ = 0;
}

void ResultsSeries::after_step(int step) {
    if (file_ == nullptr || !schedule_.is_due(comm_, step)) {
        return;
    }
    if (taken_ == head_.most_steps) {
        writer_.drain();
        open_next();
    }
    ++taken_;
    --remaining_;
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

}  // namespace halocline::run
