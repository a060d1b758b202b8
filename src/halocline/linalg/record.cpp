// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/linalg/record.hpp"

namespace halocline::linalg {

record::LinearSolver describe(const Communicator& comm, const std::string& name,
                              const Solver& solver) {
    const SolveTotals& totals = solver.totals();
    const Hierarchy& hierarchy = solver.hierarchy();
    record::LinearSolver result;
    result.name = name;
    result.method = solver.options().method;
    result.preconditioner = solver.options().preconditioner;
    for (const LevelSize& level : hierarchy.levels) {
        result.levels.push_back({level.nodes, level.edges});
    }
    result.operator_complexity = hierarchy.operator_complexity();
    result.solves = totals.solves;
    result.iterations = totals.iterations;
    result.most_iterations = totals.most_iterations;
    result.last_rate = totals.last_rate;
    result.setup_s = hierarchy.setup_s;
    result.solve_s = comm.max(totals.solve_s);
    result.launches_per_iteration = solver.launches();
    return result;
}

}  // namespace halocline::linalg
