// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What happens at an edge or a node in a step of incompressible flow; docs/theory/incompressible.md has
// the scheme, whose sections are named.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/math/functions.hpp"

namespace halocline::incompressible {

template <class V>
using One = Values<V, 1>;

/// Components of a symmetric matrix: xx xy yy, or xx xy xz yy yz zz.
template <int dim>
inline constexpr int symmetric_size = dim*(dim + 1) / 2;

template <int dim, class V>
[[nodiscard]] HALOCLINE_HD V dot(const Values<V, dim>& a, const Values<V, dim>& b) {
    V sum = a[0] * b[0];
    for (int d = 1; d < dim; ++d) {
        sum = multiply_add(a[d], b[d], sum);
    }
    return sum;
}

/// Volume that flows from a to b in a unit of time, section 3: (v_a + v_b)/2 . n - tau w (q_b - q_a).
/// Exchanging the ends negates it exactly. Over the edges of a node these add up to what the pressure
/// solver leaves as its residual.
template <int dim, class V>
[[nodiscard]] HALOCLINE_HD V mass_flux(const Values<V, dim>& va, const Values<V, dim>& vb,
                                       const One<V>& qa, const One<V>& qb, const Values<V, dim>& n,
                                       const One<V>& weight, const V& tau) {
    V through = (va[0] + vb[0]) * n[0];
    for (int d = 1; d < dim; ++d) {
        through = multiply_add(va[d] + vb[d], n[d], through);
    }
    return V(0.5) * through - tau * weight[0] * (qb[0] - qa[0]);
}

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

/// Factors of a step, section 2. Order in the global that loops read.
enum Factor {
    tau,        ///< time step over the first coefficient of the backward difference
    of_now,     ///< share of the newest velocity in the predictor
    of_before,  ///< share of the one before
    ext_now,    ///< extrapolation
    ext_before,
    kept,  ///< share of the old pressure that the new potential leaves out
    factor_count
};

/// Where the solution of the pressure equation is looked for: the potential goes on as it went last.
struct ExtrapolatePotential {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, factor_count>& f, One<V>& potential,
                                 One<V>& before) const {
        const V now = potential[0];
        potential[0] = f[ext_now] * now + f[ext_before] * before[0];
        before[0] = now;
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
                                 Values<V, dim>& rhs, Values<V, dim>& guess,
                                 One<V>& fastest) const {
        const V back = V(0.5 * outflow) * min(-sum[dim + 1], V(0.0));
        for (int d = 0; d < dim; ++d) {
            const V now = inverse_volume[0] * multiply_add(back, u[d], sum[d]);
            const V ahead = f[ext_now] * now + f[ext_before] * convection[d];
            const V old = f[of_now] * u[d] + f[of_before] * before[d];
            rhs[d] = old + f[tau] * (ahead - gradient[d] + V(force[d]));
            guess[d] = is_viscous ? f[ext_now] * u[d] + f[ext_before] * before[d] : rhs[d];
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

/// sum_a += w (u_b - u_a): diffusion of all components.
template <int dim>
struct EdgeDiffusion {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& ua, const Values<V, dim>& ub,
                                 const One<V>& weight, Values<V, dim>& sum_a,
                                 Values<V, dim>& sum_b) const {
        for (int d = 0; d < dim; ++d) {
            const V flux = weight[0] * (ub[d] - ua[d]);
            sum_a[d] += flux;
            sum_b[d] -= flux;
        }
    }
};

/// One sweep of Chebyshev's iteration for u - tau nu L u = rhs, section 5. `sweep`: share of the residual,
/// tau nu.
template <int dim>
struct Sweep {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& sum, const One<V>& inverse_volume,
                                 const One<V>& spread, const Values<V, 2>& sweep,
                                 const Values<V, dim>& rhs, const Values<V, dim>& u,
                                 Values<V, dim>& next) const {
        const V diffusion = sweep[1] * inverse_volume[0];
        const V share = sweep[0] / (V(1.0) + sweep[1] * spread[0]);
        for (int d = 0; d < dim; ++d) {
            const V residual = multiply_add(diffusion, sum[d], rhs[d] - u[d]);
            next[d] = multiply_add(share, residual, u[d]);
        }
    }
};

/// spread = sum |w| / V: what diffusion is divided by.
struct EdgeSpread {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& weight, One<V>& a, One<V>& b) const {
        a[0] += abs(weight[0]);
        b[0] += abs(weight[0]);
    }
};

struct Spread {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& inverse_volume, One<V>& spread,
                                 One<V>& largest) const {
        spread[0] = sum[0] * inverse_volume[0];
        largest[0] = max(largest[0], spread[0]);
    }
};

/// P u for a symmetric P.
template <int dim, class V>
[[nodiscard]] HALOCLINE_HD Values<V, dim> project(const Values<V, symmetric_size<dim>>& p,
                                                  const Values<V, dim>& u) {
    Values<V, dim> result;
    if constexpr (dim == 2) {
        result[0] = p[0] * u[0] + p[1] * u[1];
        result[1] = p[1] * u[0] + p[2] * u[1];
    } else {
        result[0] = p[0] * u[0] + p[1] * u[1] + p[2] * u[2];
        result[1] = p[1] * u[0] + p[3] * u[1] + p[4] * u[2];
        result[2] = p[2] * u[0] + p[4] * u[1] + p[5] * u[2];
    }
    return result;
}

/// u = P u + g: what boundaries leave of a velocity, and what they give.
template <int dim>
struct Constrain {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, symmetric_size<dim>>& p, const Values<V, dim>& g,
                                 Values<V, dim>& u) const {
        const Values<V, dim> left = project<dim>(p, u);
        for (int d = 0; d < dim; ++d) {
            u[d] = left[d] + g[d];
        }
    }
};

/// v = u + (1 - kept) tau G p: the velocity without a share of its pressure gradient.
template <int dim>
struct AddGradient {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& gradient, const Values<V, factor_count>& f,
                                 const Values<V, dim>& u, Values<V, dim>& v) const {
        const V share = (V(1.0) - f[kept]) * f[tau];
        for (int d = 0; d < dim; ++d) {
            v[d] = multiply_add(share, gradient[d], u[d]);
        }
    }
};

template <int dim>
struct EdgeDivergence {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& va, const Values<V, dim>& vb,
                                 const Values<V, dim>& n, One<V>& at_a, One<V>& at_b) const {
        V through = (va[0] + vb[0]) * n[0];
        for (int d = 1; d < dim; ++d) {
            through = multiply_add(va[d] + vb[d], n[d], through);
        }
        at_a[0] += V(0.5) * through;
        at_b[0] -= V(0.5) * through;
    }
};

/// The right-hand side of the pressure equation, section 3: A q = -(div v + boundary flux) / tau.
struct PressureSource {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& divergence, const One<V>& boundary_flux,
                                 const Values<V, factor_count>& f, One<V>& source) const {
        source[0] = -(divergence[0] + boundary_flux[0]) / f[tau];
    }
};

/// V G p = sum (p_b - p_a)/2 n, with the boundary's part in it: dual cells are closed.
template <int dim>
struct EdgeGradient {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& pa, const One<V>& pb, const Values<V, dim>& n,
                                 Values<V, dim>& at_a, Values<V, dim>& at_b) const {
        const V half = V(0.5) * (pb[0] - pa[0]);
        for (int d = 0; d < dim; ++d) {
            at_a[d] += half * n[d];
            at_b[d] += half * n[d];
        }
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

/// What given pressures bring to the equation: along edges that `fix_nodes` took out, and at the nodes
/// themselves. Pressures are zero where none is given.
struct EdgeOutletSource {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& pa, const One<V>& pb, const One<V>& all,
                                 const One<V>& left, One<V>& at_a, One<V>& at_b) const {
        const V among = left[0] * (pa[0] - pb[0]);
        const V out = all[0] - left[0];
        at_a[0] += among + out * pb[0];
        at_b[0] += out * pa[0] - among;
    }
};

struct OutletSource {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& given,
                                 One<V>& source) const {
        source[0] = multiply_add(diagonal[0], given[0], sum[0]);
    }
};

struct AddTo {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& from, One<V>& to) const {
        to[0] += from[0];
    }
};

/// Holds given values.
struct Hold {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& from, One<V>& to) const {
        to[0] = from[0];
    }
};

struct HoldZero {
    template <class V>
    HALOCLINE_HD void operator()(One<V>& to) const {
        to[0] = V(0.0);
    }
};

template <int dim>
struct CopyVector {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& from, Values<V, dim>& to) const {
        for (int d = 0; d < dim; ++d) {
            to[d] = from[d];
        }
    }
};

/// p = q + kept p.
struct AddPotential {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& potential, const Values<V, factor_count>& f,
                                 One<V>& pressure) const {
        pressure[0] = multiply_add(f[kept], pressure[0], potential[0]);
    }
};

/// The potential where the pressure is given.
struct GivePotential {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& given, const One<V>& pressure,
                                 const Values<V, factor_count>& f, One<V>& potential) const {
        potential[0] = given[0] - f[kept] * pressure[0];
    }
};

/// u = v - tau (G p - kept G p_old): the change of the pressure, and what v left out, act on it.
template <int dim>
struct Correct {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& sum, const One<V>& inverse_volume,
                                 const Values<V, factor_count>& f, const Values<V, dim>& v,
                                 Values<V, dim>& gradient, Values<V, dim>& u) const {
        for (int d = 0; d < dim; ++d) {
            const V found = inverse_volume[0] * sum[d];
            u[d] = v[d] - f[tau] * (found - f[kept] * gradient[d]);
            gradient[d] = found;
        }
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

/// And where sums are no gradients of linear fields; `exact` makes them such, row by row.
template <int dim>
struct CorrectExactly {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim * dim>& exact,
                                 const Values<V, factor_count>& f, Values<V, dim>& gradient,
                                 Values<V, dim>& u) const {
        const Values<V, dim> found = gradient;
        for (int d = 0; d < dim; ++d) {
            V component = exact[dim * d] * found[0];
            for (int k = 1; k < dim; ++k) {
                component = multiply_add(exact[dim * d + k], found[k], component);
            }
            gradient[d] = component;
            u[d] -= f[tau] * (component - found[d]);
        }
    }
};

/// V B with B = (sum n d^T / 2) / V, d the way along an edge: what the gradient of x, y, z comes to be.
template <int dim>
struct EdgeMoments {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& way, const Values<V, dim>& n,
                                 Values<V, dim * dim>& at_a, Values<V, dim * dim>& at_b) const {
        for (int k = 0; k < dim; ++k) {
            for (int d = 0; d < dim; ++d) {
                const V moment = V(0.5) * n[k] * way[d];
                at_a[dim * k + d] += moment;
                at_b[dim * k + d] += moment;
            }
        }
    }
};

}  // namespace halocline::incompressible
