// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each sweep is a chain; boundaries constrain what it gives.
#include "halocline/solver/incompressible/diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/solver/incompressible/diffusion_kernels.hpp"

namespace halocline::incompressible {

namespace {

/// Roots one by one, each where the product of distances to those taken is largest.
std::vector<double> in_lejas_order(std::vector<double> roots) {
    std::vector<double> distance(roots.size(), 0.0);  // logarithms
    for (std::size_t taken = 0; taken < roots.size(); ++taken) {
        const auto rest = static_cast<std::ptrdiff_t>(taken);
        const auto best = taken == 0 ? std::max_element(roots.begin(), roots.end()) - roots.begin()
                                     : std::max_element(distance.begin() + rest, distance.end()) -
                                           distance.begin();
        std::swap(roots[taken], roots[static_cast<std::size_t>(best)]);
        std::swap(distance[taken], distance[static_cast<std::size_t>(best)]);
        for (std::size_t i = taken + 1; i < roots.size(); ++i) {
            distance[i] += std::log(std::fabs(roots[i] - roots[taken]));
        }
    }
    return roots;
}

}  // namespace

std::vector<double> chebyshev_shares(double k, double reduction) {
    const double half_width = k / (1.0 + k);  // of the spectrum, which is centred at 1
    if (half_width == 0.0) {
        return {1.0};
    }
    const double sigma = 1.0 / half_width;
    const double rate = sigma - std::sqrt(sigma * sigma - 1.0);
    const int sweeps =
        std::max(1, static_cast<int>(std::ceil(std::log(0.5 * reduction) / std::log(rate))));
    std::vector<double> roots;
    for (int i = 0; i < sweeps; ++i) {
        roots.push_back(1.0 + half_width * std::cos(std::numbers::pi * (i + 0.5) / sweeps));
    }
    std::vector<double> shares = in_lejas_order(std::move(roots));
    for (double& share : shares) {
        share = 1.0 / share;
    }
    return shares;
}

template <int dim>
Diffusion<dim>::Diffusion(Context& context, const Mesh& mesh, const Geometry<dim>& geometry,
                          const Boundaries<dim>& boundaries, double viscosity)
    : context_(context),
      geometry_(geometry),
      boundaries_(boundaries),
      viscosity_(viscosity),
      sum_(mesh.make_temporary<Node, double, dim>(geometry.nodes, "diffusion_sum")) {}

template <int dim>
void Diffusion<dim>::solve(const Direct<dim>& rhs, double tau, NodeVector<dim>& u,
                           NodeVector<dim>& spare) {
    const auto& edge_nodes = geometry_.edge_nodes;
    const double amount = tau * viscosity_;
    const std::vector<double> shares = chebyshev_shares(amount * geometry_.largest_spread);
    for (const double share : shares) {
        const Global<double, 2> sweep{{share, amount}};
        run_chain(
            context_, "diffuse", geometry_.nodes,
            make_loop("edge_diffusion", geometry_.edges, EdgeDiffusion<dim>{},
                      read<0>(u, edge_nodes), read<1>(u, edge_nodes), read(geometry_.stiffness),
                      inc<0>(sum_, edge_nodes), inc<1>(sum_, edge_nodes)),
            make_loop("sweep", geometry_.nodes, Sweep<dim>{}, read(sum_),
                      read(geometry_.inverse_volume), read(geometry_.spread), read(sweep),
                      read(rhs), read(u), write(spare)));
        swap(u, spare);
        boundaries_.constrain(u);
    }
}

template class Diffusion<2>;
template class Diffusion<3>;

}  // namespace halocline::incompressible
