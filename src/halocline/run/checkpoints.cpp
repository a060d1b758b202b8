// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a checkpoint: the solver's own, then the norm of every step that was done.
#include "halocline/run/checkpoints.hpp"

#include <fmt/core.h>

#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::run {

namespace {

std::vector<FieldToRead> dats_of(const SolverState& state) {
    std::vector<FieldToRead> dats;
    for (const SolverState::NamedDat& dat : state.dats()) {
        dats.emplace_back(dat.name, *dat.store);
    }
    return dats;
}

}  // namespace

Checkpoints::Checkpoints(const Communicator& comm, output::Writer& writer, const Options& options,
                         CheckpointHead identity, SolverState state)
    : comm_(comm),
      options_(options),
      state_(std::move(state)),
      series_(comm, writer, options.output_prefix, options.checkpoint_keep, std::move(identity),
              dats_of(state_)),
      last_s_(wall_seconds()) {
    if (options.checkpoint_interval > 0 || options.checkpoint_seconds > 0.0) {
        series_.prepare();
    }
}

Progressed Checkpoints::restart(const Console& console) {
    if (options_.restart.empty()) {
        return {};
    }
    std::optional<output::CheckpointSeries::Found> found;
    if (options_.restart == restart_newest) {
        found = series_.read_newest([&](const std::string& text) { console.warning(text); });
    } else {
        found = series_.read(options_.restart);
    }
    if (!found) {
        console.line("Starting from the beginning (no checkpoint yet)");
        return {};
    }
    Progressed done = take(*found);
    console.line(fmt::format("Continuing after {} step{} from {}", done.steps,
                             done.steps == 1 ? "" : "s", found->path));
    return done;
}

Progressed Checkpoints::take(const output::CheckpointSeries::Found& found) const {
    const std::vector<double>& numbers = found.head.numbers;
    const std::size_t own = state_.number_count();
    const std::size_t expected = own + static_cast<std::size_t>(found.head.step);
    validate<InputError>(numbers.size() == expected,
                         fmt::format("'{}' holds {} numbers, not {} (it was written by another "
                                     "version). Continue from another checkpoint.",
                                     found.path, numbers.size(), expected));
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(own);
    state_.set_numbers({numbers.begin(), middle});
    return {static_cast<int>(found.head.step), {middle, numbers.end()}};
}

bool Checkpoints::is_due(int step) const {
    if (options_.checkpoint_interval > 0 && step % options_.checkpoint_interval == 0) {
        return true;
    }
    if (options_.checkpoint_seconds <= 0.0) {
        return false;
    }
    const double waited_s = wall_seconds() - last_s_;
    return comm_.max(std::int64_t{comm_.is_root() && waited_s >= options_.checkpoint_seconds}) != 0;
}

void Checkpoints::after_step(const Progressed& done) {
    if (is_due(done.steps)) {
        write(done);
    }
}

void Checkpoints::write(const Progressed& done) {
    std::vector<double> numbers = state_.numbers();
    numbers.insert(numbers.end(), done.rms.begin(), done.rms.end());
    series_.write(done.steps, std::move(numbers));
    last_s_ = wall_seconds();
}

}  // namespace halocline::run
