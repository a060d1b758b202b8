// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Increments through one column that leads to few targets, as boundaries do: packs of elements from
// wherever blocks have any, each of which adds to its target in turn.
#pragma once

#include <algorithm>
#include <utility>

#include "halocline/backend/openmp/contributions.hpp"

namespace halocline::detail {

template <class LoopT>
class ListedGather {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

    template <class ArgT>
    static constexpr bool adds_if_it_changes =
        !is_shared_change<ArgT> || ArgT::access == Access::inc;
    template <std::size_t... i>
    static constexpr bool only_adds(std::index_sequence<i...> /*all*/) {
        return (adds_if_it_changes<Arg<i>> && ...) && !any_changes_derived<LoopT>;
    }

public:
    /// Whether a loop may run so: extremes begin with what targets have, derived values follow by block.
    static constexpr bool is_possible = only_adds(Indices{});

    /// Runs what changes the targets of blocks.
    static void blocks(const Run& run, LocalIndex begin, LocalIndex end, Tiles tiles) {
        const Buffer<LocalIndex>& entries = run.plan().list.begin;
        const Entries own{entries[static_cast<std::size_t>(begin)],
                          entries[static_cast<std::size_t>(end)]};
        if (own.begin < own.end) {
            add(run, own, begin, tiles, Indices{});
        }
    }

private:
    /// Places in the list.
    struct Entries {
        LocalIndex begin;
        LocalIndex end;
    };

    /// `first_block`: the one whose tile is the first.
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void add(const Run& run, Entries entries,
                                                    LocalIndex first_block, Tiles tiles,
                                                    std::index_sequence<i...> all) {
        const TargetList& list = run.plan().list;
        LocalIndex first = entries.begin;
        for (; first + pack_lanes <= entries.end; first += pack_lanes) {
            add_pack(run, {list.element.data() + first, list.target.data() + first}, pack_lanes,
                     first_block, tiles, all);
        }
        if (first < entries.end) {
            LocalIndex element[pack_lanes];
            LocalIndex target[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                const auto place =
                    static_cast<std::size_t>(std::min(first + lane, entries.end - 1));
                element[lane] = list.element[place];
                target[lane] = list.target[place];
            }
            add_pack(run, {element, target}, entries.end - first, first_block, tiles, all);
        }
    }

    /// Elements of a pack and their targets.
    struct Members {
        const LocalIndex* element;
        const LocalIndex* target;
    };

    /// The first `lanes` of the members count.
    template <std::size_t... i>
    [[gnu::always_inline]] static void add_pack(const Run& run, Members members, int lanes,
                                                LocalIndex first_block, Tiles tiles,
                                                std::index_sequence<i...> /*all*/) {
        Tuple values{load<i>(run, members)...};
        run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
        const Contributions<LoopT> contributions(values);
        for (int lane = 0; lane < lanes; ++lane) {
            (change<i>(run, contributions, lane, members.target[lane], first_block, tiles), ...);
        }
    }

    /// What is read through the column lies where the targets do.
    template <std::size_t i>
    [[gnu::always_inline]] static auto load(const Run& run, const Members& members) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            if (run.template reads_targets<i>()) {
                return load_at<ArgT>(base_of<ArgT>(run.template view<i>()), members.target);
            }
        }
        return load_values<i>(run, members.element);
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void change(const Run& run,
                                              const Contributions<LoopT>& contributions, int lane,
                                              LocalIndex target, LocalIndex first_block,
                                              Tiles tiles) {
        using ArgT = Arg<i>;
        if constexpr (is_shared_change<ArgT>) {
            const auto place = static_cast<std::uint32_t>(target);  // no sign extension
            const auto block = static_cast<LocalIndex>(place / simd_lanes);
            contributions.template change<i>(
                lane,
                element_begin<typename ArgT::DatT>(
                    block_of<ArgT>(run.template view<i>(), block, tiles.of(block - first_block)),
                    static_cast<LocalIndex>(place % simd_lanes)));
        }
    }
};

}  // namespace halocline::detail
