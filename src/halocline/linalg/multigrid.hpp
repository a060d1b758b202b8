// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// K- and V-cycles over the levels of a hierarchy; with one level, plain smoothing.
#pragma once

#include <optional>
#include <vector>

#include "halocline/linalg/hierarchy.hpp"
#include "halocline/linalg/level.hpp"
#include "halocline/linalg/options.hpp"

namespace halocline::linalg {

/// An approximate inverse of the operator, stored as S. A residual goes to `finest().rhs` with its first
/// smoothing (`first_damping`) in `finest().guess`; the result comes to be in `finest().guess`.
template <class S>
class Multigrid {
public:
    /// `hierarchy` null: one level. Collective.
    Multigrid(Context& context, Mesh& mesh, const EdgeOperator& op, const Hierarchy* hierarchy,
              const SolverOptions& options);

    /// The finest level.
    [[nodiscard]] Level<S>& finest() { return levels_.front(); }
    /// All levels, the finest first.
    [[nodiscard]] const std::vector<Level<S>>& levels() const { return levels_; }
    /// Damping of the first sweep of a smoothing.
    [[nodiscard]] double first_damping() const { return factors_.front(); }

    /// All of a cycle but the last sweep on the finest level. Collective.
    void precondition();
    /// Damping of the sweep that is left to do; 0: none.
    [[nodiscard]] double last_damping() const;

    /// By which factor a cycle that begins at each level reduces the energy norm of an error there,
    /// measured: the coarsest level has no cycle. Changes all vectors. Collective.
    [[nodiscard]] std::vector<double> measure_rates();

private:
    void sweep(Level<S>& level, double damping);
    /// From rhs and first smoothing to the level's correction, in `guess`; whoever has read it restores the order of the
    /// level.
    void cycle(std::size_t l, bool leave_last);
    void two_steps(std::size_t l);
    /// Adds the correction of the next coarser level.
    void correct(std::size_t l);
    void solve_coarsest();
    [[nodiscard]] double measure_rate(std::size_t l);

    Context& context_;
    const Mesh& mesh_;
    std::vector<Level<S>> levels_;
    std::vector<double>
        factors_;  ///< damping of each sweep before a correction; behind it backwards
    std::optional<InverseOperator> inverse_;  ///< on the coarsest level
};

}  // namespace halocline::linalg
