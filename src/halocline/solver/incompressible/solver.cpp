// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A step: velocities without pressure, the pressure that makes them conserve volume, the correction.
#include "halocline/solver/incompressible/solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/mesh/aliased_memory.hpp"
#include "halocline/solver/incompressible/checks.hpp"
#include "halocline/solver/incompressible/pressure_kernels.hpp"

namespace halocline::incompressible {

namespace {

/// The values of expressions at the start.
template <int dim>
void fill_from(NodeVector<dim>& u, const std::array<std::string, 3>& texts,
               const NodeVector<dim>& coordinates) {
    const std::array<Expression, 3> expressions{Expression(texts[0]), Expression(texts[1]),
                                                Expression(texts[2])};
    u.fill([&](LocalIndex i, int d) {
        return value_at(expressions[static_cast<std::size_t>(d)], place_of(coordinates, i), 0.0);
    });
}

/// The rate at which a force alone lets volume pass soon: a cell of size h is crossed from rest in
/// sqrt(2 h / f). The size comes from the weights: 2 dim / h^2 of a cube.
template <int dim>
double rate_of_force(const std::array<double, 3>& force, double largest_spread) {
    const double f = std::sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    const double size = std::sqrt(2.0 * dim / largest_spread);
    return f > 0.0 ? std::sqrt(0.5 * f / size) : 0.0;
}

/// How much of the old pressure the potential leaves out, section 3. All of it would leave pressures from
/// node to node undamped; none would make the error of first order in time. In between, what is damped in
/// a unit of time does not depend on the step.
double kept_share(double courant) { return courant > 0.0 ? std::max(0.0, 1.0 - courant) : 0.0; }

}  // namespace

template <int dim>
Solver<dim>::Solver(Context& context, Mesh& mesh, const Options& options,
                    const ConditionOfGroup& conditions, const linalg::Hierarchy& hierarchy,
                    LevelExtras extras, const std::string& file)
    : context_(context),
      options_(options),
      geometry_(make_geometry<dim>(context, mesh, file, extras)),
      boundaries_(context, mesh, geometry_, options, conditions),
      step_length_(options.end_time, options.courant, options.time_step),
      diffusion_(context, mesh, geometry_, boundaries_, options.viscosity),
      projection_(context, mesh, geometry_, boundaries_, options, hierarchy),
      velocity_(mesh.make_dat<Node, double, dim>(geometry_.nodes, "velocity")),
      free_velocity_(mesh.make_dat<Node, double, dim>(geometry_.nodes, "free_velocity")),
      guess_(mesh.make_dat<Node, double, dim>(geometry_.nodes, "guess")),
      before_(mesh.make_dat<Node, double, dim, LaneStorage>(geometry_.nodes, "velocity_before")),
      convection_(mesh.make_dat<Node, double, dim, LaneStorage>(geometry_.nodes, "convection")),
      older_convection_(
          mesh.make_dat<Node, double, dim, LaneStorage>(geometry_.nodes, "older_convection")),
      rhs_(mesh.make_dat<Node, double, dim, LaneStorage>(geometry_.nodes, "momentum_rhs")),
      transport_(
          mesh.make_temporary<Node, double, transport_size<dim>>(geometry_.nodes, "transport")) {
    if (options.scalar) {
        scalar_.emplace(context, mesh, geometry_, boundaries_, options);
    }
    share_workspace(mesh);
    start();
}

template <int dim>
void Solver<dim>::share_workspace(const Mesh& mesh) {
    if (context_.backend() != Backend::openmp) {
        return;
    }
    workspace_ = mesh.make_dat<Node, double, dim + 1, LaneStorage>(geometry_.nodes, "workspace");
    AliasedMemory(workspace_->handle()).share_with(rhs_.handle());
    projection_.work_in(workspace_->handle());
}

/// Convection and, with a viscosity, diffusion by the present velocity and the fluxes that go with it.
template <int dim>
auto Solver<dim>::edge_transport(double viscosity) {
    const auto& edge_nodes = geometry_.edge_nodes;
    return make_loop("edge_transport", geometry_.edges,
                     EdgeTransport<dim>{options_.upwind, viscosity}, read<0>(velocity_, edge_nodes),
                     read<1>(velocity_, edge_nodes), read<0>(free_velocity_, edge_nodes),
                     read<1>(free_velocity_, edge_nodes), read<0>(potential(), edge_nodes),
                     read<1>(potential(), edge_nodes), read(oriented(geometry_.normals)),
                     read(geometry_.stiffness), read(mass_tau_), inc<0>(transport_, edge_nodes),
                     inc<1>(transport_, edge_nodes));
}

/// The initial pressure, its gradient, and fluxes of the present velocity alone.
template <int dim>
void Solver<dim>::start_pressure() {
    projection_.start();
    par_loop(context_, "start_velocity", geometry_.nodes, Copy<dim>{}, read(velocity_),
             write(free_velocity_));
    Values<double, factor_count> factors{};
    factors[kept] = 1.0;
    factors_.set(factors);
    projection_.correct(free_velocity_, factors_, velocity_);
    boundaries_.constrain(velocity_);
}

/// Starts from the part of the initial velocity that conserves volume.
template <int dim>
void Solver<dim>::start() {
    boundaries_.set_time(0.0);
    fill_from<dim>(velocity_, options_.initial.velocity, geometry_.coordinates);
    boundaries_.constrain(velocity_);
    start_pressure();
    Values<double, factor_count> factors{};
    factors[tau] = 1.0;
    factors[ext_now] = 1.0;
    factors[kept] = 1.0;
    factors_.set(factors);
    project();
    start_pressure();
    mass_tau_.set({{0.0}});
    rate_.set({{0.0}});
    run_chain(context_, "measure_rate", geometry_.nodes, edge_transport(0.0),
              make_loop("fastest", geometry_.nodes, Fastest<dim>{}, read(transport_),
                        read(geometry_.inverse_volume), reduce_max(rate_)));
    Values<double, clock_count> clock{};
    clock[passing_rate] = std::as_const(rate_)[0];
    clock_.set(clock);
}

template <int dim>
double Solver<dim>::advance() {
    choose_step();
    const Values<double, clock_count> clock = std::as_const(clock_).value;
    if (scalar_) {
        scalar_->advance({free_velocity_, potential(), mass_tau_}, clock[time_now], factors_);
    }
    if (options_.scheme == "rk3") {
        take_stages();
    } else {
        boundaries_.set_time(clock[time_now]);
        predict();
        finish_stage();
    }
    change_squared_.set({{0.0}});
    par_loop(context_, "measure_change", geometry_.nodes, MeasureChange<dim>{}, read(velocity_),
             read(before_), inc(change_squared_));
    note_rate();  // by now: a device waits once for the host, not twice
    if (options_.time_step > 0.0) {
        require_courant(courant(), options_.courant,
                        {steps_done_ + 1, clock[time_now], clock[last_step]});
    }
    const double squared = std::as_const(change_squared_)[0];
    ++steps_done_;
    if (!std::isfinite(squared)) {
        const auto& u = velocity_.store();
        throw_divergence(
            context_.comm(), *geometry_.nodes.part,
            [&](LocalIndex i) { return place_of(geometry_.coordinates, i); },
            [&](LocalIndex i) {
                constexpr double largest_root = 1e150;  // squares of more are infinite
                bool bad = false;
                for (int d = 0; d < dim; ++d) {
                    bad = bad || !(std::fabs(u.at(i, d)) < largest_root);
                }
                return bad;
            },
            {steps_done_, clock[time_now], clock[last_step]});
    }
    const double rms = std::sqrt(squared / static_cast<double>(geometry_.nodes.part->global_size)) /
                       clock[last_step];
    set_clock(change_rate, rms);
    return rms;
}

/// Time, step length and factors of the step to come.
template <int dim>
void Solver<dim>::choose_step() {
    Values<double, clock_count> clock = std::as_const(clock_).value;
    double rate = std::max(clock[passing_rate],
                           rate_of_force<dim>(options_.body_force, geometry_.largest_spread));
    if (options_.scheme == "rk3") {  // explicit diffusion is stable up to 1.25 of this length
        rate = std::max(rate, options_.courant * options_.viscosity * geometry_.largest_spread);
    }
    const double dt = step_length_.next(clock[time_now], clock[last_step], rate);
    Values<double, factor_count> factors = backward_difference(
        {dt, clock[last_step], clock[step_before]}, third_order_share(options_.upwind));
    factors[kept] = kept_share(rate * dt);
    factors_.set(factors);
    clock[time_now] += dt;
    clock[step_before] = clock[last_step];
    clock[last_step] = dt;
    clock_.set(clock);
}

/// From `guess_`, which has the gradient of the last pressure in it, to the new velocity.
template <int dim>
void Solver<dim>::finish_stage() {
    par_loop(context_, "free_velocity", geometry_.nodes, AddGradient<dim>{},
             read(projection_.gradient()), read(factors_), read(guess_), write(free_velocity_));
    project();
    mass_tau_.set({{std::as_const(factors_)[tau]}});
}

/// From the free velocity to the one that conserves volume.
template <int dim>
void Solver<dim>::project() {
    const linalg::SolveReport report = projection_.find_potential(free_velocity_, factors_);
    if (!report.converged) {
        const Values<double, clock_count> clock = std::as_const(clock_).value;
        throw_unsolved(report.message, {steps_done_ + 1, clock[time_now], clock[last_step]});
    }
    projection_.correct(free_velocity_, factors_, velocity_);
    boundaries_.constrain(velocity_);
}

template <int dim>
void Solver<dim>::predict() {
    rate_.set({{0.0}});
    Predict<dim> kernel{{}, boundaries_.is_open() ? 1.0 : 0.0, options_.viscosity > 0.0};
    std::copy_n(options_.body_force.begin(), dim, kernel.force);
    run_chain(
        context_, "predict", geometry_.nodes, edge_transport(0.0),
        make_loop("predict_velocity", geometry_.nodes, kernel, read(transport_),
                  read(geometry_.inverse_volume), read(projection_.gradient()), read(factors_),
                  read(velocity_), read_write(before_), read_write(convection_),
                  read_write(older_convection_), write(rhs_), write(guess_), reduce_max(rate_)));
    boundaries_.constrain(guess_);
    if (options_.viscosity > 0.0) {
        // The free velocity has done what it was for.
        diffusion_.solve(rhs_, std::as_const(factors_)[tau], guess_, free_velocity_);
    }
}

/// Three stages of third order (C.-W. Shu, S. Osher, J. Comput. Phys. 77 (1988) 439), each with a
/// pressure of its own.
template <int dim>
void Solver<dim>::take_stages() {
    constexpr double of_start[] = {0.0, 0.75, 1.0 / 3.0};
    constexpr double time_at_end[] = {1.0, 0.5, 1.0};
    const Values<double, clock_count> clock = std::as_const(clock_).value;
    for (int stage = 0; stage < 3; ++stage) {
        Values<double, factor_count> factors{};
        factors[of_before] = of_start[stage];
        factors[of_now] = 1.0 - of_start[stage];
        factors[tau] = factors[of_now] * clock[last_step];
        factors[ext_now] = 1.0;  // stages before this one are of other lengths
        factors[kept] = kept_share(courant());
        factors_.set(factors);
        boundaries_.set_time(clock[time_now] - (1.0 - time_at_end[stage]) * clock[last_step]);
        predict_stage(stage);
        finish_stage();
    }
}

template <int dim>
void Solver<dim>::predict_stage(int stage) {
    rate_.set({{0.0}});
    RungeKuttaStage<dim> kernel{{}, boundaries_.is_open() ? 1.0 : 0.0, stage == 0};
    std::copy_n(options_.body_force.begin(), dim, kernel.force);
    run_chain(
        context_, "predict_stage", geometry_.nodes, edge_transport(options_.viscosity),
        make_loop("runge_kutta_stage", geometry_.nodes, kernel, read(transport_),
                  read(geometry_.inverse_volume), read(projection_.gradient()), read(factors_),
                  read(velocity_), read_write(before_), write(guess_), reduce_max(rate_)));
    boundaries_.constrain(guess_);
    note_rate();
}

template <int dim>
void Solver<dim>::set_clock(Clock which, double value) {
    Values<double, clock_count> clock = std::as_const(clock_).value;
    clock[which] = value;
    clock_.set(clock);
}

template <int dim>
void Solver<dim>::note_rate() {
    set_clock(passing_rate, std::as_const(rate_)[0]);
}

template <int dim>
int Solver<dim>::steps() const {
    const Values<double, clock_count> clock = std::as_const(clock_).value;
    const double dt = clock[last_step] > 0.0 ? clock[last_step]
                                             : step_length_.next(0.0, 0.0, clock[passing_rate]);
    const int all =
        steps_done_ + std::max(is_complete() ? 0 : 1, step_length_.left(clock[time_now], dt));
    return options_.steps > 0 ? std::min(options_.steps, all) : all;
}

template <int dim>
bool Solver<dim>::is_complete() const {
    const Values<double, clock_count> clock = std::as_const(clock_).value;
    const bool is_steady =
        options_.steady && steps_done_ > 1 && clock[change_rate] <= options_.steady_tolerance;
    return step_length_.is_over(clock[time_now]) || is_steady ||
           (options_.steps > 0 && steps_done_ >= options_.steps);
}

template <int dim>
run::SolverState Solver<dim>::everything() {
    run::SolverState state;
    state.add("velocity", velocity_);
    state.add("free_velocity", free_velocity_);
    state.add("velocity_before", before_);
    state.add("convection", convection_);
    state.add("older_convection", older_convection_);
    projection_.add_to(state);
    if (scalar_) {
        scalar_->add_to(state);
    }
    state.add(clock_);
    state.add(mass_tau_);
    return state;
}

template class Solver<2>;
template class Solver<3>;

}  // namespace halocline::incompressible
