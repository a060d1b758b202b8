// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What loops of all solvers do with the row of an element: copy it, add it, clear it.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/math/functions.hpp"

namespace halocline {

/// A row of one component.
template <class V>
using One = Values<V, 1>;

/// Copies a row.
template <int size = 1>
struct Copy {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, size>& from, Values<V, size>& to) const {
        for (int d = 0; d < size; ++d) {
            to[d] = from[d];
        }
    }
};

/// Adds a row to another.
template <int size = 1>
struct Add {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, size>& value, Values<V, size>& sum) const {
        for (int d = 0; d < size; ++d) {
            sum[d] += value[d];
        }
    }
};

/// Sets a row to zero.
template <int size = 1>
struct Clear {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, size>& row) const {
        for (int d = 0; d < size; ++d) {
            row[d] = V(0.0);
        }
    }
};

}  // namespace halocline
