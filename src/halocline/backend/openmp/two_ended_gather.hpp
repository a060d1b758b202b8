// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over edges whose kernel is symmetric in both ends: a pack of nodes walks its edges, slot by slot.
#pragma once

#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

/// The kernel computes the lane's own end; the other end's increment is dropped and computed again
/// there. Everything that a slot loads is inlined by force: the speed of a solver hangs on it.
template <class LoopT>
class TwoEndedGather {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

    /// How many slots ahead rows are fetched: about the latency of main memory.
    static constexpr LocalIndex prefetch_slots = 32;
    /// The same for slot copies, which always come from main memory on large meshes.
    static constexpr LocalIndex prefetch_copies = 48;

public:
    /// Adds up what changes the nodes of blocks. One function for all of them: what it reads of `run` stays
    /// in registers, and a call a block would cost a tenth of an edge flux.
    [[gnu::noinline, gnu::flatten]] static void blocks(const Run& run, LocalIndex begin,
                                                       LocalIndex end, Tiles tiles) {
        const GatherPlan& plan = run.plan();
        for (LocalIndex b = begin; b < end; ++b) {
            const BlockSlots slots = slots_of_block(plan, b);
            if (slots.begin == slots.end && !run.has_empty_sums()) {
                continue;
            }
            const LocalIndex* full = plan.full.data() + b;
            __builtin_prefetch(full + 256);
            const LocalIndex full_end = slots.begin + *full;
            for_each_pack(b, plan.targets, [&](PackPlace place) {
                gather(run, place, slots.begin, full_end, slots.end, tiles.of(b - begin),
                       Indices{});
            });
        }
    }

private:
    /// Of one pack, whose block's slots are [begin, end).
    template <std::size_t... i>
    [[gnu::always_inline]] static void gather(const Run& run, PackPlace place, LocalIndex begin,
                                              LocalIndex full_end, LocalIndex end, double* tiles,
                                              std::index_sequence<i...>) {
        Tuple own{load_own<i>(run, place, tiles)...};
        Tuple sums{load_sum<i>(run, place, tiles)...};
        for (LocalIndex slot = begin; slot < full_end; ++slot) {
            add_slot(run, place, slot, own, sums, Mask{}, Full{}, Indices{});
        }
        for (LocalIndex slot = full_end; slot < end; ++slot) {
            const unsigned bits = used_lanes(run.plan(), slot, place);
            if (bits == 0) {
                break;  // other packs of the block have more
            }
            add_slot(run, place, slot, own, sums, Mask::from_bits(bits), Ragged{}, Indices{});
        }
        (store_sum<i>(run, place, tiles, get<i>(sums)), ...);
    }

    /// Whether every lane has an edge in a slot.
    using Full = std::false_type;
    using Ragged = std::true_type;

    template <bool ragged, class Own, class Sums, std::size_t... i>
    [[gnu::always_inline]] static void add_slot(const Run& run, PackPlace place, LocalIndex slot,
                                                const Own& own, Sums& sums, Mask used,
                                                std::bool_constant<ragged>,
                                                std::index_sequence<i...>) {
        const OtherEnds other(run.plan(), slot, place.lane());
        (prefetch<i>(run, place, slot), ...);
        Tuple values{load_end<i>(run, place, slot, other)...};
        run.kernel()(end_as_kernel_sees<i>(get<i>(values), own)...);
        sums = Sums{with_end<i, ragged>(get<i>(sums), get<i>(values), used)...};
    }

    /// Where the other ends of a pack's edges lie.
    class OtherEnds {
    public:
        [[gnu::always_inline]] OtherEnds(const GatherPlan& plan, std::int64_t slot, int lane)
            : run_(plan.run[static_cast<std::size_t>(slot)]),
              lane_(lane),
              rows_(plan.other.data() + std::int64_t{~run_} * simd_lanes + lane) {}

        [[nodiscard]] bool follow_each_other() const { return run_ >= 0; }
        /// Of the pack's first lane, where they do.
        [[nodiscard]] LocalIndex first() const { return run_ + lane_; }
        /// Row offsets, where they do not.
        [[nodiscard]] const std::uint32_t* rows() const { return rows_; }

    private:
        LocalIndex run_;
        int lane_;
        const std::uint32_t* rows_;  ///< where they do not
    };

    /// Edge data in slot order.
    template <class ArgT>
    static const typename ArgT::Stored* slots_of(const BoundDat& view) {
        return reinterpret_cast<const typename ArgT::Stored*>(view.slots);
    }

    template <class ArgT>
    static constexpr bool is_own_read() {
        return slot_of<ArgT>() == 0 && ArgT::access == Access::read;
    }
    template <class ArgT>
    static constexpr bool is_own_sum() {
        return is_shared_change<ArgT> && slot_of<ArgT>() == 0;
    }

    /// The own end is passed where it lies: a copy a slot would cost as much as the arithmetic.
    template <std::size_t i, class Value, class Own>
    static decltype(auto) end_as_kernel_sees(Value& value, const Own& own) {
        if constexpr (is_own_read<Arg<i>>()) {
            return get<i>(own);
        } else if constexpr (Arg<i>::access == Access::read) {
            return std::as_const(value);
        } else {
            return (value);
        }
    }

    /// The lane's own end: loaded once a block.
    template <std::size_t i>
    [[gnu::always_inline]] static auto load_own(const Run& run, PackPlace place, double* tiles) {
        using ArgT = Arg<i>;
        if constexpr (is_own_read<ArgT>()) {
            return load_block<ArgT>(block_of<ArgT>(run.template view<i>(), place.block, tiles),
                                    place.lane());
        } else {
            return 0;
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static auto load_sum(const Run& run, PackPlace place, double* tiles) {
        using ArgT = Arg<i>;
        if constexpr (is_own_sum<ArgT>()) {
            const BoundDat& view = run.template view<i>();
            return view.starts_empty
                       ? no_change<ArgT>()
                       : load_block<ArgT>(block_of<ArgT>(view, place.block, tiles), place.lane());
        } else {
            return 0;
        }
    }

    /// Stores a copy, value by value. g++ would keep the sum itself in memory and store it after every
    /// slot, and these stores wait behind those that go past the caches.
    template <std::size_t i, class Sum>
    [[gnu::always_inline]] static void store_sum(const Run& run, PackPlace place, double* tiles,
                                                 const Sum& sum) {
        using ArgT = Arg<i>;
        if constexpr (is_own_sum<ArgT>()) {
            const BoundDat& view = run.template view<i>();
            const auto copy = make_values<ValueOf<typename ArgT::Stored, Pack>, ArgT::size>(
                [&](int d) { return sum[d]; });
            store_block<ArgT>(block_of<ArgT>(view, place.block, tiles), place.lane(), copy,
                              view.starts_empty ? pack_lanes : lanes_of(view, place), view.how);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch(const Run& run, PackPlace place, LocalIndex slot) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read &&
                      slot_of<ArgT>() == 1) {
            const GatherPlan& plan = run.plan();
            const OtherEnds ahead(
                plan, smaller<std::int64_t>(slot + prefetch_slots, plan.slots() - 1), place.lane());
            if (is_narrow<typename ArgT::DatT> && (!plan.leads_far || ahead.follow_each_other())) {
                return;  // hardware has them, and asking costs more than the loop
            }
            const auto* base = base_of<ArgT>(run.template view<i>());
            if (ahead.follow_each_other()) {
                prefetch_run<typename ArgT::DatT>(base, ahead.first());
            } else {
                prefetch_rows<typename ArgT::DatT>(base, ahead.rows());
            }
        } else if constexpr (!ArgT::is_global && !ArgT::is_indirect) {
            if (place.lane() != 0) {
                return;  // the block's first pack asked for whole cache lines
            }
            constexpr std::int64_t slot_values = ArgT::size * simd_lanes;
            constexpr std::int64_t values_a_line = 64 / sizeof(typename ArgT::Stored);
            const auto* ahead = slots_of<ArgT>(run.template view<i>()) +
                                (std::int64_t{slot} + prefetch_copies) * slot_values;
            for (std::int64_t first = 0; first < slot_values; first += values_a_line) {
                __builtin_prefetch(ahead + first, 0, 2);
            }
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static auto load_end(const Run& run, PackPlace place, LocalIndex slot,
                                                const OtherEnds& other) {
        using ArgT = Arg<i>;
        if constexpr (is_own_read<ArgT>()) {
            return 0;
        } else if constexpr (ArgT::is_global) {
            return load_global(run.template arg<i>());
        } else if constexpr (ArgT::access != Access::read) {
            return no_change<ArgT>();
        } else if constexpr (ArgT::is_indirect) {
            const auto* base = base_of<ArgT>(run.template view<i>());
            return other.follow_each_other() ? load_run<ArgT>(base, other.first())
                                             : load_at_rows<ArgT>(base, other.rows());
        } else {
            const auto* memory = slots_of<ArgT>(run.template view<i>()) +
                                 static_cast<std::size_t>(slot) * ArgT::size * simd_lanes;
            return make_values<ValueOf<typename ArgT::Stored, Pack>, ArgT::size>(
                [&](int d) { return load_column(memory + d * simd_lanes + place.lane()); });
        }
    }

    /// A sum with one slot more.
    template <std::size_t i, bool ragged, class Sum, class Value>
    [[gnu::always_inline]] static Sum with_end(const Sum& sum, const Value& values, Mask used) {
        using ArgT = Arg<i>;
        if constexpr (is_own_sum<ArgT>()) {
            return make_values<ValueOf<typename ArgT::Stored, Pack>, ArgT::size>([&](int d) {
                const auto joined = join<ArgT>(sum[d], values[d]);
                return ragged ? select(used, joined, sum[d]) : joined;
            });
        } else {
            return sum;
        }
    }

    template <class ArgT, class Value>
    [[gnu::always_inline]] static Value join(const Value& sum, const Value& value) {
        if constexpr (ArgT::access == Access::inc) {
            return stored_sum<typename ArgT::Stored>(sum, value);
        } else {
            return extreme<ArgT::access == Access::min>(sum, value);
        }
    }

    /// What an edge's change of an end starts from.
    template <class ArgT>
    [[gnu::always_inline]] static auto no_change() {
        using Value = ValueOf<typename ArgT::Stored, Pack>;
        if constexpr (ArgT::access == Access::inc) {
            return no_increments<ArgT>();
        } else {
            return make_values<Value, ArgT::size>(
                [](int) { return no_extreme<Value, ArgT::access == Access::min>(); });
        }
    }
};

}  // namespace halocline::detail
