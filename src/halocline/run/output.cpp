// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names by result_names.hpp, values by the writer or, at the end of a run, by write_fields.
#include "halocline/run/output.hpp"

#include <utility>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/io/result_names.hpp"
#include "halocline/run/devices.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

Output::Output(Context& context, const Options& options, CheckpointHead identity, Solver& solver,
               const std::vector<std::string>& level_files, std::vector<Probe> probes,
               record::Io& io)
    : context_(context),
      comm_(context.comm()),
      options_(options),
      solver_(solver),
      io_(io),
      everything_(solver.everything()),
      writer_(context, {options.io_mode, options.io_buffers, options.io_writers}),
      checkpoints_(comm_, writer_, options, identity, everything_) {
    if (!options.output_interval.empty()) {
        results_ = std::make_unique<ResultsSeries>(
            comm_, writer_, options, solver,
            ResultsHead{identity.program, identity.mesh_hash, "", 1}, level_files);
    }
    if (options.series_interval > 0) {
        series_ = std::make_unique<TimeSeries>(comm_, options, solver, std::move(probes));
    }
    io_.mode = writer_.is_async() ? "async" : "sync";
    if (writes_in_loop(options) && !writer_.obstacle().empty()) {
        io_.sync_because = writer_.obstacle();
    }
    if (options.flow_interval == 0) {
        return;
    }
    const DatStore& state = solver.state_handle(0);
    flow_bytes_ = state.set->global_size * static_cast<std::int64_t>(state.row_bytes());
    flow_image_ = make_field_image({{flow_dataset, state.set->global_size, state.dim, state.type,
                                     text_of(solver.state_parts())}});
    flow_ = writer_.make_snapshot("pack_flow", {&state});
    writer_.reserve(*flow_);
    solver.expect_observer([this] { writer_.take(*flow_); });
}

Output::~Output() { writer_.drain(); }

Progressed Output::restart(const Console& console) {
    Progressed done = checkpoints_.restart(console);
    if (done.steps > 0) {
        if (context_.device() != nullptr) {
            everything_.refresh(*context_.device());
        }
        solver_.continue_after(done.steps);
        io_.restarted_from = checkpoints_.newest();
        io_.restarted_after = done.steps;
    }
    if (results_ != nullptr) {
        results_->open(done.steps + 1, solver_.steps());
    }
    if (series_ != nullptr) {
        series_->open(done.steps);
    }
    return done;
}

double Output::run_step(int step, const std::function<double(const std::function<void()>&)>& work) {
    if (flow_ == nullptr || step % options_.flow_interval != 0) {
        return work({});
    }
    writer_.prepare(*flow_);
    const double norm = work([this] { writer_.take(*flow_); });
    writer_.hand_over(*flow_, flow_bytes_,
                      [this, path = flow_path(options_.output_prefix, step)](
                          const Communicator& comm, const std::vector<FieldRows>& rows) {
                          write_field_rows(comm, path, flow_image_, rows);
                          return path;
                      });
    return norm;
}

void Output::after_step(const Progressed& done) {
    if (results_ != nullptr) {
        results_->after_step(done.steps);
    }
    if (series_ != nullptr) {
        series_->after_step(done.steps);
    }
    checkpoints_.after_step(done);
}

void Output::finish_loop() {
    try {
        writer_.finish();
    } catch (...) {
        note_account();
        throw;
    }
    note_account();
}

void Output::note_account() {
    output::Account account = writer_.account().over_ranks(comm_);
    io_.writes = account.writes;
    io_.bytes = account.bytes;
    io_.copied_s = account.copied_s;
    io_.blocked_s = account.blocked_s;
    io_.drained_s = account.drained_s;
    io_.written_s = account.written_s;
    io_.hidden_s = account.hidden_s();
    io_.deepest_queue = account.deepest_queue;
    io_.slowest_rank = account.slowest_rank;
    io_.staging_bytes = comm_.sum(static_cast<std::int64_t>(writer_.staging_bytes()));
    io_.files = std::move(account.files);
    if (!checkpoints_.newest().empty()) {
        io_.checkpoint = checkpoints_.newest();
    }
    if (results_ != nullptr) {
        io_.files.insert(io_.files.end(), results_->files().begin(), results_->files().end());
    }
    if (series_ != nullptr) {
        io_.files.push_back(series_->path());
    }
}

void Output::write_state(int level, int steps) {
    write_level("variables", level, solver_.state(level), steps, solver_.state_parts());
}

void Output::write_level(const char* quantity, int level, const DatStore& values, int steps,
                         std::vector<RowPart> parts) {
    const std::string path = result_path(options_.output_prefix, quantity, level, steps);
    double seconds = 0.0;
    {
        const ScopedTimer timer(seconds);
        io_.bytes += write_fields(comm_, path,
                                  {{result_dataset(quantity, level), values, std::move(parts)}});
    }
    seconds = comm_.max(seconds);
    ++io_.writes;
    io_.blocked_s += seconds;
    io_.written_s += seconds;
    io_.files.push_back(path);
}

}  // namespace halocline::run
