// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The pressure that makes velocities conserve volume, section 3 of docs/theory/incompressible.md, and the
// correction by its gradient.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/loop/kernels.hpp"
#include "halocline/math/functions.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

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

/// The right-hand side of the pressure equation, section 3: A q = -(div v + boundary flux) / tau.
struct PressureSource {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& divergence, const Values<V, factor_count>& f,
                                 One<V>& source) const {
        source[0] = -divergence[0] / f[tau];
    }
};

/// And its part at boundary nodes.
struct BoundarySource {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& flux, const Values<V, factor_count>& f,
                                 One<V>& source) const {
        source[0] -= flux[0] / f[tau];
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

/// p = q + kept p.
struct AddPotential {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& potential, const Values<V, factor_count>& f,
                                 One<V>& pressure) const {
        pressure[0] = multiply_add(f[kept], pressure[0], potential[0]);
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

/// And where sums are not gradients of linear fields; `exact` makes them such, row by row.
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

}  // namespace halocline::incompressible
