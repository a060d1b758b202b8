// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each sweep is a chain; boundaries constrain what it gives.
#include "halocline/solver/incompressible/diffusion.hpp"

#include <cmath>

#include "halocline/backend/par_loop.hpp"

namespace halocline::incompressible {

std::vector<SweepShares> chebyshev_sweeps(double k, double reduction) {
    const double half_width = k / (1.0 + k);  // of the spectrum, which is centred at 1
    if (half_width == 0.0) {
        return {{0.0, 1.0}};
    }
    const double sigma = 1.0 / half_width;
    const double rate = sigma - std::sqrt(sigma * sigma - 1.0);
    const int sweeps =
        std::max(1, static_cast<int>(std::ceil(std::log(0.5 * reduction) / std::log(rate))));
    std::vector<SweepShares> shares{{0.0, 1.0}};
    double rho = 1.0 / sigma;
    while (static_cast<int>(shares.size()) < sweeps) {
        const double next = 1.0 / (2.0 * sigma - rho);
        shares.push_back({next * rho, 2.0 * next / half_width});
        rho = next;
    }
    return shares;
}

namespace {

/// Of the error of the extrapolated velocity, which is of second order itself.
constexpr double reduction = 1e-4;

}  // namespace

template <int dim>
Diffusion<dim>::Diffusion(Context& context, const Mesh& mesh, const Geometry<dim>& geometry,
                          const Boundaries<dim>& boundaries, double viscosity)
    : context_(context),
      geometry_(geometry),
      boundaries_(boundaries),
      viscosity_(viscosity),
      next_(mesh.make_dat<Node, double, dim>(geometry.nodes, "next_velocity")),
      change_(mesh.make_dat<Node, double, dim, LaneStorage>(geometry.nodes, "velocity_change")),
      sum_(mesh.make_temporary<Node, double, dim>(geometry.nodes, "diffusion_sum")) {}

template <int dim>
void Diffusion<dim>::solve(const Direct<dim>& rhs, double tau, NodeVector<dim>& u) {
    const auto& edge_nodes = geometry_.edge_nodes;
    const double amount = tau * viscosity_;
    const std::vector<SweepShares> sweeps =
        chebyshev_sweeps(amount * geometry_.largest_spread, reduction);
    for (const SweepShares& shares : sweeps) {
        const Global<double, 3> sweep{{shares.of_change, shares.of_residual, amount}};
        run_chain(
            context_, "diffuse", geometry_.nodes,
            make_loop("edge_diffusion", geometry_.edges, EdgeDiffusion<dim>{},
                      read<0>(u, edge_nodes), read<1>(u, edge_nodes), read(geometry_.stiffness),
                      inc<0>(sum_, edge_nodes), inc<1>(sum_, edge_nodes)),
            make_loop("sweep", geometry_.nodes, Sweep<dim>{}, read(sum_),
                      read(geometry_.inverse_volume), read(geometry_.spread), read(sweep),
                      read(rhs), read(u), read_write(change_), write(next_)));
        swap(u, next_);
        par_loop(context_, "constrain_sweep", boundaries_.nodes(), ConstrainSweep<dim>{},
                 read(boundaries_.projection()), read(boundaries_.given()), read_write(u),
                 read_write(change_));
    }
    last_sweeps_ = static_cast<int>(sweeps.size());
}

template class Diffusion<2>;
template class Diffusion<3>;

}  // namespace halocline::incompressible
