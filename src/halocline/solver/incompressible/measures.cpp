// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over the mesh are exact, so they have the same bits on any number of ranks.
#include "halocline/solver/incompressible/measures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/mesh/aliased_memory.hpp"
#include "halocline/solver/incompressible/measure_kernels.hpp"

namespace halocline::incompressible {

template <int dim>
Measures<dim>::Measures(Context& context, Mesh& mesh, Solver<dim>& solver, const Options& options)
    : context_(context),
      solver_(solver),
      options_(options),
      mesh_(mesh),
      sum_(mesh.make_temporary<Node, double, dim + 1>(solver.geometry().nodes, "balance_sum")),
      gradient_sum_(
          mesh.make_temporary<Node, double, dim * dim>(solver.geometry().nodes, "gradient_sum")) {
    for (std::size_t c = 0; c < options.boundaries.size(); ++c) {
        if (options.boundaries[c].kind != "wall") {
            continue;
        }
        names_.push_back(options.boundaries[c].group);
        nodes_of_walls_.push_back(
            solver.boundaries().nodes_held_by(static_cast<int>(c), "wall_nodes"));
    }
}

template <int dim>
const DatStore& Measures<dim>::state() {
    pack_state();
    return with_scalar_ ? with_scalar_->store() : state_->store();
}

template <int dim>
const DatStore& Measures<dim>::state_handle() {
    const auto& nodes = solver_.geometry().nodes;
    if (solver_.scalar() != nullptr) {
        if (!with_scalar_) {
            with_scalar_ = mesh_.make_dat<Node, double, dim + 2>(nodes, "state");
        }
        return with_scalar_->handle();
    }
    if (!state_) {
        state_ = mesh_.make_dat<Node, double, dim + 1>(nodes, "state");
        if (DatStore* const idle = solver_.workspace()) {
            AliasedMemory(*idle).share_with(state_->handle());
        }
    }
    return state_->handle();
}

template <int dim>
void Measures<dim>::pack_state() {
    const auto& nodes = solver_.geometry().nodes;
    static_cast<void>(state_handle());
    if (with_scalar_) {
        par_loop(context_, "pack_state", nodes, PackStateAndScalar<dim>{}, read(solver_.velocity()),
                 read(solver_.pressure()), read(*solver_.scalar()), write(*with_scalar_));
    } else {
        par_loop(context_, "pack_state", nodes, PackState<dim>{}, read(solver_.velocity()),
                 read(solver_.pressure()), write(*state_));
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

/// What momentum and volume of each dual cell leave open, in the solver's spare memory.
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
        make_loop("keep_balance", geometry.nodes, KeepBalance<dim>{}, read(sum_),
                  write(solver_.spare_vector()), write(solver_.spare_scalar())));
}

/// From what `balance` leaves.
template <int dim>
std::array<double, dim> Measures<dim>::force_on(const Subset<Node>& wall) {
    WallForce<dim> kernel{};
    std::copy_n(options_.body_force.begin(), dim, kernel.force);
    Global<double, dim> force{};
    par_loop(context_, "wall_force", wall, kernel, read(solver_.spare_vector()),
             read(solver_.geometry().inverse_volume), inc(force));
    std::array<double, dim> values{};
    for (int d = 0; d < dim; ++d) {
        values[static_cast<std::size_t>(d)] = std::as_const(force)[d];
    }
    return values;
}

/// From what `balance` leaves; nothing is conserved at outlets, where the pressure is given.
template <int dim>
double Measures<dim>::largest_divergence() {
    const Geometry<dim>& geometry = solver_.geometry();
    const Boundaries<dim>& boundaries = solver_.boundaries();
    NodeScalar& flow = solver_.spare_scalar();
    par_loop(context_, "add_boundary_flux", boundaries.nodes(), Add<>{}, read(boundaries.flux()),
             read_write(flow));
    if (boundaries.is_open()) {
        par_loop(context_, "leave_outlets", boundaries.outlets(), Clear<>{}, write(flow));
    }
    Global<double, 1> largest{{0.0}};
    par_loop(context_, "largest_divergence", geometry.nodes, LargestDivergence{}, read(flow),
             read(geometry.inverse_volume), reduce_max(largest));
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
    const auto exact_at = [&](LocalIndex i, int d) {
        return value_at(values[static_cast<std::size_t>(d)], place_of(geometry.coordinates, i),
                        solver_.time());
    };
    NodeVector<dim>& exact_velocity = solver_.spare_vector();
    NodeScalar& exact_pressure = solver_.spare_scalar();
    exact_velocity.fill(exact_at);
    exact_pressure.fill([&](LocalIndex i, int) { return exact_at(i, dim); });
    Global<double, 3> sums{};
    Global<double, 1> largest{{0.0}};
    par_loop(context_, "distance", geometry.nodes, Distance<dim>{}, read(solver_.velocity()),
             read(solver_.pressure()), read(exact_velocity), read(exact_pressure),
             read(geometry.inverse_volume), inc(sums), reduce_max(largest));
    const double volume = geometry.volume;
    const double mean = solver_.boundaries().is_open() ? 0.0 : std::as_const(sums)[1] / volume;
    return {std::sqrt(std::as_const(sums)[0] / volume), std::sqrt(std::as_const(largest)[0]),
            std::sqrt(std::max(0.0, std::as_const(sums)[2] / volume - mean * mean))};
}

template class Measures<2>;
template class Measures<3>;

}  // namespace halocline::incompressible
