// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a thread keeps in registers between loops: temporaries, and dats while they are gathered.
#pragma once

#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/backend/device/views/views.hpp"

namespace halocline::device {

/// Registers that stand for a dat, found by its type.
template <class DatT>
struct Registers {
    Values<double, DatT::dim> values;
};
template <class... DatTs>
struct RegisterFile : Registers<DatTs>... {
    template <class DatT>
    HALOCLINE_HD Values<double, DatT::dim>& of() {
        return static_cast<Registers<DatT>&>(*this).values;
    }
};

namespace detail {

template <class File, class DatT>
struct AddDat;
template <class... DatTs, class DatT>
struct AddDat<RegisterFile<DatTs...>, DatT> {
    using type = std::conditional_t<(std::is_same_v<DatTs, DatT> || ...), RegisterFile<DatTs...>,
                                    RegisterFile<DatTs..., DatT>>;
};

/// Which dats of an argument list get registers.
template <template <class> class Wanted, class File, class... Args>
struct CollectDats {
    using type = File;
};
template <template <class> class Wanted, class File, class Arg, class... Rest>
struct CollectDats<Wanted, File, Arg, Rest...> {
    template <class A, bool wanted>
    struct Step {
        using type = File;
    };
    template <class A>
    struct Step<A, true> {
        using type = typename AddDat<File, typename A::DatT>::type;
    };
    using type =
        typename CollectDats<Wanted, typename Step<Arg, Wanted<Arg>::value>::type, Rest...>::type;
};

template <class Arg>
struct IsTemporary : std::false_type {};
template <Access access, class DatT, class MapT, int slot, bool derived, bool oriented>
struct IsTemporary<DatArg<access, DatT, MapT, slot, derived, oriented>>
    : std::bool_constant<shape_of<DatT>() == Shape::none> {};

/// Changed through a map, and in memory.
template <class Arg>
struct IsGathered : std::false_type {};
template <Access access, class DatT, class MapT, int slot, bool derived, bool oriented>
struct IsGathered<DatArg<access, DatT, MapT, slot, derived, oriented>>
    : std::bool_constant<slot >= 0 && access != Access::read && shape_of<DatT>() != Shape::none> {};

template <class File, class... Loops>
struct TemporariesOf {
    using type = File;
};
template <class File, class Kernel, class Tag, class... Args, class... Rest>
struct TemporariesOf<File, Loop<Kernel, Tag, Args...>, Rest...> {
    using type = typename TemporariesOf<typename CollectDats<IsTemporary, File, Args...>::type,
                                        Rest...>::type;
};

template <class LoopT>
struct GatheredOf;
template <class Kernel, class Tag, class... Args>
struct GatheredOf<Loop<Kernel, Tag, Args...>> {
    using type = typename CollectDats<IsGathered, RegisterFile<>, Args...>::type;
};

template <class Arg, class V>
HALOCLINE_HD decltype(auto) as_kernel_sees(Values<V, Arg::size>& values) {
    if constexpr (Arg::access == Access::read) {
        return static_cast<const Values<V, Arg::size>&>(values);
    } else {
        return (values);
    }
}

}  // namespace detail

}  // namespace halocline::device
