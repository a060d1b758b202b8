// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Shares of the mesh for ranks that are not equally fast: measured, then shown.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

/// Steps that `measure_weights` takes; their states are of no use afterwards.
inline constexpr int probe_steps = 3;

/// Runs a few steps and counts how many elements of the finest level each rank updates per second of
/// its own work: in the solver's `timed_loops`, which wait for no reduction, without the time in halo
/// exchanges; on a device by its kernels' times, so `context` must time all of them. Notes the speeds
/// in `record.ranks` and returns them as weights; none when the probe diverges or shows nothing, and
/// the ranks keep equal shares. Collective.
[[nodiscard]] std::vector<double> measure_weights(Context& context, Solver& solver,
                                                  RunRecord& record);

/// Notes each rank's elements and weight. Collective.
void describe_shares(const Communicator& comm, LocalIndex owned, const std::vector<double>& weights,
                     RunRecord& record);

/// The table of a job of different ranks: what each computes on, how fast, how much it got.
void print_ranks(const RunRecord& record, const Console& console);

}  // namespace halocline::run
