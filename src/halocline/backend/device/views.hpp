// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel on a device gets to see of a chain of loops: plain structs of device pointers that
// travel as launch arguments. Any compiler that knows C++20 reads this file, nvcc too.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "halocline/loop/chain.hpp"
#include "halocline/loop/exact_bins.hpp"

namespace halocline::device {

/// Targets whose rows lie side by side: a warp's loads of one slot are consecutive.
inline constexpr int slice = 32;

/// Targets of a block of threads that brings what their rows reach into fast memory of its own.
inline constexpr int tile = 128;

/// Where the parts of a tile begin; the next one's beginnings end them.
struct alignas(16) TileBegin {
    LocalIndex value;   ///< values first met in this tile; an even number
    LocalIndex source;  ///< in `RowsView::sources`
    LocalIndex met;     ///< in `RowsView::met`
    LocalIndex slot;    ///< of the rows
};

/// What an entry of two-ended rows says: the places in the tile of the target at the other end (the
/// tile's own targets, then its sources) and of the element's value (those first met here, then those
/// met before), and from which end the element is seen. Values of two-ended elements lie on the device
/// once, in the order in which rows meet the elements.
struct EntryPlaces {
    static constexpr LocalIndex most_targets = 0x10000;
    static constexpr LocalIndex most_values = 0x8000;

    LocalIndex other;
    LocalIndex value;
    bool is_from_second_end;

    HALOCLINE_HD explicit EntryPlaces(std::uint32_t packed)
        : other(static_cast<LocalIndex>(packed & 0xffffU)),
          value(static_cast<LocalIndex>(packed >> 16U & 0x7fffU)),
          is_from_second_end(packed >> 31U != 0) {}

    static std::uint32_t packed(LocalIndex other, LocalIndex value, bool is_from_second_end) {
        return static_cast<std::uint32_t>(other) | static_cast<std::uint32_t>(value) << 16U |
               (is_from_second_end ? 1U << 31U : 0U);
    }
};

/// Members of any types in one aggregate, by number.
template <class... T>
struct Fields {};
template <class First, class... Rest>
struct Fields<First, Rest...> {
    First first;
    Fields<Rest...> rest;
};

template <std::size_t i, class First, class... Rest>
HALOCLINE_HD constexpr auto& field(Fields<First, Rest...>& fields) {
    if constexpr (i == 0) {
        return fields.first;
    } else {
        return field<i - 1>(fields.rest);
    }
}
template <std::size_t i, class First, class... Rest>
HALOCLINE_HD constexpr const auto& field(const Fields<First, Rest...>& fields) {
    if constexpr (i == 0) {
        return fields.first;
    } else {
        return field<i - 1>(fields.rest);
    }
}

/// For each target the entries that change it, by ascending global id of their elements: slices of 32
/// targets, slots of 32 entries. Entry of slot s of target t: (begin[t / 32] + s) * 32 + t % 32.
struct RowsView {
    const LocalIndex* begin;      ///< first slot of a slice
    const std::uint16_t* length;  ///< entries of a target
    const LocalIndex* element;
    const std::uint8_t*
        column;  ///< through which column of the loop's maps; null when there is one
    /// @name Of two-ended elements, else null
    /// @{
    const std::uint32_t* places;  ///< see `EntryPlaces`
    const TileBegin* tiles;
    const LocalIndex* sources;  ///< of each tile, ascending: targets and halo that its rows reach
    const LocalIndex* met;      ///< of each tile, ascending: values that earlier tiles have met
    /// @}
};

/// One component of a global on the device: its value, and a reduction under way.
struct GlobalPlace {
    double value;
    std::int64_t key;  ///< largest key so far of a minimum (negated) or maximum
    exact::Bins bins;  ///< of a sum
    /// Of the last reduction, for the join with other ranks: the value before it, and what this rank
    /// found, a key or a sum.
    double before;
    std::int64_t rank_key;
    exact::PartialSum rank_sum;
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
    using Arg = std::tuple_element_t<i, std::tuple<Args...>>;

    Kernel kernel;
    RowsView rows;
    Fields<ArgView<Args>...> args;

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
        visitor.pointer(rows.met);
        visit_args(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_args(Visitor& visitor, std::index_sequence<i...>) {
        (field<i>(args).visit(visitor), ...);
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
    unsigned* ticket;  ///< counts blocks of threads that have finished; zero between launches
    Fields<LoopView<Loops>...> loops;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.number(first);
        visitor.number(end);
        visitor.number(is_last);
        visitor.pointer(ticket);
        visit_loops(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_loops(Visitor& visitor, std::index_sequence<i...>) {
        (field<i>(loops).visit(visitor), ...);
    }
};

/// A kernel on globals alone.
template <class Kernel_, class... Args>
struct UpdateView {
    using Kernel = Kernel_;
    using Indices = std::index_sequence_for<Args...>;
    template <std::size_t i>
    using Arg = std::tuple_element_t<i, std::tuple<Args...>>;

    Kernel kernel;
    Fields<ArgView<Args>...> args;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.bytes(kernel);
        visit_args(visitor, Indices{});
    }

private:
    template <class Visitor, std::size_t... i>
    void visit_args(Visitor& visitor, std::index_sequence<i...>) {
        (field<i>(args).visit(visitor), ...);
    }
};

/// @name How a dat lies on the device, by its type
/// Blocks of eight elements with eight components in pairs for what is read through maps as a whole: a
/// load of eight lanes whose elements are neighbours touches one or two cache lines, where rows would
/// make it four to eight. Columns (one after the other) for what threads read side by side, nothing
/// for temporaries: they are registers.
/// @{
enum class Shape { none, pairs, rows, columns };

template <class DatT>
constexpr Shape usual_shape() {
    using Storage = typename DatT::Storage;
    if constexpr (std::is_same_v<Storage, TemporaryStorage>) {
        return Shape::none;
    } else if constexpr (halocline::detail::has_derived<Storage>) {
        return Shape::pairs;
    } else if constexpr (std::is_same_v<Storage, LaneStorage>) {
        return Shape::columns;
    } else {
        return DatT::dim == simd_lanes ? Shape::pairs : Shape::rows;
    }
}

/// Specialised beside a dat's type, for the C++ compiler and nvcc alike, it lays dats of that type out
/// in another shape: a choice at run time would cost every load and store a branch (decision 34).
template <class DatT>
struct DeviceShape {
    static constexpr Shape shape = usual_shape<DatT>();
};

template <class DatT>
constexpr Shape shape_of() {
    constexpr Shape shape = DeviceShape<DatT>::shape;
    static_assert(
        (shape == Shape::none) == std::is_same_v<typename DatT::Storage, TemporaryStorage>,
        "temporaries, and nothing else, have no place on a device");
    static_assert(!halocline::detail::has_derived<typename DatT::Storage> || shape == Shape::pairs,
                  "dats with derived values lie in pairs");
    static_assert(shape != Shape::pairs || DatT::row_size <= simd_lanes,
                  "an element in pairs has eight components at most");
    return shape;
}
/// @}

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

/// Whether an argument's values come from a copy in the order in which rows meet the elements.
template <class LoopT, class Arg>
inline constexpr bool comes_in_row_order =
    is_swap_symmetric<typename LoopT::Kernel> && !Arg::is_global && !Arg::is_indirect &&
    Arg::access == Access::read;

}  // namespace halocline::device
