// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What happens at boundary entries and boundary nodes.
#pragma once

#include <limits>

#include "halocline/core/values.hpp"
#include "halocline/loop/kernels.hpp"
#include "halocline/math/functions.hpp"

namespace halocline::incompressible {

/// What a loop leaves at nodes where there is nothing to give.
inline constexpr double not_given = -std::numeric_limits<double>::max();

/// Components of a symmetric matrix: xx xy yy, or xx xy xz yy yz zz.
template <int dim>
inline constexpr int symmetric_size = dim*(dim + 1) / 2;

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

struct TakeLargest {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& key, One<V>& largest) const {
        largest[0] = max(largest[0], key[0]);
    }
};

struct FillWithZero {
    template <class V>
    HALOCLINE_HD void operator()(One<V>& value) const {
        value[0] = select(value[0] > V(not_given), value[0], V(0.0));
    }
};

struct Balance {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& flux, Values<V, 2>& net_and_gross) const {
        net_and_gross[0] += flux[0];
        net_and_gross[1] += abs(flux[0]);
    }
};

/// What is left over goes out, in proportion to what flows.
struct Share {
    double part;
    template <class V>
    HALOCLINE_HD void operator()(One<V>& flux) const {
        flux[0] -= V(part) * abs(flux[0]);
    }
};

}  // namespace halocline::incompressible
