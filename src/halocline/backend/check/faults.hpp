// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences about kernels that do something else than they declare.
#pragma once

#include <cstddef>
#include <string>

#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// The element at which a loop was found to be wrong.
struct CheckedPlace {
    const LoopName& loop;
    const SetPart& set;
    LocalIndex element;
};

inline constexpr int whole_argument = -1;
struct CheckedValue {
    ArgumentPlace place;
    int component;  ///< or `whole_argument`
};

[[nodiscard]] std::string fault_of_map(const CheckedPlace& place, const MapPart& map,
                                       LocalIndex target, const SetPart& to);
/// `fault`: what the kernel does, as "changes what it declares to read".
[[nodiscard]] std::string fault_of_access(const CheckedPlace& place, const char* fault,
                                          CheckedValue value);
/// A kernel that is not swap_symmetric: `value` got `got` where argument `twin` got `expected`.
[[nodiscard]] std::string fault_of_ends(const CheckedPlace& place, CheckedValue value,
                                        const std::string& got, ArgumentPlace twin,
                                        const std::string& expected);

}  // namespace halocline::detail
