// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Convection and the velocity before its pressure is known; docs/theory/incompressible.md has the scheme,
// whose sections are named.
#pragma once

#include "halocline/math/functions.hpp"
#include "halocline/solver/incompressible/mass_flux.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

/// Sums at a node over its edges: convection (dim), rate of passing (1), volume that flows out (1).
template <int dim>
inline constexpr int transport_size = dim + 2;

/// Convection, section 4: -sum (mass/2 - upwind |mass|/2) (u_b - u_a), which is skew-symmetric where
/// `upwind` is 0 and volume is conserved. And diffusion, where it is explicit: `viscosity` is 0 else.
template <int dim>
struct EdgeTransport {
    static constexpr bool swap_symmetric = true;
    double upwind;
    double viscosity;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& ua, const Values<V, dim>& ub,
                                 const Values<V, dim>& va, const Values<V, dim>& vb,
                                 const One<V>& qa, const One<V>& qb, const Values<V, dim>& n,
                                 const One<V>& weight, const One<V>& tau,
                                 Values<V, transport_size<dim>>& at_a,
                                 Values<V, transport_size<dim>>& at_b) const {
        const V mass = mass_flux<dim>(va, vb, qa, qb, n, weight, tau[0]);
        const V half = V(0.5) * mass;
        const V size = abs(half);
        const V damping = V(upwind) * size + V(viscosity) * weight[0];
        for (int d = 0; d < dim; ++d) {
            const V difference = ub[d] - ua[d];
            at_a[d] += (damping - half) * difference;
            at_b[d] += -(damping + half) * difference;
        }
        at_a[dim] += size;
        at_b[dim] += size;
        at_a[dim + 1] += mass;
        at_b[dim + 1] -= mass;
    }
};

/// The right-hand side of the momentum equation, section 2: old velocities, convection and pressure
/// gradient of old times, force. `outflow` 1: what comes back through open boundaries is damped.
template <int dim>
struct Predict {
    double force[dim];
    double outflow;
    bool is_viscous;  ///< then `guess` is where diffusion starts from, else the new velocity
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, transport_size<dim>>& sum,
                                 const One<V>& inverse_volume, const Values<V, dim>& gradient,
                                 const Values<V, factor_count>& f, const Values<V, dim>& u,
                                 Values<V, dim>& before, Values<V, dim>& convection,
                                 Values<V, dim>& older_convection, Values<V, dim>& rhs,
                                 Values<V, dim>& guess, One<V>& fastest) const {
        const V back = V(0.5 * outflow) * min(-sum[dim + 1], V(0.0));
        for (int d = 0; d < dim; ++d) {
            const V now = inverse_volume[0] * multiply_add(back, u[d], sum[d]);
            const V ahead = f[conv_now] * now + f[conv_before] * convection[d] +
                            f[conv_older] * older_convection[d];
            const V old = f[of_now] * u[d] + f[of_before] * before[d];
            rhs[d] = old + f[tau] * (ahead - gradient[d] + V(force[d]));
            guess[d] = is_viscous ? f[ext_now] * u[d] + f[ext_before] * before[d] : rhs[d];
            older_convection[d] = convection[d];
            convection[d] = now;
            before[d] = u[d];
        }
        fastest[0] = max(fastest[0], inverse_volume[0] * sum[dim]);
    }
};

/// A stage of Runge and Kutta's kind, section 2: a share of the velocity at the start of the step, and one
/// of an Euler step of length `dt`; less the gradient of the last pressure.
template <int dim>
struct RungeKuttaStage {
    double force[dim];
    double outflow;
    bool is_first;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, transport_size<dim>>& sum,
                                 const One<V>& inverse_volume, const Values<V, dim>& gradient,
                                 const Values<V, factor_count>& f, const Values<V, dim>& u,
                                 Values<V, dim>& before, Values<V, dim>& guess,
                                 One<V>& fastest) const {
        const V back = V(0.5 * outflow) * min(-sum[dim + 1], V(0.0));
        for (int d = 0; d < dim; ++d) {
            const V now = inverse_volume[0] * multiply_add(back, u[d], sum[d]);
            before[d] = is_first ? u[d] : before[d];
            guess[d] = f[of_before] * before[d] + f[of_now] * u[d] +
                       f[tau] * (now + V(force[d]) - gradient[d]);
        }
        fastest[0] = max(fastest[0], inverse_volume[0] * sum[dim]);
    }
};

/// The largest rate of passing alone.
template <int dim>
struct Fastest {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, transport_size<dim>>& sum,
                                 const One<V>& inverse_volume, One<V>& fastest) const {
        fastest[0] = max(fastest[0], inverse_volume[0] * sum[dim]);
    }
};

/// How far a velocity is from the last one.
template <int dim>
struct MeasureChange {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& u, const Values<V, dim>& before,
                                 One<V>& squared) const {
        for (int d = 0; d < dim; ++d) {
            const V change = u[d] - before[d];
            squared[0] += change * change;
        }
    }
};

}  // namespace halocline::incompressible
