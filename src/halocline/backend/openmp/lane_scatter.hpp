// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A single thread needs no plan: a pack of elements at a time, each once, adds to their targets in turn.
#pragma once

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"

namespace halocline::detail {

template <class LoopT>
class LaneScatter {
    using Run = ResolvedLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Runs all elements in the order given; empty: as they lie.
    static void all(const Run& run, const std::vector<LocalIndex>& order, Reductions& reductions) {
        all(run, order, reductions, Indices{});
    }

private:
    template <std::size_t... i>
    static void all(const Run& run, const std::vector<LocalIndex>& order, Reductions& reductions,
                    std::index_sequence<i...>) {
        const LocalIndex count = run.set().exec;
        for (LocalIndex first = 0; first < count; first += pack_lanes) {
            const int lanes = std::min(pack_lanes, count - first);
            LocalIndex element[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                const LocalIndex k = std::min(first + lane, count - 1);
                element[lane] = order.empty() ? k : order[static_cast<std::size_t>(k)];
            }
            std::tuple values{load_values<i>(run, element)...};
            run.kernel()(as_kernel_sees<Arg<i>>(std::get<i>(values))...);
            for (int lane = 0; lane < lanes; ++lane) {
                (store<i>(run, element[lane], lane, std::get<i>(values)), ...);
            }
            const Mask owned = owned_lanes(run, element) & Mask::first(lanes);
            (std::get<i>(reductions).add(std::get<i>(values), owned), ...);
        }
    }

    /// Import-exec elements are counted where they are owned.
    [[nodiscard]] static Mask owned_lanes(const Run& run, const LocalIndex (&element)[pack_lanes]) {
        std::int64_t lanes[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            lanes[lane] = element[lane] < run.set().owned ? -1 : 0;
        }
        Mask mask;
        std::memcpy(&mask.lanes, lanes, sizeof lanes);
        return mask;
    }

    template <std::size_t i>
    static void store(const Run& run, LocalIndex element, int lane,
                      const Values<Pack, Arg<i>::size>& values) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::access != Access::read) {
            const LocalIndex target = element_of(run.template arg<i>(), element);
            DatStore& store = *run.template arg<i>().store;
            if (target >= store.set->owned) {
                return;
            }
            for (int d = 0; d < ArgT::size; ++d) {
                double& stored = store.at(target, d);
                const double value = values[d][lane];
                if constexpr (ArgT::access == Access::inc) {
                    stored += value;
                } else if constexpr (ArgT::access == Access::min || ArgT::access == Access::max) {
                    stored = extreme<ArgT::access == Access::min>(stored, value);
                } else {
                    stored = value;
                }
            }
        }
    }
};

}  // namespace halocline::detail
