// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The smaller and the larger of two indices or counts. <algorithm>, which has std::min and std::max, and
// what it brings along are a twelfth of what g++ 12 allocates for a small program: headers that programs
// include do without it.
#pragma once

#include <type_traits>

#include "halocline/core/types.hpp"

namespace halocline::detail {

/// The smaller of two values of one type; the first one where they are equal.
template <class T>
[[nodiscard]] HALOCLINE_HD constexpr T smaller(T a, std::type_identity_t<T> b) {
    return b < a ? b : a;
}

/// The larger of two values of one type; the first one where they are equal.
template <class T>
[[nodiscard]] HALOCLINE_HD constexpr T larger(T a, std::type_identity_t<T> b) {
    return a < b ? b : a;
}

}  // namespace halocline::detail
