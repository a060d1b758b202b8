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

bool shares_by_type(ArgUses uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (!uses[i].is_global() && uses[i].store != uses[first_of_dat(uses, i)].store) {
            return false;
        }
    }
    return has_one_map_a_type(uses);
}

}  // namespace halocline::detail
