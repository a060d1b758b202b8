// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/by_element.hpp"

#include <algorithm>

namespace halocline::detail {

bool has_all_for_elements(ArgUses uses) {
    return std::all_of(uses.begin(), uses.end(), [](const ArgUse& use) {
        if (use.is_global()) {
            return true;
        }
        const bool is_mapped =
            !use.is_indirect() || !use.map->targets.empty() || use.from->total == 0;
        return is_mapped && use.store->keeper == nullptr && use.store->mode == LayoutMode::vector;
    });
}

}  // namespace halocline::detail
