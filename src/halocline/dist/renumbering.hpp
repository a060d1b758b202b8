// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which sets are renumbered, and by which maps.
#pragma once

#include <vector>

namespace halocline::dist {

/// Maps that make set `set` a graph: arity 2, from another set. Templated on declared and local
/// maps, which name their ends alike. Empty for edge-like sets, which keep ascending global ids.
template <class Maps>
[[nodiscard]] std::vector<int> graph_maps_of(const Maps& maps, int set) {
    std::vector<int> result;
    for (std::size_t m = 0; m < maps.size(); ++m) {
        if (maps[m].to == set && maps[m].from != set && maps[m].arity == 2) {
            result.push_back(static_cast<int>(m));
        }
    }
    return result;
}

}  // namespace halocline::dist
