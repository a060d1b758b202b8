// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One target of a chain: gathers what its rows bring, then runs the loops over the target itself.
// The order of every sum is that of the serial back end, so the bits are, too.
#pragma once

#include "halocline/backend/device/kernels/contributions.hpp"
#include "halocline/backend/device/kernels/target_access.hpp"
#include "halocline/loop/extreme_keys.hpp"

namespace halocline::device {

template <class... Loops>
class TargetRun {
    using View = ChainView<Loops...>;
    using Stage = StagedChain<Loops...>;

public:
    HALOCLINE_HD TargetRun(const View& view, LocalIndex target, const Stage& stage,
                           Contributions<Loops...>& out)
        : view_(view), target_(target), stage_(stage), out_(out), access_(target, stage) {}

    /// Starts the loads that need nothing but the target's number, of what no loop changes.
    HALOCLINE_HD void prepare() { prepare_loops(typename View::Indices{}); }
    /// The stage is there.
    HALOCLINE_HD void run() { run_loops(typename View::Indices{}); }

private:
    struct RowHead {
        LocalIndex slot = 0;  ///< first one, in the tile
        int length = 0;
    };
    template <std::size_t... l>
    HALOCLINE_HD void prepare_loops(std::index_sequence<l...>) {
        (prepare_loop(get<l>(view_.loops), heads_[l]), ...);
    }
    template <class LoopT>
    HALOCLINE_HD void prepare_loop(const LoopView<LoopT>& loop, RowHead& head) const {
        if constexpr (Stage::any && !LoopT::has_indirect_change) {
            prefetch_direct(loop, typename LoopView<LoopT>::Indices{});
        }
        if constexpr (LoopT::has_indirect_change) {
            head.length = loop.rows.length[target_];
        }
        if constexpr (is_staged<LoopT>) {
            head.slot = loop.rows.begin[target_ / slice] - loop.rows.tiles[target_ / tile].slot;
        }
    }

    /// Columns that are read after the walk through the rows: too many for registers till then.
    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void prefetch_direct(const LoopView<LoopT>& loop,
                                      std::index_sequence<a...>) const {
        (prefetch_arg<typename LoopView<LoopT>::template Arg<a>>(get<a>(loop.args)), ...);
    }
    template <class Arg>
    HALOCLINE_HD void prefetch_arg(const ArgView<Arg>& arg) const {
        if constexpr (!Arg::is_global) {
            constexpr bool reads = Arg::access == Access::read || Arg::access == Access::read_write;
            if constexpr (reads && !Arg::is_indirect &&
                          shape_of<typename Arg::DatT>() == Shape::columns) {
                const LocalIndex lane = target_ % slice;  // which has one component of the slice's
                if (lane < Arg::size) {
                    const std::int64_t first =
                        place_of<typename Arg::DatT>(arg.stride, target_ - lane, lane);
                    using T = typename Arg::Stored;
                    Gpu::prefetch(reinterpret_cast<const T*>(arg.values) + first,
                                  slice * sizeof(T));
                }
            }
        }
    }

    template <std::size_t... l>
    HALOCLINE_HD void run_loops(std::index_sequence<l...>) {
        access_.clear_temporaries();
        (run_loop<l>(get<l>(view_.loops), get<l>(out_.of)), ...);
    }

    template <std::size_t l, class LoopT>
    HALOCLINE_HD void run_loop(const LoopView<LoopT>& loop, LoopContributions<LoopT>& out) {
        using Indices = typename LoopView<LoopT>::Indices;
        if constexpr (!LoopT::has_indirect_change) {
            run_direct(loop, out, Indices{});
        } else {
            static_assert(!LoopContributions<LoopT>::any,
                          "a loop that changes dats through maps has no reductions on a device");
            // Loops over boundaries reach few targets: the others' values stay where they are.
            if (!is_staged<LoopT> && heads_[l].length == 0) {
                return;
            }
            detail::GatheredOf<LoopT> gathered;
            access_.load_gathered(loop, gathered, Indices{});
            if constexpr (is_staged<LoopT>) {
                run_two_ended(loop, stage_.template stage<l>(), heads_[l], gathered, Indices{});
            } else {
                run_gather(loop, heads_[l].length, gathered, Indices{});
            }
            access_.store_gathered(loop, gathered, Indices{});
        }
    }

    // The loop's own element.

    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void run_direct(const LoopView<LoopT>& loop, LoopContributions<LoopT>& out,
                                 std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        Tuple<Values<double, L::template Arg<a>::size>...> values;
        ((get<a>(values) =
              access_.template load<typename L::template Arg<a>>(get<a>(loop.args), target_)),
         ...);
        loop.kernel(
            halocline::detail::as_kernel_sees<typename L::template Arg<a>>(get<a>(values))...);
        (access_.template store<typename L::template Arg<a>>(get<a>(loop.args), get<a>(values)),
         ...);
        (contribute<typename L::template Arg<a>>(get<a>(out.of), get<a>(values)), ...);
    }

    template <class Arg>
    HALOCLINE_HD static void contribute(Contribution<Arg>& out,
                                        const Values<double, Arg::size>& values) {
        if constexpr (is_reduction<Arg>) {
            out.values = values;
        }
    }

    // Elements that reach the target through maps.

    /// Each end of an edge by itself: the target is the first end, whatever the map says; oriented
    /// vectors come negated where it is the second.
    template <class LoopT, class LoopStage, class Gathered, std::size_t... a>
    HALOCLINE_HD void run_two_ended(const LoopView<LoopT>& loop, const LoopStage& stage,
                                    const RowHead& head, Gathered& gathered,
                                    std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        Tuple<Values<double, L::template Arg<a>::size>...> values;
        (load_own_end<a, LoopT>(get<a>(loop.args), stage, get<a>(values)), ...);
        const LocalIndex lane = target_ % slice;
        for (int s = 0; s < head.length; ++s) {
            const EntryPlaces places = stage.entry(head.slot + s, lane);
            (load_entry<a, LoopT>(get<a>(loop.args), stage, places, get<a>(values)), ...);
            loop.kernel(
                halocline::detail::as_kernel_sees<typename L::template Arg<a>>(get<a>(values))...);
            (add_own_end<typename L::template Arg<a>>(get<a>(values), gathered), ...);
        }
    }

    template <std::size_t a, class LoopT, class Arg, class LoopStage>
    HALOCLINE_HD void load_own_end(const ArgView<Arg>& arg, const LoopStage& stage,
                                   Values<double, Arg::size>& values) {
        if constexpr (Arg::is_global) {
            values = access_.template load<Arg>(arg, target_);
        } else if constexpr (detail::reads_end<Arg, 0>()) {
            values =
                stage.template target<TwoEndedArgs<LoopT>::template other_end<a>()>(target_ % tile);
        }
    }

    template <std::size_t a, class LoopT, class Arg, class LoopStage>
    HALOCLINE_HD void load_entry(const ArgView<Arg>&, const LoopStage& stage,
                                 const EntryPlaces& places, Values<double, Arg::size>& values) {
        if constexpr (Arg::access == Access::inc) {
            values = access_.template nothing<Arg>();
        } else if constexpr (is_extreme<Arg>) {
            values = no_extreme_of<Arg>();
        } else if constexpr (detail::reads_end<Arg, 1>()) {
            values = stage.template target<a>(places.other);
        } else if constexpr (comes_in_row_order<LoopT, Arg>) {
            values = stage.template value<a>(places.value);
            for (int d = 0; d < Arg::size; ++d) {
                const bool negated = Arg::is_oriented && places.is_from_second_end;
                values[d] = negated ? -values[d] : values[d];
            }
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD void add_own_end(const Values<double, Arg::size>& values, Gathered& gathered) {
        if constexpr (Arg::access == Access::inc || is_extreme<Arg>) {
            if constexpr (Arg::slot == 0) {
                join_values<Arg>(access_.template sum_of<typename Arg::DatT>(gathered), values);
            }
        }
    }

    template <class LoopT, class Gathered, std::size_t... a>
    HALOCLINE_HD void run_gather(const LoopView<LoopT>& loop, int length, Gathered& gathered,
                                 std::index_sequence<a...>) {
        using L = LoopView<LoopT>;
        const LocalIndex lane = target_ % slice;
        const LocalIndex first = length > 0 ? loop.rows.begin[target_ / slice] : 0;
        for (int s = 0; s < length; ++s) {
            const std::int64_t entry = (std::int64_t{first} + s) * slice + lane;
            const LocalIndex element = loop.rows.element[entry];
            const LocalIndex column = loop.rows.column == nullptr ? 0 : loop.rows.column[entry];
            Tuple<Values<double, L::template Arg<a>::size>...> values;
            ((get<a>(values) = load_at<typename L::template Arg<a>>(get<a>(loop.args), element,
                                                                    column, gathered)),
             ...);
            loop.kernel(
                halocline::detail::as_kernel_sees<typename L::template Arg<a>>(get<a>(values))...);
            (join<typename L::template Arg<a>>(get<a>(loop.args), get<a>(values), column, gathered),
             ...);
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD Values<double, Arg::size> load_at(const ArgView<Arg>& arg, LocalIndex element,
                                                   LocalIndex column, Gathered& gathered) {
        if constexpr (is_extreme<Arg>) {
            if (arg.column == column) {
                return access_.template sum_of<typename Arg::DatT>(gathered);
            }
            return no_extreme_of<Arg>();  // another target's, which its own thread computes
        } else {
            return access_.template load<Arg>(arg, element);
        }
    }

    template <class Arg, class Gathered>
    HALOCLINE_HD void join(const ArgView<Arg>& arg, const Values<double, Arg::size>& values,
                           LocalIndex column, Gathered& gathered) {
        if constexpr (Arg::is_indirect && Arg::access != Access::read) {
            if (arg.column != column) {
                return;
            }
            join_values<Arg>(access_.template sum_of<typename Arg::DatT>(gathered), values);
        }
    }

    template <class Arg>
    static constexpr bool is_extreme =
        !Arg::is_global && (Arg::access == Access::min || Arg::access == Access::max);

    /// Every value is nearer to the extreme.
    template <class Arg>
    HALOCLINE_HD static Values<double, Arg::size> no_extreme_of() {
        Contribution<GlobalArg<Arg::access, Arg::size>> neutral;
        neutral.clear();
        return neutral.values;
    }

    template <class Arg, class Kept>
    HALOCLINE_HD static void join_values(Kept& kept, const Values<double, Arg::size>& values) {
        for (int d = 0; d < Arg::size; ++d) {
            if constexpr (Arg::access == Access::inc) {
                kept[d] += values[d];
            } else {
                constexpr bool smallest = Arg::access == Access::min;
                const std::int64_t mine = extreme_key<smallest>(kept[d]);
                const std::int64_t theirs = extreme_key<smallest>(values[d]);
                kept[d] = (smallest ? theirs < mine : theirs > mine) ? values[d] : kept[d];
            }
        }
    }

    const View& view_;
    LocalIndex target_;
    const Stage& stage_;
    Contributions<Loops...>& out_;
    TargetAccess<Loops...> access_;
    RowHead heads_[sizeof...(Loops)];
};

}  // namespace halocline::device
