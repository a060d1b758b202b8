// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// When a run of a solver writes checkpoints, and from which one it goes on.
#pragma once

#include <vector>

#include "halocline/output/checkpoint_series.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/solver_state.hpp"

namespace halocline::run {

/// What a run had done when its checkpoint was written.
struct Progressed {
    int steps = 0;
    std::vector<double> rms;  ///< of all of them
};

/// All calls are collective.
class Checkpoints {
public:
    /// @param identity  program, settings and mesh of this run
    /// Communicator, writer, options and what `state` refers to outlive the object.
    Checkpoints(const Communicator& comm, output::Writer& writer, const Options& options,
                CheckpointHead identity, SolverState state);

    /// Continues from where the options say: a file, or the newest intact checkpoint with this run's
    /// prefix, from the beginning when there is none. Throws InputError for a file that cannot be used.
    [[nodiscard]] Progressed restart(const Console& console);

    /// Writes one if it is time to. All ranks see the clock of rank 0.
    void after_step(const Progressed& done);
    /// Writes one of the step that was done last, unless that has been written.
    void write(const Progressed& done);

    /// Of what was written last, by name; "" none.
    [[nodiscard]] const std::string& newest() const { return series_.newest(); }

private:
    [[nodiscard]] bool is_due(int step) const;
    [[nodiscard]] Progressed take(const output::CheckpointSeries::Found& found) const;

    const Communicator& comm_;
    const Options& options_;
    SolverState state_;
    output::CheckpointSeries series_;
    double last_s_;
};

}  // namespace halocline::run
