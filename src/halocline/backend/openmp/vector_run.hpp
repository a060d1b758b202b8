// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One loop of the openmp back end, block by block: eight elements or eight targets at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "halocline/backend/around.hpp"
#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"
#include "halocline/backend/scalar.hpp"
#include "halocline/loop/slot_mirrors.hpp"

namespace halocline::detail {

/// How changes through maps reach their targets. gather: each target collects from its elements, any
/// number of threads, fusable. scatter: each element adds to its targets, one thread, no plan.
enum class Strategy { gather, scatter };

/// Where a two-ended gather is in the slot copies of its edges' data.
struct EdgeDataPlace {
    std::int64_t stored = 0;        ///< stored slots before this one
    std::int64_t mirror = 0;        ///< mirrors before this one
    std::uint32_t mirror_bits = 0;  ///< of this slot and the block's next ones

    [[nodiscard]] bool is_mirror() const { return (mirror_bits & 1U) != 0; }
    [[gnu::always_inline]] void advance() {
        const std::uint32_t bit = mirror_bits & 1U;
        mirror += bit;
        stored += 1U - bit;
        mirror_bits >>= 1;
    }
};

/// A loop made ready: plan, views and reductions resolved; then any thread runs any block.
template <class LoopT>
class VectorRun {
    using ArgTuple = typename LoopT::ArgTuple;
    static constexpr std::size_t arg_count = LoopT::arg_count;
    using Indices = std::make_index_sequence<arg_count>;
    template <std::size_t i>
    using Arg = std::tuple_element_t<i, ArgTuple>;

    template <class ArgT>
    static constexpr bool is_indirect_change =
        !ArgT::is_global && ArgT::is_indirect && ArgT::access != Access::read;

    /// Two-ended loops that look the same from both ends need only one end's target each.
    static constexpr bool is_two_ended = is_swap_symmetric<typename LoopT::Kernel>;

    template <class ArgT>
    static constexpr bool is_edge_data() {
        if constexpr (ArgT::is_global) {
            return false;
        } else {
            return is_two_ended && !ArgT::is_indirect && ArgT::access == Access::read;
        }
    }
    template <std::size_t... i>
    static constexpr bool any_edge_data(std::index_sequence<i...>) {
        return (is_edge_data<Arg<i>>() || ...);
    }
    static constexpr bool has_edge_data = any_edge_data(Indices{});

    /// How many slots ahead rows are fetched: about the latency of main memory.
    static constexpr LocalIndex prefetch_slots = 18;
    /// The same for slot copies, which always come from main memory on large meshes.
    static constexpr LocalIndex prefetch_copies = 24;
    static constexpr LocalIndex prefetch_blocks = 6;
    /// Dats beyond this size do not stay in caches until the next loop.
    static constexpr std::size_t streamed_bytes = std::size_t{6} << 20;

public:
    VectorRun(Context& context, const LoopT& loop, Strategy strategy = Strategy::gather)
        : loop_(loop),
          strategy_(strategy),
          reductions_(static_cast<std::size_t>(context.threads())) {
        resolve_columns(Indices{});
        resolve_target_reads(Indices{});
        if (LoopT::has_indirect_change && strategy_ == Strategy::gather) {
            plan_ = &context.plans().gather(*loop.set.part, *loop.target_set(), columns_);
        }
        resolve_views(context, Indices{});
    }

    [[nodiscard]] const LoopT& loop() const { return loop_; }

    /// Tells where the temporaries of a chain lie in each thread's tile.
    template <class Offset>
    void place_temporaries(Offset&& offset) {
        place_temporaries(offset, Indices{});
    }

    /// Adds up what changes the eight targets of block `b`.
    void gather_block(LocalIndex b, double* tiles) {
        const auto block = static_cast<std::size_t>(b);
        const LocalIndex begin = plan_->begin[block];
        const LocalIndex end = plan_->begin[block + 1];
        __builtin_prefetch(plan_->begin.data() + block + 256);
        __builtin_prefetch(plan_->full.data() + block + 256);
        if (begin == end) {
            return;
        }
        if constexpr (is_two_ended) {
            gather_two_ended(b, begin, begin + plan_->full[block], end, tiles, Indices{});
        } else {
            gather_general(b, begin, end, tiles, Indices{});
        }
    }

    /// Runs the eight elements of block `b`, keeping what they change directly and reduce.
    void direct_block(LocalIndex b, double* tiles, int thread) {
        direct_block(b, tiles, thread, Indices{});
    }

    /// Runs all elements in the order given (empty: as they lie), eight at a time, and adds to the
    /// targets lane by lane: each element once, for a single thread.
    void scatter(const std::vector<LocalIndex>& order) { scatter(order, Indices{}); }

    void finish(Context& context) {
        finish_reductions(context, Indices{});
        mark_changes(loop_);
    }

private:
    template <std::size_t i>
    const Arg<i>& arg() const {
        return std::get<i>(loop_.args);
    }

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
        ((reads_targets_[i] = reads_targets(arg<i>())), ...);
    }

    /// A loop with one column gathers eight targets at a time: what it reads through that column
    /// lies in one block.
    template <class ArgT>
    bool reads_targets(const ArgT& argument) const {
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
            }
            if (store.values.size() * sizeof(double) > streamed_bytes &&
                ArgT::access == Access::write) {
                view.store_mode = StoreMode::streamed;
            }
            if constexpr (ArgT::is_indirect) {
                view.map = argument.map->targets.data();
            } else if constexpr (LoopT::has_indirect_change && ArgT::access == Access::read &&
                                 is_two_ended) {
                if (context.begin_halo({&store})) {
                    context.end_halo();  // the copy holds import-exec elements too
                }
                const SlotCopy& copy = context.plans().slot_copy(*plan_, store.id, store.raw(),
                                                                 store.version, ArgT::is_oriented);
                view.slots = copy.values.data();
                view.mirrored = copy.mirrored.data();
                mirrors_ = copy.mirrors;
            }
        }
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

    // --- two-ended gather ---------------------------------------------------------------------

    template <std::size_t... i>
    [[gnu::noinline]] void gather_two_ended(LocalIndex b, LocalIndex begin, LocalIndex full_end,
                                            LocalIndex end, double* tiles,
                                            std::index_sequence<i...>) {
        std::tuple own{load_own<i>(b, tiles)...};
        std::tuple sums{load_sum<i>(b, tiles)...};
        EdgeDataPlace place;
        if constexpr (has_edge_data) {
            place.stored = mirrors_->stored_before[static_cast<std::size_t>(b)];
            place.mirror = begin - place.stored;
            place.mirror_bits = mirrors_->is_mirror[static_cast<std::size_t>(b)];
        }
        for (LocalIndex slot = begin; slot < full_end; ++slot) {
            two_ended_slot<false>(slot, place, own, sums, Indices{});
        }
        for (LocalIndex slot = full_end; slot < end; ++slot) {
            two_ended_slot<true>(slot, place, own, sums, Indices{});
        }
        (store_sum<i>(b, tiles, std::get<i>(sums)), ...);
    }

    template <bool ragged, class Own, class Sums, std::size_t... i>
    [[gnu::always_inline]] void two_ended_slot(LocalIndex slot, EdgeDataPlace& place,
                                               const Own& own, Sums& sums,
                                               std::index_sequence<i...>) {
        const auto& other = *static_cast<const RowOffsets*>(static_cast<const void*>(
            plan_->other.data() + static_cast<std::size_t>(slot) * simd_lanes));
        (prefetch<i>(slot, place), ...);
        std::tuple values{load_end<i>(place, other)...};
        place.advance();
        loop_.kernel(end_as_kernel_sees<i>(std::get<i>(values), own)...);
        const Mask used =
            ragged ? Mask::from_bits(plan_->used[static_cast<std::size_t>(slot)]) : Mask{};
        (add_end<i, ragged>(std::get<i>(sums), std::get<i>(values), used), ...);
    }

    /// The own end is passed where it lies: a copy a slot would cost as much as the arithmetic.
    template <std::size_t i, class Value, class Own>
    static decltype(auto) end_as_kernel_sees(Value& value, const Own& own) {
        if constexpr (is_own_read<Arg<i>>()) {
            return std::get<i>(own);
        } else if constexpr (Arg<i>::access == Access::read) {
            return std::as_const(value);
        } else {
            return (value);
        }
    }

    /// The lane's own end: loaded once a block.
    template <std::size_t i>
    [[gnu::always_inline]] auto load_own(LocalIndex b, double* tiles) const {
        using ArgT = Arg<i>;
        if constexpr (is_own_read<ArgT>()) {
            return load_block<ArgT>(views_[i].block(b, tiles));
        } else {
            return 0;
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] auto load_sum(LocalIndex b, double* tiles) const {
        using ArgT = Arg<i>;
        if constexpr (is_indirect_change<ArgT> && slot_of<ArgT>() == 0) {
            return load_block<ArgT>(views_[i].block(b, tiles));
        } else {
            return 0;
        }
    }

    template <std::size_t i, class Sum>
    [[gnu::always_inline]] void store_sum(LocalIndex b, double* tiles, const Sum& sum) const {
        using ArgT = Arg<i>;
        if constexpr (is_indirect_change<ArgT> && slot_of<ArgT>() == 0) {
            store_block<ArgT>(views_[i].block(b, tiles), sum, lanes_of(views_[i], b));
        }
    }

    template <class ArgT>
    static constexpr int slot_of() {
        if constexpr (ArgT::is_global) {
            return -1;
        } else {
            return ArgT::slot;
        }
    }

    template <class ArgT>
    static constexpr bool is_own_read() {
        return slot_of<ArgT>() == 0 && ArgT::access == Access::read;
    }

    template <std::size_t i>
    [[gnu::always_inline]] void prefetch(LocalIndex slot, const EdgeDataPlace& place) const {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read &&
                      slot_of<ArgT>() == 1) {
            const std::int64_t ahead =
                std::min<std::int64_t>(slot + prefetch_slots, plan_->slots() - 1);
            prefetch_rows<typename ArgT::DatT>(views_[i].base,
                                               plan_->other.data() + ahead * simd_lanes);
        } else if constexpr (!ArgT::is_global && !ArgT::is_indirect) {
            constexpr std::int64_t slot_values = ArgT::size * simd_lanes;
            const double* ahead = views_[i].slots + (place.stored + prefetch_copies) * slot_values;
            for (int d = 0; d < ArgT::size; ++d) {
                __builtin_prefetch(ahead + d * simd_lanes);
            }
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] auto load_end(const EdgeDataPlace& place,
                                         const RowOffsets& other) const {
        using ArgT = Arg<i>;
        if constexpr (is_own_read<ArgT>()) {
            return 0;
        } else if constexpr (ArgT::is_global) {
            return load_global<i>();
        } else if constexpr (ArgT::access != Access::read) {
            return no_increments<ArgT>();
        } else if constexpr (ArgT::is_indirect) {
            return load_at_rows<ArgT>(views_[i].base, other);
        } else {
            return load_edge_data<ArgT>(views_[i], place);
        }
    }

    /// What a slot has stored, or what its edges have stored where their other ends are.
    template <class ArgT>
    [[gnu::always_inline]] static Values<Pack, ArgT::size> load_edge_data(
        const DatView& view, const EdgeDataPlace& place) {
        Values<Pack, ArgT::size> values;
        const double* base = view.slots;
        if (!place.is_mirror()) {
            for (int d = 0; d < ArgT::size; ++d) {
                values[d] = Pack::load(base + (place.stored * ArgT::size + d) * simd_lanes);
            }
            return values;
        }
        const std::uint32_t* at = view.mirrored + place.mirror * simd_lanes;
        const double* lanes[simd_lanes];
        for (int lane = 0; lane < simd_lanes; ++lane) {
            lanes[lane] = base + at[lane];
        }
        for (int d = 0; d < ArgT::size; ++d) {
            const int k = d * simd_lanes;
            const Pack seen(Pack::Vector{lanes[0][k], lanes[1][k], lanes[2][k], lanes[3][k],
                                         lanes[4][k], lanes[5][k], lanes[6][k], lanes[7][k]});
            values[d] = ArgT::is_oriented ? -seen : seen;
        }
        return values;
    }

    template <std::size_t i>
    [[gnu::always_inline]] Values<Pack, Arg<i>::size> load_global() const {
        using ArgT = Arg<i>;
        Values<Pack, ArgT::size> values;
        for (int d = 0; d < ArgT::size; ++d) {
            values[d] = Pack(ArgT::access == Access::inc ? no_increment : (*arg<i>().value)[d]);
        }
        return values;
    }

    template <class ArgT>
    [[gnu::always_inline]] static Values<Pack, ArgT::size> no_increments() {
        Values<Pack, ArgT::size> values;
        for (int d = 0; d < ArgT::size; ++d) {
            values[d] = Pack(no_increment);
        }
        return values;
    }

    template <std::size_t i, bool ragged, class Sum, class Value>
    [[gnu::always_inline]] static void add_end(Sum& sum, const Value& values, Mask used) {
        using ArgT = Arg<i>;
        if constexpr (is_indirect_change<ArgT> && slot_of<ArgT>() == 0) {
            static_assert(ArgT::access == Access::inc, "two-ended kernels increment their ends");
            for (int d = 0; d < ArgT::size; ++d) {
                sum[d] = ragged ? select(used, sum[d] + values[d], sum[d]) : sum[d] + values[d];
            }
        }
    }

    // --- general gather -----------------------------------------------------------------------

    template <std::size_t... i>
    [[gnu::noinline]] void gather_general(LocalIndex b, LocalIndex begin, LocalIndex end,
                                          double* tiles, std::index_sequence<i...>) {
        const std::int64_t last = plan_->slots() - 1;
        for (LocalIndex slot = begin; slot < end; ++slot) {
            const std::size_t entry = static_cast<std::size_t>(slot) * simd_lanes;
            const std::int64_t ahead = std::min<std::int64_t>(slot + prefetch_slots, last);
            (prefetch_general<i>(plan_->element.data() + ahead * simd_lanes), ...);
            const Mask used = Mask::from_bits(plan_->used[static_cast<std::size_t>(slot)]);
            std::tuple values{load_general<i>(b, plan_->element.data() + entry, tiles)...};
            loop_.kernel(as_kernel_sees<i>(std::get<i>(values))...);
            (add_general<i>(b, entry, tiles, std::get<i>(values), used), ...);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] void prefetch_general(const LocalIndex* elements) const {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect && ArgT::access == Access::read) {
            prefetch_elements<typename ArgT::DatT>(views_[i].base, elements);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] Values<Pack, Arg<i>::size> load_general(LocalIndex b,
                                                                   const LocalIndex* elements,
                                                                   double* tiles) const {
        using ArgT = Arg<i>;
        if constexpr (is_indirect_change<ArgT> && ArgT::access != Access::inc) {
            return load_block<ArgT>(views_[i].block(b, tiles));
        } else {
            if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
                if (reads_targets_[i]) {
                    return load_block<ArgT>(views_[i].block(b, tiles));
                }
            }
            return load_values<i>(0, elements, tiles, false);
        }
    }

    /// Lanes whose entry came through this argument's column change its target.
    template <std::size_t i>
    [[gnu::always_inline]] void add_general(LocalIndex b, std::size_t entry, double* tiles,
                                            const Values<Pack, Arg<i>::size>& values,
                                            Mask used) const {
        using ArgT = Arg<i>;
        if constexpr (is_indirect_change<ArgT>) {
            if (columns_.size() > 1) {
                for (int lane = 0; lane < simd_lanes; ++lane) {
                    const bool mine =
                        plan_->column[entry + static_cast<std::size_t>(lane)] == column_of_[i];
                    used.lanes[lane] &= mine ? -1 : 0;
                }
            }
            double* memory = views_[i].block(b, tiles);
            Values<Pack, ArgT::size> target = load_block<ArgT>(memory);
            for (int d = 0; d < ArgT::size; ++d) {
                target[d] = select(used, combine<ArgT::access>(target[d], values[d]), target[d]);
            }
            store_block<ArgT>(memory, target, lanes_of(views_[i], b));
        }
    }

    template <Access access>
    static Pack combine(Pack target, Pack value) {
        if constexpr (access == Access::inc) {
            return target + value;
        } else {
            return extreme<access == Access::min>(target, value);
        }
    }

    // --- direct -------------------------------------------------------------------------------

    template <std::size_t... i>
    void direct_block(LocalIndex b, double* tiles, int thread, std::index_sequence<i...>) {
        const LocalIndex owned = loop_.set.part->owned;
        const int lanes = std::min(simd_lanes, owned - b * simd_lanes);
        LocalIndex element[simd_lanes];
        for (int lane = 0; lane < simd_lanes; ++lane) {
            element[lane] = std::min(b * simd_lanes + lane, owned - 1);
        }
        (prefetch_direct<i>(b), ...);
        std::tuple values{load_values<i>(b, element, tiles, true)...};
        loop_.kernel(as_kernel_sees<i>(std::get<i>(values))...);
        (store_direct<i>(b, tiles, std::get<i>(values), lanes), ...);
        const Mask active = Mask::first(lanes);
        auto& reductions = reductions_[static_cast<std::size_t>(thread)].parts;
        (std::get<i>(reductions).add(std::get<i>(values), active), ...);
    }

    // --- scatter ------------------------------------------------------------------------------

    template <std::size_t... i>
    void scatter(const std::vector<LocalIndex>& order, std::index_sequence<i...>) {
        const LocalIndex count = loop_.set.part->exec;
        for (LocalIndex first = 0; first < count; first += simd_lanes) {
            const int lanes = std::min(simd_lanes, count - first);
            LocalIndex element[simd_lanes];
            for (int lane = 0; lane < simd_lanes; ++lane) {
                const LocalIndex k = std::min(first + lane, count - 1);
                element[lane] = order.empty() ? k : order[static_cast<std::size_t>(k)];
            }
            std::tuple values{load_values<i>(0, element, nullptr, false)...};
            loop_.kernel(as_kernel_sees<i>(std::get<i>(values))...);
            for (int lane = 0; lane < lanes; ++lane) {
                (store_lane<i>(element[lane], lane, std::get<i>(values)), ...);
            }
            const Mask owned = owned_lanes(element) & Mask::first(lanes);
            auto& reductions = reductions_.front().parts;
            (std::get<i>(reductions).add(std::get<i>(values), owned), ...);
        }
    }

    [[nodiscard]] Mask owned_lanes(const LocalIndex (&element)[simd_lanes]) const {
        std::int64_t lanes[simd_lanes];
        for (int lane = 0; lane < simd_lanes; ++lane) {
            lanes[lane] = element[lane] < loop_.set.part->owned ? -1 : 0;
        }
        Mask mask;
        std::memcpy(&mask.lanes, lanes, sizeof lanes);
        return mask;
    }

    template <std::size_t i>
    void store_lane(LocalIndex element, int lane, const Values<Pack, Arg<i>::size>& values) const {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::access != Access::read) {
            const LocalIndex target = element_of(arg<i>(), element);
            DatStore& store = *arg<i>().store;
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

    /// What a later block reads.
    template <std::size_t i>
    [[gnu::always_inline]] void prefetch_direct(LocalIndex b) const {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            const LocalIndex first = (b + prefetch_blocks) * simd_lanes;
            if (first + simd_lanes <= loop_.set.part->owned) {
                LocalIndex target[simd_lanes];
                for (int lane = 0; lane < simd_lanes; ++lane) {
                    target[lane] =
                        views_[i].map[static_cast<std::int64_t>(first + lane) * ArgT::MapT::arity +
                                      ArgT::slot];
                }
                prefetch_elements<typename ArgT::DatT>(views_[i].base, target);
            }
        } else if constexpr (!ArgT::is_global && ArgT::access != Access::write) {
            if (views_[i].tile_offset < 0) {
                prefetch_block<ArgT>(views_[i].base +
                                     (std::int64_t{b} + prefetch_blocks) * views_[i].block_step);
            }
        }
    }

    /// Arguments of eight elements; `whole_block`: they are block `b` of the loop's own set.
    template <std::size_t i>
    [[gnu::always_inline]] Values<Pack, Arg<i>::size> load_values(LocalIndex b,
                                                                  const LocalIndex* element,
                                                                  double* tiles,
                                                                  bool whole_block) const {
        using ArgT = Arg<i>;
        if constexpr (ArgT::is_global) {
            return load_global<i>();
        } else if constexpr (ArgT::access == Access::inc || ArgT::access == Access::write) {
            return no_increments<ArgT>();
        } else if constexpr (!ArgT::is_indirect) {
            return whole_block ? load_block<ArgT>(views_[i].block(b, tiles))
                               : load_at<ArgT>(views_[i].base, element);
        } else {
            LocalIndex target[simd_lanes];
            for (int lane = 0; lane < simd_lanes; ++lane) {
                target[lane] =
                    views_[i].map[static_cast<std::int64_t>(element[lane]) * ArgT::MapT::arity +
                                  ArgT::slot];
            }
            return load_at<ArgT>(views_[i].base, target);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] void store_direct(LocalIndex b, double* tiles,
                                             const Values<Pack, Arg<i>::size>& values,
                                             int lanes) const {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect && ArgT::access != Access::read) {
            double* memory = views_[i].block(b, tiles);
            if constexpr (ArgT::access == Access::inc) {
                Values<Pack, ArgT::size> sum = load_block<ArgT>(memory);
                for (int d = 0; d < ArgT::size; ++d) {
                    sum[d] += values[d];
                }
                store_block<ArgT>(memory, sum, lanes);
            } else {
                store_block<ArgT>(memory, values, lanes, views_[i].store_mode);
            }
        }
    }

    template <std::size_t i>
    static decltype(auto) as_kernel_sees(Values<Pack, Arg<i>::size>& values) {
        if constexpr (Arg<i>::access == Access::read) {
            return std::as_const(values);
        } else {
            return (values);
        }
    }

    static int lanes_of(const DatView& view, LocalIndex b) {
        return std::min(simd_lanes, view.owned - b * simd_lanes);
    }

    template <std::size_t... i>
    void finish_reductions(Context& context, std::index_sequence<i...>) {
        ScalarReductions<ArgTuple> total;
        for (auto& thread : reductions_) {
            (std::get<i>(thread.parts).finish(std::get<i>(total)), ...);
        }
        (finish_reduction(context.comm(), arg<i>(), std::get<i>(total)), ...);
    }

    struct alignas(128) ThreadReductions {
        typename PackReductionsOf<ArgTuple>::type parts;
    };

    const LoopT& loop_;
    Strategy strategy_;
    const GatherPlan* plan_ = nullptr;
    const SlotMirrors* mirrors_ = nullptr;  ///< of the data on the edges of a two-ended loop
    std::vector<MapColumn> columns_;
    int column_of_[arg_count > 0 ? arg_count : 1] = {};
    bool reads_targets_[arg_count > 0 ? arg_count : 1] = {};  ///< reads the rows it changes
    DatView views_[arg_count > 0 ? arg_count : 1];
    std::vector<ThreadReductions> reductions_;
};

}  // namespace halocline::detail
