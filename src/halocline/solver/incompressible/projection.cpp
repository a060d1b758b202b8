// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Divergence, equation, correction; at outlets the pressure is given.
#include "halocline/solver/incompressible/projection.hpp"

#include "halocline/backend/par_loop.hpp"
#include "halocline/mesh/aliased_memory.hpp"
#include "halocline/solver/incompressible/pressure_kernels.hpp"

namespace halocline::incompressible {

template <int dim>
Projection<dim>::Projection(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
                            const Boundaries<dim>& boundaries, const Options& options,
                            const linalg::Hierarchy& hierarchy)
    : context_(context),
      options_(options),
      geometry_(geometry),
      boundaries_(boundaries),
      gradient_(mesh.make_dat<Node, double, dim, LaneStorage>(geometry.nodes, "gradient")),
      pressure_(mesh.make_dat<Node, double, 1>(geometry.nodes, "pressure")),
      potential_(mesh.make_dat<Node, double, 1>(geometry.nodes, "potential")),
      potential_before_(
          mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, "potential_before")),
      source_(mesh.make_dat<Node, double, 1>(geometry.nodes, "pressure_source")),
      vector_sum_(mesh.make_temporary<Node, double, dim>(geometry.nodes, "vector_sum")),
      scalar_sum_(mesh.make_temporary<Node, double, 1>(geometry.nodes, "scalar_sum")) {
    if (boundaries.is_open()) {
        weights_ = mesh.take_dat<Edge, double, 1>("pressure_weights");
        diagonal_ = mesh.take_dat<Node, double, 1>("pressure_diagonal");
        solver_.emplace(context, mesh,
                        linalg::EdgeOperator(geometry.edge_nodes, *weights_, *diagonal_), hierarchy,
                        options.pressure);
    } else {
        solver_.emplace(context, mesh,
                        linalg::EdgeOperator(geometry.edge_nodes, geometry.stiffness), hierarchy,
                        options.pressure);
    }
    if (boundaries.outlet_pressure()) {
        outlet_potential_ = mesh.make_dat<Node, double, 1>(geometry.nodes, "outlet_potential");
        outlet_source_ = mesh.make_dat<Node, double, 1>(geometry.nodes, "outlet_source");
    }
}

template <int dim>
void Projection<dim>::work_in(DatStore& idle) {
    solver_->work_in(idle);
    AliasedMemory(idle).share_with(source_.handle());
}

template <int dim>
void Projection<dim>::start() {
    const Expression initial(options_.initial.pressure);
    pressure_.fill([&](LocalIndex i, int) {
        return value_at(initial, place_of(geometry_.coordinates, i), 0.0);
    });
    if (boundaries_.is_open() && boundaries_.outlet_pressure()) {
        par_loop(context_, "hold_pressure", boundaries_.outlets(), Copy<>{},
                 read(*boundaries_.outlet_pressure()), write(pressure_));
    } else if (boundaries_.is_open()) {
        par_loop(context_, "hold_pressure", boundaries_.outlets(), Clear<>{}, write(pressure_));
    }
    potential_.fill(Values<double, 1>{{0.0}});
}

template <int dim>
linalg::SolveReport Projection<dim>::find_potential(const NodeVector<dim>& free_velocity,
                                                    const Factors& factors) {
    const auto& edge_nodes = geometry_.edge_nodes;
    run_chain(context_, "divergence", geometry_.nodes,
              make_loop("edge_divergence", geometry_.edges, EdgeDivergence<dim>{},
                        read<0>(free_velocity, edge_nodes), read<1>(free_velocity, edge_nodes),
                        read(oriented(geometry_.normals)), inc<0>(scalar_sum_, edge_nodes),
                        inc<1>(scalar_sum_, edge_nodes)),
              make_loop("pressure_source", geometry_.nodes, PressureSource{}, read(scalar_sum_),
                        read(factors), write(source_)));
    par_loop(context_, "boundary_source", boundaries_.nodes(), BoundarySource{},
             read(boundaries_.flux()), read(factors), read_write(source_));
    par_loop(context_, "extrapolate_potential", geometry_.nodes, ExtrapolatePotential{},
             read(factors), read_write(potential_), read_write(potential_before_));
    hold_outlets(factors);
    return solver_->solve(source_, potential_);
}

/// The rows of the pressure equation where the pressure is given.
template <int dim>
void Projection<dim>::hold_outlets(const Factors& factors) {
    if (!boundaries_.is_open()) {
        return;
    }
    const auto& outlets = boundaries_.outlets();
    par_loop(context_, "hold_source", outlets, Clear<>{}, write(source_));
    if (!outlet_source_) {
        par_loop(context_, "hold_potential", outlets, Clear<>{}, write(potential_));
        return;
    }
    const auto& edge_nodes = geometry_.edge_nodes;
    par_loop(context_, "give_potential", outlets, GivePotential{},
             read(*boundaries_.outlet_pressure()), read(pressure_), read(factors),
             write(*outlet_potential_));
    par_loop(context_, "hold_potential", outlets, Copy<>{}, read(*outlet_potential_),
             write(potential_));
    run_chain(
        context_, "outlet_source", geometry_.nodes,
        make_loop("edge_outlet_source", geometry_.edges, EdgeOutletSource{},
                  read<0>(*outlet_potential_, edge_nodes), read<1>(*outlet_potential_, edge_nodes),
                  read(geometry_.stiffness), read(*weights_), inc<0>(scalar_sum_, edge_nodes),
                  inc<1>(scalar_sum_, edge_nodes)),
        make_loop("find_outlet_source", geometry_.nodes, OutletSource{}, read(scalar_sum_),
                  read(*diagonal_), read(*outlet_potential_), write(*outlet_source_)));
    par_loop(context_, "add_outlets", geometry_.nodes, Add<>{}, read(*outlet_source_),
             read_write(source_));
}

template <int dim>
void Projection<dim>::correct(const NodeVector<dim>& free_velocity, const Factors& factors,
                              NodeVector<dim>& velocity) {
    const auto& edge_nodes = geometry_.edge_nodes;
    par_loop(context_, "add_potential", geometry_.nodes, AddPotential{}, read(potential_),
             read(factors), read_write(pressure_));
    run_chain(context_, "correct", geometry_.nodes,
              make_loop("edge_gradient", geometry_.edges, EdgeGradient<dim>{},
                        read<0>(pressure_, edge_nodes), read<1>(pressure_, edge_nodes),
                        read(oriented(geometry_.normals)), inc<0>(vector_sum_, edge_nodes),
                        inc<1>(vector_sum_, edge_nodes)),
              make_loop("correct_velocity", geometry_.nodes, Correct<dim>{}, read(vector_sum_),
                        read(geometry_.inverse_volume), read(factors), read(free_velocity),
                        read_write(gradient_), write(velocity)));
    if (geometry_.exact_gradient) {
        par_loop(context_, "correct_exactly", geometry_.inexact_nodes, CorrectExactly<dim>{},
                 read(*geometry_.exact_gradient), read(factors), read_write(gradient_),
                 read_write(velocity));
    }
}

template <int dim>
void Projection<dim>::add_to(run::SolverState& state) {
    state.add("gradient", gradient_);
    state.add("pressure", pressure_);
    state.add("potential", potential_);
    state.add("potential_before", potential_before_);
}

template class Projection<2>;
template class Projection<3>;

}  // namespace halocline::incompressible
