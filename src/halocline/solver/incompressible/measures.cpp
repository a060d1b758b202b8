// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over the mesh are exact, so they have the same bits on any number of ranks.
#include "halocline/solver/incompressible/measures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/solver/incompressible/measure_kernels.hpp"

namespace halocline::incompressible {

template <int dim>
Measures<dim>::Measures(Context& context, Mesh& mesh, Solver<dim>& solver, const Options& options)
    : context_(context),
      solver_(solver),
      options_(options),
      state_(mesh.make_dat<Node, double, dim + 1>(solver.geometry().nodes, "state")),
      scratch_(
          mesh.make_dat<Node, double, dim + 1, LaneStorage>(solver.geometry().nodes, "scratch")),
      sum_(mesh.make_temporary<Node, double, dim + 1>(solver.geometry().nodes, "balance_sum")),
      gradient_sum_(
          mesh.make_temporary<Node, double, dim * dim>(solver.geometry().nodes, "gradient_sum")) {
    if (solver.scalar() != nullptr) {
        with_scalar_ = mesh.make_dat<Node, double, dim + 2>(solver.geometry().nodes, "state");
    }
    for (std::size_t c = 0; c < options.boundaries.size(); ++c) {
        if (options.boundaries[c].kind != "wall") {
            continue;
        }
        names_.push_back(options.boundaries[c].group);
        nodes_of_walls_.push_back(make_subset(
            context, mesh, solver.geometry().nodes, "wall_nodes",
            [&](LocalIndex i) { return solver.boundaries().holder(i) == static_cast<int>(c); }));
    }
}

template <int dim>
const DatStore& Measures<dim>::state() {
    pack_state();
    return with_scalar_ ? with_scalar_->store() : state_.store();
}

template <int dim>
void Measures<dim>::pack_state() {
    const auto& nodes = solver_.geometry().nodes;
    if (with_scalar_) {
        par_loop(context_, "pack_state", nodes, PackStateAndScalar<dim>{}, read(solver_.velocity()),
                 read(solver_.pressure()), read(*solver_.scalar()), write(*with_scalar_));
    } else {
        par_loop(context_, "pack_state", nodes, PackState<dim>{}, read(solver_.velocity()),
                 read(solver_.pressure()), write(state_));
    }
}

template <int dim>
Measured<dim> Measures<dim>::measure() {
    Measured<dim> measured;
    measure_energy(measured);
    balance();
    for (const Subset<Node>& wall : nodes_of_walls_) {
        measured.forces.push_back(force_on(wall));
    }
    measured.divergence = largest_divergence();
    return measured;
}

template <int dim>
void Measures<dim>::measure_energy(Measured<dim>& measured) {
    const Geometry<dim>& geometry = solver_.geometry();
    const auto& edge_nodes = geometry.edge_nodes;
    Global<double, 2> energies{};
    run_chain(context_, "energy", geometry.nodes,
              make_loop("edge_velocity_gradient", geometry.edges, EdgeVelocityGradient<dim>{},
                        read<0>(solver_.velocity(), edge_nodes),
                        read<1>(solver_.velocity(), edge_nodes), read(oriented(geometry.normals)),
                        inc<0>(gradient_sum_, edge_nodes), inc<1>(gradient_sum_, edge_nodes)),
              make_loop("sum_energy", geometry.nodes, Energy<dim>{}, read(gradient_sum_),
                        read(solver_.velocity()), read(geometry.inverse_volume), inc(energies)));
    measured.kinetic_energy = std::as_const(energies)[0];
    measured.enstrophy = std::as_const(energies)[1];
}

/// What the momentum of each dual cell leaves open, in `scratch_`.
template <int dim>
void Measures<dim>::balance() {
    const Geometry<dim>& geometry = solver_.geometry();
    const auto& edge_nodes = geometry.edge_nodes;
    run_chain(
        context_, "balance", geometry.nodes,
        make_loop("edge_balance", geometry.edges, EdgeBalance<dim>{options_.viscosity},
                  read<0>(solver_.velocity(), edge_nodes), read<1>(solver_.velocity(), edge_nodes),
                  read<0>(solver_.free_velocity(), edge_nodes),
                  read<1>(solver_.free_velocity(), edge_nodes),
                  read<0>(solver_.potential(), edge_nodes),
                  read<1>(solver_.potential(), edge_nodes), read<0>(solver_.pressure(), edge_nodes),
                  read<1>(solver_.pressure(), edge_nodes), read(oriented(geometry.normals)),
                  read(geometry.stiffness), read(solver_.mass_tau()), inc<0>(sum_, edge_nodes),
                  inc<1>(sum_, edge_nodes)),
        make_loop("keep_balance", geometry.nodes, Copy<dim + 1>{}, read(sum_), write(scratch_)));
}

/// From `scratch_`, as `balance` leaves it.
template <int dim>
std::array<double, dim> Measures<dim>::force_on(const Subset<Node>& wall) {
    WallForce<dim> kernel{};
    std::copy_n(options_.body_force.begin(), dim, kernel.force);
    Global<double, dim> force{};
    par_loop(context_, "wall_force", wall, kernel, read(scratch_),
             read(solver_.geometry().inverse_volume), inc(force));
    std::array<double, dim> values{};
    for (int d = 0; d < dim; ++d) {
        values[static_cast<std::size_t>(d)] = std::as_const(force)[d];
    }
    return values;
}

/// From `scratch_`, whose rows at outlets it clears: nothing is conserved where the pressure is given.
template <int dim>
double Measures<dim>::largest_divergence() {
    const Geometry<dim>& geometry = solver_.geometry();
    if (solver_.boundaries().is_open()) {
        par_loop(context_, "leave_outlets", solver_.boundaries().outlets(), Clear<dim + 1>{},
                 write(scratch_));
    }
    Global<double, 1> largest{{0.0}};
    par_loop(context_, "largest_divergence", geometry.nodes, LargestDivergence<dim>{},
             read(scratch_), read(solver_.boundaries().flux()), read(geometry.inverse_volume),
             reduce_max(largest));
    return std::as_const(largest)[0];
}

template <int dim>
FlowError Measures<dim>::error(const FlowExpressions& exact) {
    const Geometry<dim>& geometry = solver_.geometry();
    std::vector<Expression> values;
    for (int d = 0; d < dim; ++d) {
        values.emplace_back(exact.velocity[static_cast<std::size_t>(d)]);
    }
    values.emplace_back(exact.pressure);
    const auto& x = geometry.coordinates.store();
    scratch_.fill([&](LocalIndex i, int d) {
        return values[static_cast<std::size_t>(d)](x.at(i, 0), x.at(i, 1), x.at(i, 2),
                                                   solver_.time());
    });
    Global<double, 3> sums{};
    Global<double, 1> largest{{0.0}};
    par_loop(context_, "distance", geometry.nodes, Distance<dim>{}, read(solver_.velocity()),
             read(solver_.pressure()), read(scratch_), read(geometry.inverse_volume), inc(sums),
             reduce_max(largest));
    const double volume = geometry.volume;
    const double mean = solver_.boundaries().is_open() ? 0.0 : std::as_const(sums)[1] / volume;
    return {std::sqrt(std::as_const(sums)[0] / volume), std::sqrt(std::as_const(largest)[0]),
            std::sqrt(std::max(0.0, std::as_const(sums)[2] / volume - mean * mean))};
}

template class Measures<2>;
template class Measures<3>;

}  // namespace halocline::incompressible
