// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop with everything found that its blocks need: the plan, and where each argument's values are.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/backend/openmp/changed_columns.hpp"
#include "halocline/backend/openmp/strategy.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/mesh/moved_rows.hpp"

namespace halocline::detail {

/// Column of the map an argument goes through; -1 for globals.
template <class ArgT>
constexpr int slot_of() {
    if constexpr (ArgT::is_global) {
        return -1;
    } else {
        return ArgT::slot;
    }
}

/// Dats beyond the size of a private cache are written past the caches: they would not stay until the
/// next loop, and reading each line before it is overwritten costs as much as writing it. Where the last
/// cache is large and memory slow, they had better not.
enum class LargeWrites { past_caches, through_caches };

template <class Arg>
[[nodiscard]] bool is_large_write(const Arg& arg) {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        using DatT = typename Arg::DatT;
        constexpr std::size_t large_bytes = std::size_t{1} << 20;
        constexpr bool fills_lines =
            is_full_row<DatT> || uses_lanes<DatT> || is_narrow<DatT> ||
            (are_adjacent_rows<DatT> && adjacent_rows_fill_lines<DatT::dim>);
        return Arg::access == Access::write && fills_lines && !arg.store->temporary &&
               arg.store->values.size() * sizeof(double) > large_bytes;
    }
}

/// Where a temporary lies in a thread's tile.
struct TilePlace {
    int offset;
    bool is_empty;  ///< what lies there counts for nothing yet
};

/// Resolved once a loop call; then any thread may run any block.
template <class LoopT>
class BoundLoop {
public:
    using ArgTuple = typename LoopT::ArgTuple;
    static constexpr std::size_t arg_count = LoopT::arg_count;
    using Indices = std::make_index_sequence<arg_count>;
    template <std::size_t i>
    using Arg = TupleElement<i, ArgTuple>;

    /// Two-ended loops that are symmetric in both ends need only one end's target each.
    static constexpr bool is_two_ended = is_swap_symmetric<typename LoopT::Kernel>;

    BoundLoop(Context& context, const LoopT& loop, LoopUse use,
              LargeWrites large_writes = LargeWrites::past_caches)
        : loop_(loop),
          use_(use),
          large_writes_(large_writes),
          changed_(loop.uses, is_two_ended),
          choice_(choose_strategy(context, *loop.set.part, traits_of(loop), changed_, use)) {
        bind_target_reads(Indices{});
        if (strategy() == Strategy::two_ended || strategy() == Strategy::gather) {
            plan_ = &context.plans().gather(*loop.set.part, *loop.target_set(), changed_.columns());
        }
        bind_dats(context, Indices{});
    }

    /// Blocks of targets that are worked on together; 1 where each block stands by itself.
    [[nodiscard]] LocalIndex preferred_grain(Context& context) const {
        if (strategy() == Strategy::scatter) {
            return context.plans().scatter_grain(*loop_.set.part, *loop_.target_set(),
                                                 changed_.columns(), context.threads());
        }
        if (strategy() != Strategy::once) {
            return 1;
        }
        return context.plans().grain(*loop_.set.part, *loop_.target_set(), changed_.columns(),
                                     changed_.contributed_doubles() * sizeof(double),
                                     context.range_bytes());
    }

    /// Makes the plan of the strategies that work range by range.
    void take_grain(Context& context, LocalIndex grain) {
        if (strategy() == Strategy::once) {
            once_ = &context.plans().once(*loop_.set.part, *loop_.target_set(), changed_.columns(),
                                          grain);
        } else if (strategy() == Strategy::scatter) {
            scatter_ = &context.plans().scatter(*loop_.set.part, *loop_.target_set(),
                                                changed_.columns(), grain);
        }
    }

    [[nodiscard]] const LoopT& loop() const { return loop_; }
    [[nodiscard]] const typename LoopT::Kernel& kernel() const { return loop_.kernel; }
    [[nodiscard]] const SetPart& set() const { return *loop_.set.part; }
    [[nodiscard]] const StrategyChoice& choice() const { return choice_; }
    [[nodiscard]] Strategy strategy() const { return choice_.strategy; }
    [[nodiscard]] const ChangedColumns& changed() const { return changed_; }
    [[nodiscard]] const GatherPlan& plan() const { return *plan_; }
    [[nodiscard]] const OncePlan& once() const { return *once_; }
    [[nodiscard]] const ScatterPlan& scatter() const { return *scatter_; }

    /// Elements that what is not shared takes: import-exec ones, too, where they may write to targets
    /// owned here.
    [[nodiscard]] LocalIndex elements() const {
        return LoopT::has_exclusive_change ? set().exec : set().owned;
    }

    template <std::size_t i>
    [[nodiscard]] const Arg<i>& arg() const {
        return get<i>(loop_.args);
    }
    template <std::size_t i>
    [[nodiscard]] const BoundDat& view() const {
        return views_[i];
    }
    /// Whether the argument reads, through its map, the rows that the loop changes.
    template <std::size_t i>
    [[nodiscard]] bool reads_targets() const {
        return reads_targets_[i];
    }
    /// Whether rows that a later block reads are worth asking for: on meshes in a good order hardware
    /// has them, and asking twice costs a quarter of a loop that computes little.
    [[nodiscard]] bool fetches_ahead() const { return !reads_through_maps_ || leads_far_; }
    /// After the loop: derived values that did not follow are old.
    void note_derived_writes() {
        detail::note_derived_writes(loop_, [&](std::size_t i) { return views_[i].how.completes; });
    }
    /// Asks where the temporaries of a chain lie in each thread's tile: `place(store, only_adds)` is a
    /// TilePlace. A loop that only adds to one stores its sums in every block.
    template <class Place>
    void place_temporaries(Place&& place) {
        place_temporaries(place, Indices{});
    }
    /// Whether sums begin that a tile does not hold: blocks without elements store them, too.
    [[nodiscard]] bool has_empty_sums() const { return has_empty_sums_; }

private:
    template <std::size_t... i>
    void bind_target_reads(std::index_sequence<i...>) {
        ((reads_targets_[i] = lies_in_target_block(arg<i>())), ...);
    }

    /// A loop with one column gathers eight targets at a time: what it reads through that column
    /// lies in one block.
    template <class ArgT>
    [[nodiscard]] bool lies_in_target_block(const ArgT& argument) const {
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            return changed_.columns().size() == 1 &&
                   changed_.columns().front() == MapColumn{argument.map, ArgT::slot};
        } else {
            return false;
        }
    }

    template <std::size_t... i>
    void bind_dats(Context& context, std::index_sequence<i...>) {
        (bind_dat(context, arg<i>(), views_[i]), ...);
    }

    /// Whether an argument is read in the order of the plan.
    template <class ArgT>
    static constexpr bool reads_slots = LoopT::has_shared_change&& is_two_ended &&
                                        !ArgT::is_indirect && ArgT::access == Access::read;

    template <class ArgT>
    void bind_dat(Context& context, const ArgT& argument, BoundDat& view) {
        if constexpr (!ArgT::is_global) {
            DatStore& store = *argument.store;
            store.require_vector_layout();
            move_back(store);  // where it was another context that moved it
            if constexpr (!reads_slots<ArgT>) {
                store.recall();
            }
            view.base = store.values.data();
            view.block_step = static_cast<std::int64_t>(simd_lanes) / store.layout.block *
                              store.layout.block_stride;
            view.owned = store.set->owned;
            if constexpr (uses_derived<typename ArgT::DatT>) {
                resolve_derived(argument, view);
            }
            if (large_writes_ == LargeWrites::past_caches && is_large_write(argument)) {
                view.how.mode = StoreMode::streamed;
            }
            if constexpr (ArgT::is_indirect) {
                view.map = argument.map->targets.data();
                note_map(context, *argument.map);
            } else if constexpr (reads_slots<ArgT>) {
                view.slots = edge_data(context, store, ArgT::is_oriented);
            }
        }
    }

    /// In a chain, later loops may read what is derived of the block that this one has just changed.
    template <class ArgT>
    void resolve_derived(const ArgT& argument, BoundDat& view) {
        DatStore& store = *argument.store;
        store.after_exchange = &refresh_halo_rows<typename ArgT::DatT>;
        bool needs_derived = ArgT::is_derived;
        if constexpr (changes_derived<ArgT>()) {
            view.how.completes = use_ == LoopUse::in_chain || completes_rows(loop_.name, argument);
            needs_derived |= view.how.completes;
        } else if constexpr (ArgT::is_derived) {
            store.derived_demand.note_reader();
        }
        if (needs_derived && !store.derived_valid) {
            refresh_rows<typename ArgT::DatT>(store, 0);
            store.derived_valid = true;
        }
    }

    /// Arguments of one map come one after the other.
    void note_map(Context& context, const MapPart& map) {
        if (!LoopT::has_shared_change && noted_ != &map) {
            noted_ = &map;
            reads_through_maps_ = true;
            leads_far_ |= context.plans().leads_far(map, set().exec);
        }
    }

    const double* edge_data(Context& context, DatStore& store, bool oriented) const {
        if (context.begin_halo({&store})) {
            context.end_halo();  // the copy holds import-exec elements too
        }
        return context.plans().slot_copy(*plan_, store, oriented).values.data();
    }

    template <class Place, std::size_t... i>
    void place_temporaries(Place&& place, std::index_sequence<i...>) {
        (place_temporary(place, arg<i>(), views_[i]), ...);
    }

    template <class Place, class ArgT>
    void place_temporary(Place&& place, const ArgT& argument, BoundDat& view) {
        if constexpr (!ArgT::is_global) {
            if (argument.store->temporary) {
                constexpr bool only_adds = is_two_ended && ArgT::access == Access::inc &&
                                           is_shared_change<ArgT> &&
                                           !uses_derived<typename ArgT::DatT>;
                const TilePlace found = place(argument.store, only_adds);
                view.tile_offset = found.offset;
                view.starts_empty = found.is_empty;
                has_empty_sums_ |= found.is_empty;
            }
        }
    }

    static constexpr std::size_t places = arg_count > 0 ? arg_count : 1;
    const LoopT& loop_;
    LoopUse use_;
    LargeWrites large_writes_;
    ChangedColumns changed_;
    StrategyChoice choice_;
    const GatherPlan* plan_ = nullptr;
    const OncePlan* once_ = nullptr;
    const ScatterPlan* scatter_ = nullptr;
    const MapPart* noted_ = nullptr;
    bool has_empty_sums_ = false;
    bool reads_through_maps_ = false;
    bool leads_far_ = false;
    bool reads_targets_[places] = {};
    BoundDat views_[places];
};

}  // namespace halocline::detail
