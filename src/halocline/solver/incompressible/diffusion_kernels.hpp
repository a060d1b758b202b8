// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Implicit diffusion, section 5 of docs/theory/incompressible.md.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/loop/kernels.hpp"
#include "halocline/math/functions.hpp"

namespace halocline::incompressible {

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
struct Spread {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& inverse_volume, One<V>& spread,
                                 One<V>& largest) const {
        spread[0] = sum[0] * inverse_volume[0];
        largest[0] = max(largest[0], spread[0]);
    }
};

}  // namespace halocline::incompressible
