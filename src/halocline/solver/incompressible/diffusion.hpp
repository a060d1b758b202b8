// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An implicit step of diffusion by Chebyshev's iteration: no sums over the mesh, so ranks do not wait.
#pragma once

#include <vector>

#include "halocline/solver/incompressible/boundaries.hpp"
#include "halocline/solver/incompressible/geometry.hpp"

namespace halocline::incompressible {

/// How much smaller sweeps make the error of an extrapolated value, which is of second order itself.
inline constexpr double sweep_reduction = 1e-3;

/// Shares of the residual over the diagonal in as many sweeps as make an error smaller by `reduction`:
/// the reciprocal roots of Chebyshev's polynomial on the spectrum of D^-1 M, which lies between
/// 1/(1 + k) and 2 - 1/(1 + k), with M = 1 - tau nu L, D its diagonal (Gershgorin) and k = tau nu times
/// the largest spread. Their order keeps what sweeps do in between bounded (F. Leja, Ann. Polon. Math.
/// 4 (1957) 8: each is as far from those before as can be).
[[nodiscard]] std::vector<double> chebyshev_shares(double k, double reduction = sweep_reduction);

template <int dim>
class Diffusion {
public:
    Diffusion(Context& context, const Mesh& mesh, const Geometry<dim>& geometry,
              const Boundaries<dim>& boundaries, double viscosity);

    /// Improves `u`, which boundaries have constrained, towards u - tau nu L u = rhs. What `spare` had is
    /// lost. Collective.
    void solve(const Direct<dim>& rhs, double tau, NodeVector<dim>& u, NodeVector<dim>& spare);

private:
    Context& context_;
    const Geometry<dim>& geometry_;
    const Boundaries<dim>& boundaries_;
    double viscosity_;
    Dat<Node, double, dim, TemporaryStorage> sum_;
};

}  // namespace halocline::incompressible
