// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop with everything found that its blocks need: the plan, and where each argument's values are.
#pragma once

#include <utility>

#include "halocline/backend/openmp/loop_binding.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/scatter_plan.hpp"

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

/// Whether a block that is written through the argument fills whole lines of a cache.
template <class Arg>
constexpr bool fills_lines() {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        using DatT = typename Arg::DatT;
        return is_full_row<DatT> || uses_lanes<DatT> || is_narrow<DatT> ||
               (are_adjacent_rows<DatT> && adjacent_rows_fill_lines<DatT::dim>);
    }
}

/// Whether an argument is read in the order of the plan: edge data of two-ended loops.
template <class LoopT, class Arg>
constexpr bool reads_slots() {
    return LoopT::has_shared_change && is_swap_symmetric<typename LoopT::Kernel> &&
           !Arg::is_global && !Arg::is_indirect && Arg::access == Access::read;
}

/// Of all arguments of a loop.
template <class LoopT>
inline constexpr const ArgBinding* arg_bindings = nullptr;
template <class Kernel, class Tag, class... Args>
inline constexpr ArgBinding arg_bindings<Loop<Kernel, Tag, Args...>>[sizeof...(Args) + 1] = {
    {fills_lines<Args>(), reads_slots<Loop<Kernel, Tag, Args...>, Args>()}..., {}};

/// Where a temporary lies in a thread's tile.
struct TilePlace {
    int offset;
    bool is_empty;  ///< what lies there counts for nothing yet
};

/// A `LoopBinding` with the loop itself.
template <class LoopT>
class BoundLoop : public LoopBinding {
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
        : LoopBinding(context, data_of(loop), use), loop_(loop) {
        bind_all(context, large_writes, Indices{});
    }

    [[nodiscard]] const LoopT& loop() const { return loop_; }
    [[nodiscard]] const typename LoopT::Kernel& kernel() const { return loop_.kernel; }
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
        return views_[i].reads_targets;
    }
    /// After the loop: derived values that did not follow are old.
    void note_derived_writes() {
        detail::note_derived_writes(loop_.name, loop_.uses,
                                    [&](std::size_t i) { return views_[i].how.completes; });
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
    void bind_all(Context& context, LargeWrites large_writes, std::index_sequence<i...>) {
        bind(context, arg_bindings<LoopT>, large_writes, views_);
        (resolve_derived<i>(), ...);
        if constexpr (LoopT::has_shared_change && is_two_ended) {
            bind_slots(context, arg_bindings<LoopT>, views_);
        }
    }

    /// In a chain, later loops may read what is derived of the block that this one has just changed.
    template <std::size_t i>
    void resolve_derived() {
        if constexpr (LoopT::by_type[i].has_derived) {
            using ArgT = Arg<i>;
            BoundDat& view = views_[i];
            DatStore& store = *arg<i>().store;
            store.after_exchange = &refresh_halo_rows<typename ArgT::DatT>;
            bool needs_derived = ArgT::is_derived;
            if constexpr (LoopT::by_type[i].changes_derived()) {
                view.how.completes =
                    use() == LoopUse::in_chain || completes_rows(loop_.name, loop_.uses[i]);
                needs_derived |= view.how.completes;
            } else if constexpr (ArgT::is_derived) {
                store.derived_demand.note_reader();
            }
            if (needs_derived && !store.derived_valid) {
                refresh_rows<typename ArgT::DatT>(store, 0);
                store.derived_valid = true;
            }
        }
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
    bool has_empty_sums_ = false;
    BoundDat views_[places];
};

}  // namespace halocline::detail
