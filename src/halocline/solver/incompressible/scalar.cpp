// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A step: convection by the old fluxes, then sweeps of diffusion.
#include "halocline/solver/incompressible/scalar.hpp"

#include <algorithm>
#include <utility>

#include "halocline/backend/make_subset.hpp"
#include "halocline/backend/par_loop.hpp"
#include "halocline/solver/incompressible/diffusion.hpp"
#include "halocline/solver/incompressible/diffusion_kernels.hpp"
#include "halocline/solver/incompressible/mass_flux.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

namespace {

/// The same sum as for a component of the velocity: section 4 of docs/theory/incompressible.md.
template <int dim>
struct EdgeAdvection {
    static constexpr bool swap_symmetric = true;
    double upwind;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& ca, const One<V>& cb, const Values<V, dim>& va,
                                 const Values<V, dim>& vb, const One<V>& qa, const One<V>& qb,
                                 const Values<V, dim>& n, const One<V>& weight, const One<V>& tau,
                                 One<V>& at_a, One<V>& at_b) const {
        const V half = V(0.5) * mass_flux<dim>(va, vb, qa, qb, n, weight, tau[0]);
        const V damping = V(upwind) * abs(half);
        const V difference = cb[0] - ca[0];
        at_a[0] += (damping - half) * difference;
        at_b[0] += -(damping + half) * difference;
    }
};

/// The right-hand side, and where diffusion starts from.
struct PredictScalar {
    bool is_diffusive;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& inverse_volume,
                                 const Values<V, factor_count>& f, const One<V>& c, One<V>& before,
                                 One<V>& convection, One<V>& older_convection, One<V>& rhs,
                                 One<V>& next) const {
        const V now = inverse_volume[0] * sum[0];
        const V ahead = f[conv_now] * now + f[conv_before] * convection[0] +
                        f[conv_older] * older_convection[0];
        rhs[0] = f[of_now] * c[0] + f[of_before] * before[0] + f[tau] * ahead;
        next[0] = is_diffusive ? f[ext_now] * c[0] + f[ext_before] * before[0] : rhs[0];
        older_convection[0] = convection[0];
        convection[0] = now;
        before[0] = c[0];
    }
};

}  // namespace

template <int dim>
ScalarTransport<dim>::ScalarTransport(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
                                      Boundaries<dim>& boundaries, const Options& options)
    : context_(context),
      geometry_(geometry),
      boundaries_(boundaries),
      diffusivity_(options.scalar->diffusivity),
      upwind_(options.upwind),
      value_(mesh.make_dat<Node, double, 1>(geometry.nodes, "scalar")),
      next_(mesh.make_dat<Node, double, 1>(geometry.nodes, "next_scalar")),
      given_(mesh.make_dat<Node, double, 1>(geometry.nodes, "given_scalar")),
      before_(mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, "scalar_before")),
      convection_(mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, "scalar_convection")),
      older_convection_(
          mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, "scalar_older_convection")),
      rhs_(mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, "scalar_rhs")),
      sum_(mesh.make_temporary<Node, double, 1>(geometry.nodes, "scalar_transport")) {
    for (const BoundaryCondition& condition : options.boundaries) {
        given_formulae_.emplace_back();
        if (condition.scalar) {
            given_formulae_.back().emplace(*condition.scalar);
            has_holders_ = true;
        }
    }
    const Expression initial(options.scalar->initial);
    value_.fill([&](LocalIndex i, int) {
        return value_at(initial, place_of(geometry.coordinates, i), 0.0);
    });
    if (has_holders_) {
        boundaries_.give_values(given_formulae_, 0.0, given_);
        holders_ = make_subset(context, mesh, geometry.nodes, "scalar_holders",
                               [&](LocalIndex i) { return given_.store().at(i, 0) != not_given; });
    }
    hold(value_);
}

template <int dim>
void ScalarTransport<dim>::hold(NodeScalar& value) {
    if (has_holders_) {
        par_loop(context_, "hold_scalar", holders_, Copy<>{}, read(given_), write(value));
    }
}

template <int dim>
void ScalarTransport<dim>::advance(const AdvectingFlux<dim>& advecting, double time,
                                   const Global<double, factor_count>& factors) {
    const auto& edge_nodes = geometry_.edge_nodes;
    run_chain(context_, "carry", geometry_.nodes,
              make_loop("edge_carry", geometry_.edges, EdgeAdvection<dim>{upwind_},
                        read<0>(value_, edge_nodes), read<1>(value_, edge_nodes),
                        read<0>(advecting.free_velocity, edge_nodes),
                        read<1>(advecting.free_velocity, edge_nodes),
                        read<0>(advecting.potential, edge_nodes),
                        read<1>(advecting.potential, edge_nodes), read(oriented(geometry_.normals)),
                        read(geometry_.stiffness), read(advecting.mass_tau),
                        inc<0>(sum_, edge_nodes), inc<1>(sum_, edge_nodes)),
              make_loop("predict_scalar", geometry_.nodes, PredictScalar{diffusivity_ > 0.0},
                        read(sum_), read(geometry_.inverse_volume), read(factors), read(value_),
                        read_write(before_), read_write(convection_), read_write(older_convection_),
                        write(rhs_), write(next_)));
    swap(value_, next_);
    if (has_holders_ && std::any_of(given_formulae_.begin(), given_formulae_.end(),
                                    [](const auto& c) { return c && c->uses_time(); })) {
        boundaries_.give_values(given_formulae_, time, given_);
    }
    hold(value_);
    if (diffusivity_ > 0.0) {
        spread(factors[tau]);
    }
}

template <int dim>
void ScalarTransport<dim>::spread(double step) {
    const auto& edge_nodes = geometry_.edge_nodes;
    const double amount = step * diffusivity_;
    for (const double share : chebyshev_shares(amount * geometry_.largest_spread)) {
        const Global<double, 2> sweep{{share, amount}};
        run_chain(context_, "spread", geometry_.nodes,
                  make_loop("edge_spread", geometry_.edges, EdgeDiffusion<1>{},
                            read<0>(value_, edge_nodes), read<1>(value_, edge_nodes),
                            read(geometry_.stiffness), inc<0>(sum_, edge_nodes),
                            inc<1>(sum_, edge_nodes)),
                  make_loop("sweep_scalar", geometry_.nodes, Sweep<1>{}, read(sum_),
                            read(geometry_.inverse_volume), read(geometry_.spread), read(sweep),
                            read(rhs_), read(value_), write(next_)));
        swap(value_, next_);
        hold(value_);
    }
}

template <int dim>
void ScalarTransport<dim>::add_to(run::SolverState& state) {
    state.add("scalar", value_);
    state.add("scalar_before", before_);
    state.add("scalar_convection", convection_);
    state.add("scalar_older_convection", older_convection_);
}

template class ScalarTransport<2>;
template class ScalarTransport<3>;

}  // namespace halocline::incompressible
