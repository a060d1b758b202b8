// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A scalar that is carried and spreads: finite volumes on median-dual cells, second order in space,
// Runge-Kutta of third order in time (docs/theory/advection_diffusion.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/run/solver_state.hpp"
#include "halocline/solver/advection_diffusion/geometry.hpp"
#include "halocline/solver/advection_diffusion/kernels.hpp"

namespace halocline::advection_diffusion {

/// How far the result is from the exact solution.
struct Error {
    double l2 = 0.0;       ///< sqrt of the mean of its square over the volume
    double largest = 0.0;  ///< at a node
};

/// Of the scalar.
struct Totals {
    double total = 0.0;  ///< integral over the volume
    double least = 0.0;
    double largest = 0.0;
};

class Solver {
public:
    /// Takes level 0 of `mesh`; both outlive the solver. `file` is what messages call it. Throws
    /// InputError for a mesh without gradients and for steps that are too long. Collective.
    Solver(Context& context, Mesh& mesh, const Options& options, const std::string& file);

    /// One time step. `observe`, where not empty, is called after it.
    /// @returns the root mean square change of phi at the nodes
    /// @throws run::DivergenceError when phi is not finite any more
    /// @note Collective.
    double advance(const std::function<void()>& observe);

    /// Time steps of the whole run.
    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] double time_step() const { return time_step_; }
    [[nodiscard]] const Geometry& geometry() const { return geometry_; }
    [[nodiscard]] const NodeScalar& phi() const { return phi_; }
    /// What the next step depends on.
    [[nodiscard]] run::SolverState everything() {
        run::SolverState state;
        state.add("phi", phi_);
        state.add(done_);
        return state;
    }
    [[nodiscard]] const device::RepeatedWork& step_work() const { return step_work_; }

    /// Compares with the exact solution at the present time. Collective.
    [[nodiscard]] Error error();
    /// Collective.
    [[nodiscard]] Totals totals();

private:
    void run_step();
    void find_field();
    template <class Limiter>
    void limit();
    template <class Stage, class... More>
    void run_stage(int stage, const Stage& kernel, const More&... more);
    void hold_boundary(int stage);
    void prepare_device();

    Context& context_;
    const Options& options_;
    Geometry geometry_;
    std::variant<Wave, Pulse> problem_;
    int steps_ = 1;
    double time_step_ = 0.0;

    NodeScalar phi_;
    Dat<Node, double, 1, LaneStorage> start_;  ///< phi at the start of the step
    Dat<Node, double, field_components> field_;
    Dat<Node, double, 3, TemporaryStorage> sum_;
    Dat<Node, double, 1, TemporaryStorage> gain_;
    std::optional<Dat<Node, double, 2>> range_;  ///< with a limiter
    std::optional<NodeScalar> factor_;           ///< with a limiter

    Global<double, 1> done_{};  ///< steps
    Global<double, 1> then_done_{};
    Global<double, stages> times_{};  ///< of the results of the step's stages
    Global<double, 1> change_squared_{};
    device::RepeatedWork step_work_;
};

}  // namespace halocline::advection_diffusion
