// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An edge seen from its other end, for kernels that promise to be swap_symmetric.
#pragma once

#include <array>
#include <cstddef>

#include "halocline/backend/scalar.hpp"

namespace halocline::detail {

/// Column of the map that an argument increments through; -1 for all other arguments.
template <class ArgT>
constexpr int incremented_end() {
    if constexpr (ArgT::is_indirect && ArgT::access == Access::inc) {
        return ArgT::slot;
    } else {
        return -1;
    }
}

/// The argument that increments the other end of what argument `i` increments: the first at one end
/// belongs to the first at the other, and so on.
template <class... Args>
constexpr std::size_t twin_of(std::size_t i, const Tuple<Args...>*) {
    constexpr std::array<int, sizeof...(Args)> ends{incremented_end<Args>()...};
    int before = 0;
    for (std::size_t k = 0; k < i; ++k) {
        before += ends[k] == ends[i] ? 1 : 0;
    }
    for (std::size_t k = 0; k < ends.size(); ++k) {
        if (ends[k] == 1 - ends[i] && before-- == 0) {
            return k;
        }
    }
    return i;
}

/// What a kernel gets for one argument when the ends are exchanged.
template <class ArgT>
ArgValues<ArgT, double> load_from_other_end(const ArgT& arg, LocalIndex element) {
    if constexpr (ArgT::is_indirect) {
        using Other = DatArg<ArgT::access, typename ArgT::DatT, typename ArgT::MapT, 1 - ArgT::slot,
                             ArgT::is_derived, false>;
        return load_scalar(Other{arg.store, arg.map, arg.from, arg.to}, element);
    } else {
        ArgValues<ArgT, double> values = load_scalar(arg, element);
        for (int d = 0; ArgT::is_oriented && d < ArgT::size; ++d) {
            values[d] = -values[d];
        }
        return values;
    }
}

/// Zeros of either sign are the same to a sum that is none.
inline bool same_increment(double a, double b) { return a == b || (a != a && b != b); }
inline bool same_increment(Integer<double> a, Integer<double> b) { return a == b; }

}  // namespace halocline::detail
