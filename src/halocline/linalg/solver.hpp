// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Solves A x = b for an edge operator: what programs include.
#pragma once

#include <memory>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/linalg/operator.hpp"
#include "halocline/linalg/options.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::linalg {

class SolverCore;

/// Conjugate gradients for one operator, made once a mesh.
///
/// Results, iterations included, have the same bits on every back end, rank and thread count. On parts
/// of the mesh without a diagonal value the solution has mean zero, and what b has of a mean there
/// does not count.
class Solver {
public:
    /// With the levels that `declare_hierarchy` added to the mesh for this operator; takes their dats
    /// away from the mesh. The operator's dats, context and mesh outlive the solver. Throws UsageError
    /// for unknown words in `options`. Collective.
    Solver(Context& context, Mesh& mesh, const EdgeOperator& op, const Hierarchy& hierarchy,
           const SolverOptions& options = {});
    /// Without: every preconditioner but multigrid; the mesh counts as one connected part. Collective.
    Solver(Context& context, Mesh& mesh, const EdgeOperator& op, const SolverOptions& options);
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Improves x until |b - A x|_2 <= tolerance |b|_2 or |b - A x|_2 <= absolute_tolerance. A report that has not converged says why.
    /// Collective.
    template <class Tag>
    SolveReport solve(const Dat<Tag, double, 1>& b, Dat<Tag, double, 1>& x) {
        return solve_fields(Field<Node>(b), Field<Node>(x));
    }

    /// Vectors that live during a solve alone lie in the memory of that dat of the operator's nodes from now
    /// on: at least three doubles each, in LaneStorage. Each solve overwrites it; `b` may lie there, too.
    /// On cores only. Throws ContractError for a smaller one.
    void work_in(DatStore& idle);

    /// Factor by which one cycle that begins at each level, finest first, reduces the residual; empty
    /// without multigrid. Takes some cycles' time. Collective.
    [[nodiscard]] std::vector<double> measure_rates();
    /// Launches of an iteration that a device gets as one graph; 0 on cores, and where halos travel through
    /// the host.
    [[nodiscard]] int launches() const;

    /// Of all solves so far.
    [[nodiscard]] const SolveTotals& totals() const;
    /// As given to the constructor, what follows from the mesh filled in.
    [[nodiscard]] const SolverOptions& options() const;
    /// The levels; only the finest one without multigrid.
    [[nodiscard]] const Hierarchy& hierarchy() const;

private:
    SolveReport solve_fields(Field<Node> b, Field<Node> x);
    std::unique_ptr<SolverCore> core_;
};

}  // namespace halocline::linalg
