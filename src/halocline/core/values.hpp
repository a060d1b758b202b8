// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The components of one argument as kernels see them.
#pragma once

#include <type_traits>
#include <utility>

#include "halocline/core/element_type.hpp"
#include "halocline/core/integer.hpp"
#include "halocline/core/types.hpp"

namespace halocline {

/// `n` components, each a scalar or a pack. An aggregate, so that it lives in registers.
template <class Value, int n>
struct Values {
    Value v[n];  ///< the components
    /// Component `i`, from 0.
    HALOCLINE_HD Value& operator[](int i) { return v[i]; }
    /// Component `i`, from 0.
    HALOCLINE_HD const Value& operator[](int i) const { return v[i]; }
    static constexpr int size = n;  ///< number of components
};

/// function(0) to function(n - 1), each written where it stays: what a loop puts in, g++ keeps in memory
/// and copies from there.
template <class Value, int n, class Function>
[[nodiscard, gnu::always_inline]] inline Values<Value, n> make_values(Function&& function) {
    return [&]<int... d>(std::integer_sequence<int, d...>) {
        return Values<Value, n>{{function(d)...}};
    }
    (std::make_integer_sequence<int, n>{});
}

/// The rows of all `count` targets of an element, `dim` components each.
template <class Value, int count, int dim>
using Rows = Values<Values<Value, dim>, count>;

/// What a kernel computes with for stored values of type T, where V is its value type: floating values
/// are V, whatever their storage; integers are Integer<V>.
template <class T, class V>
using ValueOf = std::conditional_t<IntegerElement<T>, Integer<V>, V>;

/// What increments start from. Negative zero is the neutral element of addition (x + -0 is x for
/// every x, also -0), so adding an increment costs nothing extra and changes no bit.
inline constexpr double no_increment = -0.0;

/// The same for values of type V.
template <class V>
[[nodiscard]] HALOCLINE_HD constexpr V neutral_increment() {
    if constexpr (is_integer_value<V>) {
        return V(0);
    } else {
        return V(no_increment);
    }
}

}  // namespace halocline
