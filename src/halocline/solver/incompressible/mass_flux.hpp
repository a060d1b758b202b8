// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Volume that flows between neighbours: what convection, pressure and measures share.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/loop/kernels.hpp"

namespace halocline::incompressible {

template <int dim, class V>
[[nodiscard]] HALOCLINE_HD V dot(const Values<V, dim>& a, const Values<V, dim>& b) {
    V sum = a[0] * b[0];
    for (int d = 1; d < dim; ++d) {
        sum = multiply_add(a[d], b[d], sum);
    }
    return sum;
}

/// Volume that flows from a to b in a unit of time, section 3 of docs/theory/incompressible.md: (v_a + v_b)/2 . n - tau w (q_b - q_a).
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

}  // namespace halocline::incompressible
