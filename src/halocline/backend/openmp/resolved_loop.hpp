// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop with everything found that its blocks need: the plan, and where each argument's values are.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/loop/plan.hpp"

namespace halocline::detail {

/// How changes through maps reach their targets. gather: each target collects from its elements, any
/// number of threads, fusable. scatter: each element adds to its targets, one thread, no plan.
enum class Strategy { gather, scatter };

template <class ArgT>
inline constexpr bool is_indirect_change =
    !ArgT::is_global && ArgT::is_indirect && ArgT::access != Access::read;

/// Column of the map an argument goes through; -1 for globals.
template <class ArgT>
constexpr int slot_of() {
    if constexpr (ArgT::is_global) {
        return -1;
    } else {
        return ArgT::slot;
    }
}

/// Resolved once a loop call; then any thread may run any block.
template <class LoopT>
class ResolvedLoop {
public:
    using ArgTuple = typename LoopT::ArgTuple;
    static constexpr std::size_t arg_count = LoopT::arg_count;
    using Indices = std::make_index_sequence<arg_count>;
    template <std::size_t i>
    using Arg = std::tuple_element_t<i, ArgTuple>;

    /// Two-ended loops that look the same from both ends need only one end's target each.
    static constexpr bool is_two_ended = is_swap_symmetric<typename LoopT::Kernel>;

    ResolvedLoop(Context& context, const LoopT& loop, Strategy strategy) : loop_(loop) {
        resolve_columns(Indices{});
        resolve_target_reads(Indices{});
        if (LoopT::has_indirect_change && strategy == Strategy::gather) {
            plan_ = &context.plans().gather(*loop.set.part, *loop.target_set(), columns_);
        }
        resolve_views(context, Indices{});
    }

    [[nodiscard]] const LoopT& loop() const { return loop_; }
    [[nodiscard]] const typename LoopT::Kernel& kernel() const { return loop_.kernel; }
    [[nodiscard]] const SetPart& set() const { return *loop_.set.part; }
    [[nodiscard]] const GatherPlan& plan() const { return *plan_; }

    template <std::size_t i>
    [[nodiscard]] const Arg<i>& arg() const {
        return std::get<i>(loop_.args);
    }
    template <std::size_t i>
    [[nodiscard]] const DatView& view() const {
        return views_[i];
    }
    /// Whether the argument reads, through its map, the rows that the loop changes.
    template <std::size_t i>
    [[nodiscard]] bool reads_targets() const {
        return reads_targets_[i];
    }
    [[nodiscard]] bool has_one_column() const { return columns_.size() <= 1; }
    /// Which of the plan's columns the argument changes its targets through.
    template <std::size_t i>
    [[nodiscard]] int column() const {
        return column_of_[i];
    }

    /// Tells where the temporaries of a chain lie in each thread's tile.
    template <class Offset>
    void place_temporaries(Offset&& offset) {
        place_temporaries(offset, Indices{});
    }

private:
    template <std::size_t... i>
    void resolve_columns(std::index_sequence<i...>) {
        (resolve_column(arg<i>(), i), ...);
    }

    template <class ArgT>
    void resolve_column(const ArgT& argument, std::size_t i) {
        column_of_[i] = -1;
        if constexpr (is_indirect_change<ArgT>) {
            const MapColumn column{argument.map, ArgT::slot};
            if (is_two_ended && columns_.empty()) {
                columns_ = {{argument.map, 0}, {argument.map, 1}};  // orientation goes by column
            }
            const auto found = std::find(columns_.begin(), columns_.end(), column);
            column_of_[i] = static_cast<int>(found - columns_.begin());
            if (found == columns_.end()) {
                columns_.push_back(column);
            }
        }
    }

    template <std::size_t... i>
    void resolve_target_reads(std::index_sequence<i...>) {
        ((reads_targets_[i] = lies_in_target_block(arg<i>())), ...);
    }

    /// A loop with one column gathers eight targets at a time: what it reads through that column
    /// lies in one block.
    template <class ArgT>
    [[nodiscard]] bool lies_in_target_block(const ArgT& argument) const {
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            return columns_.size() == 1 && columns_.front() == MapColumn{argument.map, ArgT::slot};
        } else {
            return false;
        }
    }

    template <std::size_t... i>
    void resolve_views(Context& context, std::index_sequence<i...>) {
        (resolve_view(context, arg<i>(), views_[i]), ...);
    }

    template <class ArgT>
    void resolve_view(Context& context, const ArgT& argument, DatView& view) {
        if constexpr (!ArgT::is_global) {
            DatStore& store = *argument.store;
            validate<ContractError>(store.mode == LayoutMode::vector,
                                    "dat '" + store.name +
                                        "' has the plain layout, the openmp back end works on the "
                                        "vector layout. Create the mesh with its layout mode.");
            view.base = store.values.data();
            view.block_step = static_cast<std::int64_t>(simd_lanes) / store.layout.block *
                              store.layout.block_stride;
            view.owned = store.set->owned;
            if constexpr (uses_derived<typename ArgT::DatT>) {
                store.after_exchange = &refresh_halo_rows<typename ArgT::DatT>;
                if (!store.derived_valid) {
                    refresh_rows<typename ArgT::DatT>(store, 0);
                    store.derived_valid = true;
                }
            }
            if (store.values.size() * sizeof(double) > streamed_bytes &&
                ArgT::access == Access::write) {
                view.store_mode = StoreMode::streamed;
            }
            if constexpr (ArgT::is_indirect) {
                view.map = argument.map->targets.data();
            } else if constexpr (LoopT::has_indirect_change && ArgT::access == Access::read &&
                                 is_two_ended) {
                view.slots = edge_data(context, store, ArgT::is_oriented);
            }
        }
    }

    const double* edge_data(Context& context, DatStore& store, bool oriented) const {
        if (context.begin_halo({&store})) {
            context.end_halo();  // the copy holds import-exec elements too
        }
        return context.plans()
            .slot_copy(*plan_, store.id, store.raw(), store.version, oriented)
            .values.data();
    }

    template <class Offset, std::size_t... i>
    void place_temporaries(Offset&& offset, std::index_sequence<i...>) {
        (place_temporary(offset, arg<i>(), views_[i]), ...);
    }

    template <class Offset, class ArgT>
    void place_temporary(Offset&& offset, const ArgT& argument, DatView& view) {
        if constexpr (!ArgT::is_global) {
            if (argument.store->temporary) {
                view.tile_offset = offset(argument.store);
            }
        }
    }

    /// Dats beyond the size of a private cache are written past it: they would not stay until the next
    /// loop, and reading each line before it is overwritten costs as much as writing it.
    static constexpr std::size_t streamed_bytes = std::size_t{1} << 20;

    static constexpr std::size_t places = arg_count > 0 ? arg_count : 1;
    const LoopT& loop_;
    const GatherPlan* plan_ = nullptr;
    std::vector<MapColumn> columns_;
    int column_of_[places] = {};
    bool reads_targets_[places] = {};
    DatView views_[places];
};

}  // namespace halocline::detail
