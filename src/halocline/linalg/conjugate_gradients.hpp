// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients of three kinds with one preconditioner. Sums over nodes are exact.
#pragma once

#include <optional>

#include "halocline/backend/device/launch/recorder.hpp"
#include "halocline/linalg/multigrid.hpp"
#include "halocline/linalg/null_space.hpp"
#include "halocline/linalg/options.hpp"

namespace halocline::linalg {

/// Conjugate gradients preconditioned by multigrid of values of type S.
template <class S>
class ConjugateGradients {
public:
    /// All that is passed outlives it, but for the operator. Collective.
    ConjugateGradients(Context& context, const Mesh& mesh, const EdgeOperator& op,
                       Multigrid<S>& preconditioner, NullSpace& null_space,
                       const SolverOptions& options);

    /// Improves x until |b - A x| is small enough. Collective.
    [[nodiscard]] SolveReport solve(Field<Node> b, Field<Node> x);
    /// See `Solver::work_in`.
    void work_in(DatStore& idle);
    /// The work that a device gets as one graph.
    [[nodiscard]] const device::RepeatedWork& iteration() const { return iteration_; }

private:
    using Dat1 = Dat<Node, double, 1>;
    /// b - A x, x taken as it is. Collective.
    void begin(Field<Node> b, Field<Node> x, SolveReport& report);
    /// @name Solutions are improved where they lie, but on devices, where recorded iterations know one place
    /// @{
    void take_solution(Field<Node> x);
    void return_solution(Field<Node> x);
    /// @}
    /// Launches of an iteration, submitted together where they are recorded.
    void prepare_device();
    /// All between two checks of the residual: loops alone, the same ones every time.
    void iterate();
    void step_twice_reduced();
    void step_once_reduced();
    void reduce_once();
    void precondition(bool with_products);
    void multiply(const Dat1& v);
    void update_direction();
    [[nodiscard]] double residual_norm() const;
    [[nodiscard]] bool goes_on(SolveReport& report);
    [[nodiscard]] bool stagnates(const SolveReport& report) const;
    /// The level whose cycle converges worst, and how. Collective.
    [[nodiscard]] std::string worst_level();
    Context& context_;
    EdgeOperator op_;
    Multigrid<S>& preconditioner_;
    NullSpace& null_space_;
    SolverOptions options_;
    Dat<Node, double, 1, TemporaryStorage> sum_;
    Dat1 solution_;  ///< x; on the host in the memory of the dat that is to have it
    Dat1 residual_;
    Dat1 direction_;
    Dat1 product_;                   ///< A times the direction
    std::optional<Dat1> z_product_;  ///< A times the preconditioned residual; single_reduction
    Global<double, 1> energy_{}, squares_{}, along_{};
    Global<double, 2> products_{}, first_squares_{}, before_{}, steps_{};
    Global<double, 3> all_products_{};
    device::RepeatedWork iteration_;
};

}  // namespace halocline::linalg
