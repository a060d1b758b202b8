// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that measure a flow and do not change it.
#pragma once

#include "halocline/solver/incompressible/mass_flux.hpp"

namespace halocline::incompressible {

/// Velocity and pressure in one row.
template <int dim>
struct PackState {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& u, const One<V>& p,
                                 Values<V, dim + 1>& state) const {
        for (int d = 0; d < dim; ++d) {
            state[d] = u[d];
        }
        state[dim] = p[0];
    }
};

/// The same with a scalar.
template <int dim>
struct PackStateAndScalar {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& u, const One<V>& p, const One<V>& c,
                                 Values<V, dim + 2>& state) const {
        for (int d = 0; d < dim; ++d) {
            state[d] = u[d];
        }
        state[dim] = p[0];
        state[dim + 1] = c[0];
    }
};

/// What leaves a dual cell's momentum balance open at a wall: convection, pressure and friction through
/// its faces inside the fluid. Pressure acts as sum (p_a + p_b)/2 n. Last: volume that flows out.
template <int dim>
struct EdgeBalance {
    static constexpr bool swap_symmetric = true;
    double viscosity;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& ua, const Values<V, dim>& ub,
                                 const Values<V, dim>& va, const Values<V, dim>& vb,
                                 const One<V>& qa, const One<V>& qb, const One<V>& pa,
                                 const One<V>& pb, const Values<V, dim>& n, const One<V>& weight,
                                 const One<V>& mass_tau, Values<V, dim + 1>& at_a,
                                 Values<V, dim + 1>& at_b) const {
        const V mass = mass_flux<dim>(va, vb, qa, qb, n, weight, mass_tau[0]);
        const V pressure = V(0.5) * (pa[0] + pb[0]);
        const V friction = V(viscosity) * weight[0];
        for (int d = 0; d < dim; ++d) {
            const V difference = ub[d] - ua[d];
            const V carried = V(0.5) * mass * difference;
            const V through = pressure * n[d] - friction * difference;
            at_a[d] += carried + through;
            at_b[d] += carried - through;
        }
        at_a[dim] += mass;
        at_b[dim] -= mass;
    }
};

/// Momentum and volume apart.
template <int dim>
struct KeepBalance {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim + 1>& sum, Values<V, dim>& momentum,
                                 One<V>& volume) const {
        for (int d = 0; d < dim; ++d) {
            momentum[d] = sum[d];
        }
        volume[0] = sum[dim];
    }
};

/// The fluid's force on the wall is what the balance of its dual cells leaves, negated; forces on the
/// fluid as a whole stay in it.
template <int dim>
struct WallForce {
    double force[dim];
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& balance, const One<V>& inverse_volume,
                                 Values<V, dim>& sum) const {
        for (int d = 0; d < dim; ++d) {
            sum[d] += V(force[d]) / inverse_volume[0] - balance[d];
        }
    }
};

/// sum (u_b - u_a)/2 n: V times the gradient of each component, row by row.
template <int dim>
struct EdgeVelocityGradient {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& ua, const Values<V, dim>& ub,
                                 const Values<V, dim>& n, Values<V, dim * dim>& at_a,
                                 Values<V, dim * dim>& at_b) const {
        for (int c = 0; c < dim; ++c) {
            const V half = V(0.5) * (ub[c] - ua[c]);
            for (int d = 0; d < dim; ++d) {
                at_a[dim * c + d] += half * n[d];
                at_b[dim * c + d] += half * n[d];
            }
        }
    }
};

/// Kinetic energy and enstrophy, integrated.
template <int dim>
struct Energy {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim * dim>& gradient, const Values<V, dim>& u,
                                 const One<V>& inverse_volume, Values<V, 2>& totals) const {
        const V volume = V(1.0) / inverse_volume[0];
        totals[0] += V(0.5) * volume * dot<dim>(u, u);
        const V turn = gradient[dim] - gradient[1];
        V squared = turn * turn;
        if constexpr (dim == 3) {
            const V about_x = gradient[7] - gradient[5];
            const V about_y = gradient[2] - gradient[6];
            squared += about_x * about_x + about_y * about_y;
        }
        totals[1] += V(0.5) * inverse_volume[0] * squared;
    }
};

/// The largest flow out of a dual cell over its volume.
struct LargestDivergence {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& flow, const One<V>& inverse_volume,
                                 One<V>& largest) const {
        largest[0] = max(largest[0], abs(flow[0]) * inverse_volume[0]);
    }
};

/// Squares of the distance from an exact state, integrated; means of pressures.
template <int dim>
struct Distance {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& u, const One<V>& p,
                                 const Values<V, dim>& exact_u, const One<V>& exact_p,
                                 const One<V>& inverse_volume, Values<V, 3>& sums,
                                 One<V>& largest) const {
        const V volume = V(1.0) / inverse_volume[0];
        V squared = V(0.0);
        for (int d = 0; d < dim; ++d) {
            const V difference = u[d] - exact_u[d];
            squared += difference * difference;
        }
        sums[0] += volume * squared;
        const V difference = p[0] - exact_p[0];
        sums[1] += volume * difference;
        sums[2] += volume * difference * difference;
        largest[0] = max(largest[0], squared);
    }
};

}  // namespace halocline::incompressible
