// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Options of a solve, and its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::linalg {

/// How `Solver` solves; `validate_options` says which words and numbers it takes.
struct SolverOptions {
    std::string method = "flexible";           ///< plain | single_reduction | flexible
    std::string preconditioner = "multigrid";  ///< none | jacobi | chebyshev | multigrid
    std::string smoother = "jacobi";           ///< of multigrid: jacobi | chebyshev
    int sweeps = 1;         ///< of the smoother before and after a coarse correction
    double damping = 0.76;  ///< of Jacobi smoothing, of D^-1 A with D >= sum |a|
    int degree = 4;         ///< of the Chebyshev preconditioner
    /// Levels below the finest that are solved by two steps (K-cycle); then V. None: `usual_k_levels`.
    std::optional<int> k_levels;
    int k_nodes = 500;                ///< levels of fewer nodes are never solved by two steps
    double tolerance = 1e-8;          ///< of |r|_2 against |b|_2, both without their null space
    double absolute_tolerance = 0.0;  ///< of |r|_2; a solve ends when either tolerance is reached
    int most_iterations = 1000;       ///< after which a solve gives up, not converged
};

/// As many as keep iterations few for that many nodes: each one doubles the visits of all levels below,
/// which on a device cost as much as large ones.
[[nodiscard]] constexpr int usual_k_levels(GlobalIndex nodes) { return nodes < 500'000 ? 2 : 3; }

/// What a solver has done so far; equal on all ranks but for the time.
struct SolveTotals {
    std::int64_t solves = 0;      ///< solves so far
    std::int64_t iterations = 0;  ///< over all solves
    int most_iterations = 0;      ///< of one solve
    double last_rate = 0.0;       ///< `SolveReport::rate` of the last solve
    double solve_s = 0.0;         ///< wall, of this rank
};

/// Iterations of one solve; equal on all ranks but for the time.
struct SolveReport {
    int iterations = 0;         ///< done
    bool converged = false;     ///< whether a tolerance was reached
    std::vector<double> norms;  ///< |r|_2 at first and after each iteration
    double reference = 0.0;     ///< |b|_2 without its null space
    double seconds = 0.0;       ///< wall, of this rank
    std::string message;        ///< a sentence where it has not converged

    /// Mean factor by which an iteration makes the residual smaller.
    [[nodiscard]] double rate() const;
};

/// Words for `SolverOptions::method`.
[[nodiscard]] std::vector<std::string_view> method_names();
/// Words for `SolverOptions::preconditioner`.
[[nodiscard]] std::vector<std::string_view> preconditioner_names();
/// Words for `SolverOptions::smoother`.
[[nodiscard]] std::vector<std::string_view> smoother_names();

/// Throws UsageError naming the nearest known word, or the number that is out of range.
void validate_options(const SolverOptions& options);

/// Damping factors of one smoothing, each of a sweep x += omega D^-1 (b - A x): those of Jacobi, or the
/// reciprocal roots of the Chebyshev polynomial on [2 / spread, 2], the upper part of the spectrum of
/// D^-1 A.
[[nodiscard]] std::vector<double> chebyshev_factors(int degree, double spread);

}  // namespace halocline::linalg
