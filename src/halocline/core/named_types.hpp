// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A list of types that users choose from by name.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline {

/// Each type has a `static constexpr std::string_view name`. A new choice is one more type in the list.
template <class... Types>
struct NamedTypes {
    /// The names, in the order of the types.
    static constexpr std::array<std::string_view, sizeof...(Types)> names{Types::name...};

    /// Calls `use` with a default-made object of the type called `name`. Throws UsageError with the
    /// nearest known name; `what` is what the types are, as in "flux".
    template <class Use>
    static void visit(std::string_view what, std::string_view name, Use&& use) {
        const bool found = ((Types::name == name ? (use(Types{}), true) : false) || ...);
        if (!found) {
            throw UsageError("there is no " + std::string(what) + " '" + std::string(name) + "'. " +
                             suggest_name(name, names));
        }
    }
};

}  // namespace halocline
