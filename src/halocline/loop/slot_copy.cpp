// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of edge data in the order in which a gather reads them.
#include <algorithm>

#include "halocline/loop/plan.hpp"

namespace halocline {

void fill_slot_copy(const GatherPlan& plan, const RawDat& dat, bool oriented, Buffer<double>& out) {
    constexpr std::size_t entries_ahead = 64;
    const std::size_t entries = plan.element.size();
    const auto dim = static_cast<std::size_t>(dat.dim);
    if (out.empty()) {
        out = Buffer<double>(static_cast<std::size_t>(plan.slots()) * simd_lanes * dim);
    }
#pragma omp parallel for schedule(static)
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const auto first = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b)]);
        const auto last = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b) + 1]);
        for (std::size_t i = first * simd_lanes; i < last * simd_lanes; ++i) {
            const LocalIndex later = plan.element[std::min(i + entries_ahead, entries - 1)];
            __builtin_prefetch(dat.values + dat.layout.offset(later, 0));
            const LocalIndex element = plan.element[i];
            const bool used = (plan.used[i / simd_lanes] >> (i % simd_lanes) & 1) != 0;
            const bool negate = oriented && plan.column[i] == 1;
            double* lane = out.data() + i / simd_lanes * simd_lanes * dim + i % simd_lanes;
            for (std::size_t d = 0; d < dim; ++d) {
                const double value =
                    used ? dat.values[dat.layout.offset(element, static_cast<int>(d))] : 0.0;
                lane[d * simd_lanes] = negate ? -value : value;
            }
        }
    }
}

}  // namespace halocline
