// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The pressure, and by it the part of a velocity that conserves volume.
#pragma once

#include <optional>

#include "halocline/linalg/solver.hpp"
#include "halocline/run/solver_state.hpp"
#include "halocline/solver/incompressible/boundaries.hpp"
#include "halocline/solver/incompressible/geometry.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

/// Pressure correction, section 3 of docs/theory/incompressible.md: a potential with which a free velocity
/// conserves volume, the pressure that follows from it, and the corrected velocity.
template <int dim>
class Projection {
public:
    using Factors = Global<double, factor_count>;

    /// Takes the operator's dats and the levels of `hierarchy` from `mesh`; all but `hierarchy` outlive
    /// it. Collective.
    Projection(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
               const Boundaries<dim>& boundaries, const Options& options,
               const linalg::Hierarchy& hierarchy);

    /// What it needs only while it solves lies in that memory: see `linalg::Solver::work_in`.
    void work_in(DatStore& idle);

    /// The initial pressure, and no potential. Collective.
    void start();

    /// The potential with which `free_velocity` conserves volume. A report that has not converged says
    /// why. Collective.
    [[nodiscard]] linalg::SolveReport find_potential(const NodeVector<dim>& free_velocity,
                                                     const Factors& factors);

    /// The pressure by the potential, its gradient, and `velocity`: `free_velocity` corrected by them.
    /// Collective.
    void correct(const NodeVector<dim>& free_velocity, const Factors& factors,
                 NodeVector<dim>& velocity);

    [[nodiscard]] const NodeScalar& pressure() const { return pressure_; }
    /// What the pressure equation gives: the new pressure less a share of the old.
    [[nodiscard]] const NodeScalar& potential() const { return potential_; }
    /// Of the pressure.
    [[nodiscard]] const Direct<dim>& gradient() const { return gradient_; }
    /// Memory that is unused between steps.
    [[nodiscard]] NodeScalar& spare() { return source_; }
    [[nodiscard]] linalg::Solver& solver() { return *solver_; }

    /// Adds what the next step depends on.
    void add_to(run::SolverState& state);

private:
    void hold_outlets(const Factors& factors);

    Context& context_;
    const Options& options_;
    const Geometry<dim>& geometry_;
    const Boundaries<dim>& boundaries_;
    Direct<dim> gradient_;
    NodeScalar pressure_;
    NodeScalar potential_;
    Direct<1> potential_before_;
    NodeScalar source_;                             ///< of the equation
    std::optional<Dat<Edge, double, 1>> weights_;   ///< with outlets; else the stiffness
    std::optional<Dat<Node, double, 1>> diagonal_;  ///< with outlets
    std::optional<NodeScalar> outlet_potential_;    ///< where the pressure is given and not zero
    std::optional<NodeScalar> outlet_source_;       ///< what that adds to the equation
    std::optional<linalg::Solver> solver_;
    Dat<Node, double, dim, TemporaryStorage> vector_sum_;
    Dat<Node, double, 1, TemporaryStorage> scalar_sum_;
};

}  // namespace halocline::incompressible
