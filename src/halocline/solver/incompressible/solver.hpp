// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Incompressible flow by incremental pressure correction: finite volumes on median-dual cells, second
// order in space and time (docs/theory/incompressible.md).
#pragma once

#include <functional>
#include <optional>

#include "halocline/run/solver_state.hpp"
#include "halocline/solver/incompressible/boundaries.hpp"
#include "halocline/solver/incompressible/diffusion.hpp"
#include "halocline/solver/incompressible/geometry.hpp"
#include "halocline/solver/incompressible/projection.hpp"
#include "halocline/solver/incompressible/scalar.hpp"
#include "halocline/solver/incompressible/time_step.hpp"
#include "halocline/solver/incompressible/transport_kernels.hpp"

namespace halocline::incompressible {

/// Numbers of the time that has passed, in the order of the global that holds them.
enum Clock {
    time_now,
    last_step,
    step_before,
    passing_rate,  ///< of volume, the largest over its own
    change_rate,   ///< root mean square of du/dt
    clock_count
};

template <int dim>
class Solver {
public:
    /// Takes level 0 of `mesh` and the levels of `hierarchy`; all but `hierarchy` outlive the solver.
    /// `file` is what messages call the mesh. Collective.
    Solver(Context& context, Mesh& mesh, const Options& options, const ConditionOfGroup& conditions,
           const linalg::Hierarchy& hierarchy, LevelExtras extras, const std::string& file);

    /// One time step.
    /// @returns the root mean square of du/dt
    /// @throws run::DivergenceError when velocities are not finite any more or pressure cannot be found
    /// Collective.
    double advance();

    [[nodiscard]] double time() const { return std::as_const(clock_)[time_now]; }
    [[nodiscard]] double time_step() const { return std::as_const(clock_)[last_step]; }
    /// Of the whole run, of an estimate.
    [[nodiscard]] int steps() const;
    [[nodiscard]] bool is_complete() const;
    /// Largest Courant number of the last step.
    [[nodiscard]] double courant() const {
        return std::as_const(clock_)[passing_rate] * time_step();
    }

    [[nodiscard]] Context& context() { return context_; }
    [[nodiscard]] const Geometry<dim>& geometry() const { return geometry_; }
    [[nodiscard]] const Boundaries<dim>& boundaries() const { return boundaries_; }
    [[nodiscard]] const NodeVector<dim>& velocity() const { return velocity_; }
    [[nodiscard]] const NodeScalar& pressure() const { return projection_.pressure(); }
    [[nodiscard]] const NodeScalar* scalar() const { return scalar_ ? &scalar_->value() : nullptr; }
    /// What fluxes are made of: see `mass_flux`.
    [[nodiscard]] const NodeVector<dim>& free_velocity() const { return free_velocity_; }
    [[nodiscard]] const NodeScalar& potential() const { return projection_.potential(); }
    [[nodiscard]] const Global<double, 1>& mass_tau() const { return mass_tau_; }
    [[nodiscard]] linalg::Solver& pressure_solver() { return projection_.solver(); }
    /// @name Memory that is unused between steps; the next one overwrites it
    /// @{
    [[nodiscard]] NodeVector<dim>& spare_vector() { return guess_; }
    [[nodiscard]] NodeScalar& spare_scalar() { return projection_.spare(); }
    /// `dim` + 1 doubles a node, in which the spare scalar lies, too; null but on cores.
    [[nodiscard]] DatStore* workspace() { return workspace_ ? &workspace_->handle() : nullptr; }
    /// @}

    /// What the next step depends on.
    [[nodiscard]] run::SolverState everything();
    /// `everything()` is now what it was after so many steps.
    void continue_after(int steps) { steps_done_ = steps; }

private:
    [[nodiscard]] auto edge_transport(double viscosity);
    void share_workspace(const Mesh& mesh);
    void start_pressure();
    void project();
    void start();
    void choose_step();
    void take_stages();
    void predict();
    void predict_stage(int stage);
    void finish_stage();
    void set_clock(Clock which, double value);
    void note_rate();

    Context& context_;
    const Options& options_;
    Geometry<dim> geometry_;
    Boundaries<dim> boundaries_;
    StepLength step_length_;
    Diffusion<dim> diffusion_;
    Projection<dim> projection_;

    NodeVector<dim> velocity_;
    NodeVector<dim> free_velocity_;  ///< v
    NodeVector<dim> guess_;
    Direct<dim> before_;            ///< the velocity before
    Direct<dim> convection_;        ///< of the velocity before
    Direct<dim> older_convection_;  ///< of the one before that
    Direct<dim> rhs_;
    /// Where on cores those lie that are never needed at once: the momentum's right-hand side, then the
    /// pressure equation's and its solver's vectors, then packed results.
    std::optional<Direct<dim + 1>> workspace_;
    std::optional<ScalarTransport<dim>> scalar_;
    Dat<Node, double, transport_size<dim>, TemporaryStorage> transport_;

    Global<double, factor_count> factors_{};
    Global<double, 1> mass_tau_{};  ///< of the step that made the fluxes
    Global<double, clock_count> clock_{};
    Global<double, 1> rate_{};
    Global<double, 1> change_squared_{};
    int steps_done_ = 0;
};

}  // namespace halocline::incompressible
