// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Access descriptors: what a loop reads, writes and adds to. They decide halos, order and strategy.
#pragma once

#include <type_traits>

#include "halocline/loop/global_storage.hpp"
#include "halocline/mesh/dat.hpp"
#include "halocline/mesh/one_to_one.hpp"
#include "halocline/mesh/subset.hpp"

namespace halocline {

/// What a kernel does with an argument.
enum class Access { read, write, read_write, inc, min, max };

/// Values that belong to no element: loop constants and the results of reductions. On a device they
/// stay there until the host reads them: `Global<double, 1> sum{{0.0}}; ... sum[0]`.
template <class T, int dim_>
struct Global {
    static_assert(Element<T>, "a global holds double, float, std::int64_t or std::int32_t");
    static constexpr int dim = dim_;  ///< number of values
    /// as the host knows them: old while `storage` says that a device has newer ones; use `[]`
    Values<T, dim_> value{};
    GlobalStorage storage{};  ///< the values' place on a device

    /// For reading and changing; a device gets the values again.
    [[nodiscard]] T& operator[](int d) {
        storage.fetch(value.v, dim_);
        storage.device_current = false;
        return value[d];
    }
    /// Value `d`, brought from the device first.
    [[nodiscard]] T operator[](int d) const {
        storage.fetch(const_cast<T*>(value.v), dim_);
        return value[d];
    }
    /// New values, whatever the old ones were: nothing is brought from a device.
    void set(const Values<T, dim_>& values) {
        value = values;
        storage.host_current = true;
        storage.device_current = false;
    }
};

/// A dat argument. `slot` -1: the loop's own element; else that column of `MapT`.
template <Access access_, class DatT_, class MapT_, int slot_, bool derived_, bool oriented_>
struct DatArg {
    using DatT = DatT_;                     ///< the dat's type
    using Stored = typename DatT_::Stored;  ///< type of a value in memory
    using MapT = MapT_;  ///< the map's type; for direct arguments a type that no map has
    static constexpr Access access = access_;  ///< what the kernel does with it
    static constexpr int slot = slot_;         ///< column of the map; -1: the loop's own element
    static constexpr bool is_global = false;   ///< it belongs to elements
    static constexpr bool is_indirect = slot_ >= 0;  ///< whether it is reached through a map
    static constexpr bool is_derived = derived_;  ///< whether the kernel gets derived values, too
    /// whether it is negated from an edge's second end
    static constexpr bool is_oriented = oriented_;
    /// components that the kernel gets
    static constexpr int size = derived_ ? DatT_::row_size : DatT_::dim;
    /// Whether it is the loop's own element, be it one of a subset.
    static constexpr bool is_own = !is_indirect || detail::is_membership<MapT_>;
    /// Whether no other element reaches what the argument changes through its map.
    static constexpr bool is_exclusive =
        is_indirect && (access_ == Access::write || access_ == Access::read_write ||
                        (access_ == Access::inc && is_own));
    /// Whether device kernels know this kind of argument; loops with one that has none run on the host.
    static constexpr bool has_device_form =
        std::is_same_v<Stored, double> || !detail::has_derived<typename DatT_::Storage>;

    DatStore* store = nullptr;      ///< of the dat
    const MapPart* map = nullptr;   ///< null for direct arguments
    const SetPart* from = nullptr;  ///< set of the map's elements; null for direct arguments
    const SetPart* to = nullptr;    ///< set of the map's targets; null for direct arguments
};

/// A dat argument through all columns of a map at once; `expanded_args.hpp` makes it one `DatArg` a column.
template <Access access_, class DatT_, class MapT_, bool derived_>
struct RowsArg {
    using DatT = DatT_;                           ///< the dat's type
    using Stored = typename DatT_::Stored;        ///< type of a value in memory
    using MapT = MapT_;                           ///< the map's type
    static constexpr Access access = access_;     ///< what the kernel does with it
    static constexpr int rows = MapT_::arity;     ///< rows that the kernel gets: columns of the map
    static constexpr bool is_derived = derived_;  ///< whether the kernel gets derived values, too
    static constexpr int size = derived_ ? DatT_::row_size : DatT_::dim;  ///< components of a row
    /// The argument of column `slot` alone.
    template <int slot>
    using Part = DatArg<access_, DatT_, MapT_, slot, derived_, false>;

    DatStore* store = nullptr;  ///< of the dat
    MapT_ map;                  ///< through which elements are reached
};

/// A global argument.
template <Access access_, int dim_, class T = double>
struct GlobalArg {
    using Stored = T;                            ///< type of a value
    static constexpr Access access = access_;    ///< what the kernel does with it
    static constexpr bool is_global = true;      ///< it belongs to no element
    static constexpr bool is_indirect = false;   ///< it is reached through no map
    static constexpr bool is_own = true;         ///< every element sees the same values
    static constexpr bool is_exclusive = false;  ///< it is no change through a map
    static constexpr bool is_oriented = false;   ///< it is not an edge vector
    static constexpr int size = dim_;            ///< number of values
    /// only doubles are kept on devices
    static constexpr bool has_device_form = std::is_same_v<Stored, double>;

    Values<T, dim_>* value = nullptr;  ///< of the global
    GlobalStorage* storage = nullptr;  ///< their place on a device
};

namespace detail {

/// Which argument of `make_loop` a loop's argument belongs to, and which row of it (-1: it is all).
struct ArgumentPlace {
    int argument = 0;
    int row = -1;
};

/// Whether an argument changes elements through a map that others may change, too.
template <class Arg>
inline constexpr bool is_shared_change =
    Arg::is_indirect && !Arg::is_exclusive && Arg::access != Access::read;

/// What a kernel gets for an argument, V its value type.
template <class Arg, class V>
using ArgValues = Values<ValueOf<typename Arg::Stored, V>, Arg::size>;

/// Passes what a kernel only reads as const, all else by reference.
template <class Arg, class V>
HALOCLINE_HD decltype(auto) as_kernel_sees(Values<V, Arg::size>& values) {
    if constexpr (Arg::access == Access::read) {
        return static_cast<const Values<V, Arg::size>&>(values);
    } else {
        return (values);
    }
}

}  // namespace detail

/// A dat together with its derived values; see `DerivedStorage`.
template <class DatT>
struct DerivedOf {
    const DatT& dat;  ///< with derived values
};

/// An edge vector that points from the edge's first to its second element; a strategy that visits
/// an edge from the other end negates it.
template <class DatT>
struct OrientedOf {
    const DatT& dat;  ///< of edge vectors
};

/// Gives a kernel a dat's components and its derived values behind them: `read(derived(dat))`.
template <class DatT>
[[nodiscard]] DerivedOf<DatT> derived(const DatT& dat) {
    static_assert(detail::has_derived<typename DatT::Storage>, "this dat has no derived values");
    return {dat};
}

/// Marks an edge vector that changes its sign with the direction of the edge:
/// `read(oriented(dat))`.
template <class DatT>
[[nodiscard]] OrientedOf<DatT> oriented(const DatT& dat) {
    return {dat};
}

namespace detail {

/// Reading may bring halos up to date, which is no change in the reader's eyes: hence the cast.
template <class DatT>
DatStore* store_of(const DatT& dat) {
    return const_cast<typename DatT::Store*>(&dat.handle());
}

struct NoMap {};

template <Access access, bool derived = false, bool oriented = false, class DatT>
auto direct_arg(const DatT& dat) {
    return DatArg<access, DatT, NoMap, -1, derived, oriented>{store_of(dat), nullptr, nullptr,
                                                              nullptr};
}

template <Access access, int slot, bool derived = false, class DatT, class From, class To,
          int arity>
auto indirect_arg(const DatT& dat, const Map<From, To, arity>& map) {
    static_assert(std::is_same_v<typename DatT::Tag, To>,
                  "the map leads to another kind of element than the dat lives on");
    static_assert(slot >= 0 && slot < arity, "the map has no such column");
    return DatArg<access, DatT, Map<From, To, arity>, slot, derived, false>{
        store_of(dat), &map.in_mesh(), map.from, map.to};
}

template <int arity>
constexpr void refuse_many_to_one() {
    static_assert(arity < 0,
                  "two elements may lead to one target of this map, and nothing says which of them "
                  "writes last: write through one_to_one(comm, map), or add to the target (inc)");
}

template <Access access, bool derived = false, class DatT, class From, class To, int arity>
auto rows_arg(const DatT& dat, const Map<From, To, arity>& map) {
    static_assert(std::is_same_v<typename DatT::Tag, To>,
                  "the map leads to another kind of element than the dat lives on");
    static_cast<void>(map.in_mesh());
    return RowsArg<access, DatT, Map<From, To, arity>, derived>{store_of(dat), map};
}

}  // namespace detail

/// Reads the loop's own element.
///
/// Of all arguments: without a map it is the loop's own element; with `<slot>` and a map the element in
/// that column; with `_all` those in all columns, as `Rows` in the order of columns. Kernels get
/// `const Values&` for what is read and `Values&` for all else: an increment starts at zero, a minimum
/// or maximum at the current value. Writing through a map takes one that is one-to-one: the result of
/// others would depend on the order of elements. Wrong kinds of elements, columns and dimensions do not
/// compile.
template <class Tag, class T, int dim, class S>
auto read(const Dat<Tag, T, dim, S>& dat) {
    return detail::direct_arg<Access::read>(dat);
}
/// Reads the loop's own element with its derived values.
template <class DatT>
auto read(DerivedOf<DatT> dat) {
    return detail::direct_arg<Access::read, true>(dat.dat);
}
/// Reads an edge vector that is negated from the edge's second end; for `swap_symmetric` kernels.
template <class DatT>
auto read(OrientedOf<DatT> dat) {
    return detail::direct_arg<Access::read, false, true>(dat.dat);
}
/// Reads the element in column `slot` of the map.
template <int slot, class Tag, class T, int dim, class S, class MapT>
auto read(const Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::indirect_arg<Access::read, slot>(dat, map);
}
/// Reads the element in column `slot` of the map with its derived values.
template <int slot, class DatT, class MapT>
auto read(DerivedOf<DatT> dat, const MapT& map) {
    return detail::indirect_arg<Access::read, slot, true>(dat.dat, map);
}
/// Writes the loop's own element, all components of it.
template <class Tag, class T, int dim, class S>
auto write(Dat<Tag, T, dim, S>& dat) {
    return detail::direct_arg<Access::write>(dat);
}
/// Reads and changes the loop's own element.
template <class Tag, class T, int dim, class S>
auto read_write(Dat<Tag, T, dim, S>& dat) {
    return detail::direct_arg<Access::read_write>(dat);
}
/// Writes the element in column `slot` of a one-to-one map.
template <int slot, class Tag, class T, int dim, class S, class From, class To, int arity>
auto write(Dat<Tag, T, dim, S>& dat, const OneToOneMap<From, To, arity>& map) {
    return detail::indirect_arg<Access::write, slot>(dat, map);
}
/// Reads and changes the element in column `slot` of a one-to-one map.
template <int slot, class Tag, class T, int dim, class S, class From, class To, int arity>
auto read_write(Dat<Tag, T, dim, S>& dat, const OneToOneMap<From, To, arity>& map) {
    return detail::indirect_arg<Access::read_write, slot>(dat, map);
}
/// Does not compile: through other maps two elements may write to one target.
template <int slot, class Tag, class T, int dim, class S, class From, class To, int arity>
auto write(Dat<Tag, T, dim, S>& dat, const Map<From, To, arity>& map) {
    detail::refuse_many_to_one<arity>();
    return detail::indirect_arg<Access::write, slot>(dat, map);
}
/// Does not compile, for the same reason.
template <int slot, class Tag, class T, int dim, class S, class From, class To, int arity>
auto read_write(Dat<Tag, T, dim, S>& dat, const Map<From, To, arity>& map) {
    detail::refuse_many_to_one<arity>();
    return detail::indirect_arg<Access::read_write, slot>(dat, map);
}
/// Writes the elements in all columns of a one-to-one map.
template <class Tag, class T, int dim, class S, class From, class To, int arity>
auto write_all(Dat<Tag, T, dim, S>& dat, const OneToOneMap<From, To, arity>& map) {
    return detail::rows_arg<Access::write>(dat, map);
}
/// Reads and changes the elements in all columns of a one-to-one map.
template <class Tag, class T, int dim, class S, class From, class To, int arity>
auto read_write_all(Dat<Tag, T, dim, S>& dat, const OneToOneMap<From, To, arity>& map) {
    return detail::rows_arg<Access::read_write>(dat, map);
}
/// Adds to the loop's own element.
template <class Tag, class T, int dim, class S>
auto inc(Dat<Tag, T, dim, S>& dat) {
    return detail::direct_arg<Access::inc>(dat);
}
/// Adds to the element in column `slot` of the map, in ascending global id of the adding elements.
template <int slot, class Tag, class T, int dim, class S, class MapT>
auto inc(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::indirect_arg<Access::inc, slot>(dat, map);
}
/// Lowers the element in column `slot` of the map, component by component.
template <int slot, class Tag, class T, int dim, class S, class MapT>
auto reduce_min(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::indirect_arg<Access::min, slot>(dat, map);
}
/// Raises the element in column `slot` of the map, component by component.
template <int slot, class Tag, class T, int dim, class S, class MapT>
auto reduce_max(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::indirect_arg<Access::max, slot>(dat, map);
}
/// Reads the elements in all columns of the map.
template <class Tag, class T, int dim, class S, class MapT>
auto read_all(const Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::rows_arg<Access::read>(dat, map);
}
/// Reads the elements in all columns of the map with their derived values.
template <class DatT, class MapT>
auto read_all(DerivedOf<DatT> dat, const MapT& map) {
    return detail::rows_arg<Access::read, true>(dat.dat, map);
}
/// Adds to the elements in all columns of the map.
template <class Tag, class T, int dim, class S, class MapT>
auto inc_all(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::rows_arg<Access::inc>(dat, map);
}
/// Lowers the elements in all columns of the map, component by component.
template <class Tag, class T, int dim, class S, class MapT>
auto reduce_min_all(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::rows_arg<Access::min>(dat, map);
}
/// Raises the elements in all columns of the map, component by component.
template <class Tag, class T, int dim, class S, class MapT>
auto reduce_max_all(Dat<Tag, T, dim, S>& dat, const MapT& map) {
    return detail::rows_arg<Access::max>(dat, map);
}
/// Reads a global: the same values for every element.
template <class T, int dim>
auto read(const Global<T, dim>& global) {
    return GlobalArg<Access::read, dim, T>{const_cast<Values<T, dim>*>(&global.value),
                                           const_cast<GlobalStorage*>(&global.storage)};
}
/// Writes a global, within `update_globals` only.
template <class T, int dim>
auto write(Global<T, dim>& global) {
    return GlobalArg<Access::write, dim, T>{&global.value, &global.storage};
}
/// Adds to a global: what the elements of all ranks give is added up exactly, whatever the order, rounded
/// once, and added to what the global held.
template <class T, int dim>
auto inc(Global<T, dim>& global) {
    return GlobalArg<Access::inc, dim, T>{&global.value, &global.storage};
}
/// Lowers a global, component by component. Reduced over all ranks.
template <class T, int dim>
auto reduce_min(Global<T, dim>& global) {
    return GlobalArg<Access::min, dim, T>{&global.value, &global.storage};
}
/// Raises a global, component by component. Reduced over all ranks.
template <class T, int dim>
auto reduce_max(Global<T, dim>& global) {
    return GlobalArg<Access::max, dim, T>{&global.value, &global.storage};
}

}  // namespace halocline
