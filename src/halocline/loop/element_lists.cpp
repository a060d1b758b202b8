// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/loop/element_lists.hpp"

#include <algorithm>

namespace halocline {

void ElementLists::cut(
    FunctionRef<bool(LocalIndex list, LocalIndex element)> fit,
    FunctionRef<void(LocalIndex list, std::int64_t begin, std::int64_t end)> add_whole) {
    constexpr std::int64_t worthwhile = 64;
    const auto lists = static_cast<LocalIndex>(begin.size()) - 1;
    for (LocalIndex list = 0; list < lists; ++list) {
        const std::int64_t end = begin[static_cast<std::size_t>(list) + 1];
        std::int64_t listed = begin[static_cast<std::size_t>(list)];
        for (std::int64_t first = listed; first < end;) {
            const LocalIndex* run = element.data() + first;
            std::int64_t last = first;
            if (*run % simd_lanes == 0) {
                while (last < end && run[last - first] - *run == last - first &&
                       fit(list, run[last - first])) {
                    ++last;
                }
            }
            if (last - first >= worthwhile) {
                if (listed < first) {
                    stretches.push_back({listed, first, false, Asks::always});
                }
                add_whole(list, first, last);
                listed = last;
            }
            first = std::max(last, first + 1);
        }
        if (listed < end) {
            stretches.push_back({listed, end, false, Asks::always});
        }
        stretch_begin.push_back(stretches.size());
    }
}

}  // namespace halocline
