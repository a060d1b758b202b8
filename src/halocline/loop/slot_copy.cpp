// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of edge data in slot order: stored slots by block, mirrors as places of what they look at.
#include <algorithm>

#include "halocline/core/error.hpp"
#include "halocline/loop/plan.hpp"
#include "halocline/loop/slot_mirrors.hpp"

namespace halocline {

namespace {

void copy_slot(const GatherPlan& plan, const RawDat& dat, bool oriented, std::size_t slot,
               double* to) {
    constexpr std::size_t entries_ahead = 64;
    for (std::size_t lane = 0; lane < simd_lanes; ++lane) {
        const std::size_t entry = slot * simd_lanes + lane;
        const std::size_t later = std::min(entry + entries_ahead, plan.element.size() - 1);
        __builtin_prefetch(dat.values + dat.layout.offset(plan.element[later], 0));
        const bool used = (plan.used[slot] >> lane & 1) != 0;
        const bool negate = oriented && plan.column[entry] == 1;
        for (int d = 0; d < dat.dim; ++d) {
            const double value = used ? dat.values[dat.layout.offset(plan.element[entry], d)] : 0.0;
            to[static_cast<std::size_t>(d) * simd_lanes + lane] = negate ? -value : value;
        }
    }
}

}  // namespace

void fill_slot_copy(const GatherPlan& plan, const RawDat& dat, SlotCopy& copy) {
    const SlotMirrors& mirrors = *copy.mirrors;
    const std::size_t slot_values = static_cast<std::size_t>(dat.dim) * simd_lanes;
    const std::size_t values = static_cast<std::size_t>(mirrors.stored()) * slot_values;
    validate<ContractError>(values <= ~std::uint32_t{0},
                            "one rank has too many values on edges for 32-bit offsets. "
                            "Use more ranks.");
    if (copy.values.empty()) {
        copy.values = Buffer<double>(values);
        copy.mirrored = Buffer<std::uint32_t>(mirrors.stored_entry.size());
    }
#pragma omp parallel for schedule(static)
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const auto block = static_cast<std::size_t>(b);
        auto stored = static_cast<std::size_t>(mirrors.stored_before[block]);
        auto mirror = static_cast<std::size_t>(plan.begin[block]) - stored;
        for (LocalIndex slot = plan.begin[block]; slot < plan.begin[block + 1]; ++slot) {
            if (!mirrors.mirrors(b, slot - plan.begin[block])) {
                copy_slot(plan, dat, copy.oriented, static_cast<std::size_t>(slot),
                          copy.values.data() + stored++ * slot_values);
                continue;
            }
            for (std::size_t lane = 0; lane < simd_lanes; ++lane) {
                const std::uint32_t entry = mirrors.stored_entry[mirror * simd_lanes + lane];
                copy.mirrored[mirror * simd_lanes + lane] = static_cast<std::uint32_t>(
                    entry / simd_lanes * slot_values + entry % simd_lanes);
            }
            ++mirror;
        }
    }
}

}  // namespace halocline
