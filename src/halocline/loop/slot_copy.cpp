// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of edge data in the order in which a gather reads them.
#include <algorithm>

#include "halocline/loop/gather_plan.hpp"

namespace halocline {

namespace {

template <class T>
void fill(const GatherPlan& plan, const RawDat& dat, bool oriented, T* out) {
    constexpr std::size_t entries_ahead = 64;
    const std::size_t entries = plan.element.size();
    const auto dim = static_cast<std::size_t>(dat.dim);
    const T* values = reinterpret_cast<const T*>(dat.values);
#pragma omp parallel for schedule(static)
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const auto first = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b)]);
        const auto last = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b) + 1]);
        for (std::size_t i = first * simd_lanes; i < last * simd_lanes; ++i) {
            const LocalIndex later = plan.element[std::min(i + entries_ahead, entries - 1)];
            __builtin_prefetch(values + dat.layout.offset(later, 0));
            const LocalIndex element = plan.element[i];
            const bool used = (plan.used[i / simd_lanes] >> (i % simd_lanes) & 1) != 0;
            const bool negate = oriented && plan.column[i] == 1;
            T* lane = out + i / simd_lanes * simd_lanes * dim + i % simd_lanes;
            for (std::size_t d = 0; d < dim; ++d) {
                const T value =
                    used ? values[dat.layout.offset(element, static_cast<int>(d))] : T{0};
                lane[d * simd_lanes] = negate ? -value : value;
            }
        }
    }
}

}  // namespace

void fill_slot_copy(const GatherPlan& plan, const RawDat& dat, bool oriented, Buffer<double>& out) {
    if (out.empty()) {
        out = Buffer<double>(words_for(
            static_cast<std::size_t>(plan.slots()) * simd_lanes * static_cast<std::size_t>(dat.dim),
            bytes_of(dat.type)));
    }
    visit_element_type(
        dat.type, [&]<class T>(T) { fill(plan, dat, oriented, reinterpret_cast<T*>(out.data())); });
}

}  // namespace halocline
