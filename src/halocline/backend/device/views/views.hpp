// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel on a device gets to see of a chain of loops: plain structs of device pointers that
// travel as launch arguments. Any compiler that knows C++20 reads this file, nvcc too.
#pragma once

#include <cstdint>
#include <utility>

#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/backend/device/views/incidence_view.hpp"
#include "halocline/core/tuple.hpp"
#include "halocline/loop/chain.hpp"
#include "halocline/loop/exact_bins.hpp"

namespace halocline::device {

/// A reduction under way: what some of its blocks of threads have added.
struct ReductionShare {
    std::int64_t key;  ///< largest key so far of a minimum (negated) or maximum
    exact::Bins bins;  ///< of a sum
};

/// Blocks of large sets add to shares in turn: a hundred thousand that add to one wait for each other
/// longer than for their data.
inline constexpr int most_shares = 16;
/// How many a loop over so many targets uses; the last block joins them.
[[nodiscard]] constexpr LocalIndex shares_for(LocalIndex targets) {
    constexpr LocalIndex targets_a_share = 1 << 14;
    const LocalIndex wanted = targets / targets_a_share;
    return wanted < 1 ? 1 : wanted < most_shares ? wanted : most_shares;
}
/// Words between the counters of finished blocks of two shares: a line of memory for each.
inline constexpr int ticket_stride = 32;
/// Counters of a launch: that of all, then one for each share.
inline constexpr int ticket_words = ticket_stride * (1 + most_shares);

/// One component of a global on the device, as the host may ask for it.
struct GlobalResult {
    double value;
    /// Of the last reduction, for the join with other ranks: the value before it, and what this rank
    /// found, a key or a sum.
    double before;
    std::int64_t rank_key;
    exact::PartialSum rank_sum;
};
/// The same with the reduction under way.
struct GlobalPlace : GlobalResult {
    ReductionShare shares[most_shares];  ///< the first one is all there is between launches
};

template <class Arg>
struct ArgView;

/// A dat on the device.
template <Access access, class DatT, class MapT, int slot, bool derived, bool oriented>
struct ArgView<DatArg<access, DatT, MapT, slot, derived, oriented>> {
    double* values;
    LocalIndex stride;           ///< of columns
    LocalIndex column;           ///< changes through maps: number of the map's column
    const LocalIndex* targets;   ///< of the map, or null
    const double* in_row_order;  ///< copy in the order in which rows meet the elements, or null

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.pointer(values);
        visitor.number(stride);
        visitor.number(column);
        visitor.pointer(targets);
        visitor.pointer(in_row_order);
    }
};

/// A global: on the device, or with the launch.
template <Access access, int dim>
struct ArgView<GlobalArg<access, dim>> {
    GlobalPlace* place;   ///< `dim` of them; null for a constant
    LocalIndex is_given;  ///< whether `given` is the value that counts before the loop
    Values<double, dim> given;

    [[nodiscard]] HALOCLINE_HD double value(int d) const {
        return is_given != 0 ? given[d] : place[d].value;
    }
    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.pointer(place);
        visitor.number(is_given);
        for (int d = 0; d < dim; ++d) {
            visitor.number(given[d]);
        }
    }
};

template <class LoopT>
struct LoopView;

template <class Kernel_, class Tag, class... Args>
struct LoopView<Loop<Kernel_, Tag, Args...>> {
    using LoopT = Loop<Kernel_, Tag, Args...>;
    using Kernel = Kernel_;
    using Indices = std::index_sequence_for<Args...>;
    template <std::size_t i>
    using Arg = TupleElement<i, Tuple<Args...>>;

    Kernel kernel;
    IncidenceView rows;
    Tuple<ArgView<Args>...> args;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.bytes(kernel);
        visitor.pointer(rows.begin);
        visitor.pointer(rows.length);
        visitor.pointer(rows.element);
        visitor.pointer(rows.column);
        visitor.pointer(rows.places);
        visitor.pointer(rows.tiles);
        visitor.pointer(rows.sources);
        visitor.pointer(rows.reused);
        visit_args(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_args(Visitor& visitor, std::index_sequence<i...>) {
        (get<i>(args).visit(visitor), ...);
    }
};

/// A chain: its loops, and the targets it runs over. Another launch of the same chain does the others;
/// the last one finishes what all of them reduce.
template <class... Loops>
struct ChainView {
    using Indices = std::index_sequence_for<Loops...>;
    LocalIndex first;
    LocalIndex end;
    LocalIndex is_last;
    LocalIndex shares;  ///< of each reduction, that blocks add to
    unsigned*
        ticket;  ///< count blocks of threads that have finished (`ticket_words`); zeros between launches
    Tuple<LoopView<Loops>...> loops;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.number(first);
        visitor.number(end);
        visitor.number(is_last);
        visitor.number(shares);
        visitor.pointer(ticket);
        visit_loops(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_loops(Visitor& visitor, std::index_sequence<i...>) {
        (get<i>(loops).visit(visitor), ...);
    }
};

/// A kernel on globals alone.
template <class Kernel_, class... Args>
struct UpdateView {
    using Kernel = Kernel_;
    using Indices = std::index_sequence_for<Args...>;
    template <std::size_t i>
    using Arg = TupleElement<i, Tuple<Args...>>;

    Kernel kernel;
    Tuple<ArgView<Args>...> args;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.bytes(kernel);
        visit_args(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_args(Visitor& visitor, std::index_sequence<i...>) {
        (get<i>(args).visit(visitor), ...);
    }
};

/// The view of loops as recipes return them.
template <class LoopsT>
struct ViewType;
template <class Tag, class... Loops>
struct ViewType<Chain<Tag, Loops...>> {
    using type = ChainView<Loops...>;
};
template <class Kernel, class Tag, class... Args>
struct ViewType<Loop<Kernel, Tag, Args...>> {
    using type = ChainView<Loop<Kernel, Tag, Args...>>;
};
template <class Kernel, class... Args>
struct ViewType<GlobalUpdate<Kernel, Args...>> {
    using type = UpdateView<Kernel, Args...>;
};
template <class LoopsT>
using ViewOf = typename ViewType<LoopsT>::type;

template <class Arg>
inline constexpr bool is_reduction = false;
template <Access access, int dim>
inline constexpr bool is_reduction<GlobalArg<access, dim>> =
    access != Access::read&& access != Access::write;

/// Values that a loop's kernel gets and gives.
template <class LoopT>
inline constexpr int kernel_values = 0;
template <class Kernel, class Tag, class... Args>
inline constexpr int kernel_values<Loop<Kernel, Tag, Args...>> = (0 + ... + Args::size);

/// Whether a loop changes dats through maps, be it through the one from a subset to its set.
template <class LoopT>
inline constexpr bool changes_through_maps = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool changes_through_maps<Loop<Kernel, Tag, Args...>> =
    ((Args::is_indirect && Args::access != Access::read) || ...);

/// Threads that stand for targets know no integers, and of an element with what is derived from it
/// eight values. They keep what they sum up in doubles, where a float would be rounded each time: floats
/// are what they read anywhere and change at their own element.
template <class Arg>
inline constexpr bool fits_target_threads = std::is_same_v<typename Arg::Stored, double>;
template <Access access, class DatT, class MapT, int slot, bool derived, bool oriented>
inline constexpr bool fits_target_threads<DatArg<access, DatT, MapT, slot, derived, oriented>> =
    std::is_same_v<typename DatT::Stored, double> ? !is_wide_derived<DatT>
                                                  : std::is_same_v<typename DatT::Stored, float> &&
                                                        shape_of<DatT>() != Shape::none &&
                                                        (access == Access::read || slot < 0);

template <class LoopT>
inline constexpr bool fits_targets = true;
template <class Kernel, class Tag, class... Args>
inline constexpr bool fits_targets<Loop<Kernel, Tag, Args...>> = (fits_target_threads<Args> && ...);

/// Whether a loop runs with a thread an element when it is not gathered.
template <class LoopT>
inline constexpr bool runs_by_element = changes_through_maps<LoopT> || !fits_targets<LoopT>;

/// Whether an argument's values come from a copy in the order in which rows meet the elements.
template <class LoopT, class Arg>
inline constexpr bool comes_in_row_order =
    is_swap_symmetric<typename LoopT::Kernel> && !Arg::is_global && !Arg::is_indirect &&
    Arg::access == Access::read;

}  // namespace halocline::device
