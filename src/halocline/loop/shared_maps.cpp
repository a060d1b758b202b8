// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/loop/shared_maps.hpp"

namespace halocline::detail {

bool has_one_map_a_type(ArgUses uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].map != uses[first_through_map(uses, i)].map) {
            return false;
        }
    }
    return true;
}

/// Each call of a loop asks: that types cannot tell is looked for last, which is seldom needed.
bool shares_by_type(ArgUses uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].store != uses[first_alike(uses, i)].store && !has_rivals(uses, i)) {
            return false;
        }
    }
    return has_one_map_a_type(uses);
}

}  // namespace halocline::detail
