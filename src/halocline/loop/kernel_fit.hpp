// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a kernel takes what a loop's arguments give, and which argument it does not take: said once,
// before any back end compiles the kernel. Kernels that return void are not compiled for the question.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "halocline/core/tuple.hpp"
#include "halocline/core/values.hpp"
#include "halocline/loop/args.hpp"

namespace halocline::detail {

/// Whether an argument stands for all rows of a map.
template <class Arg>
inline constexpr bool has_rows = false;
template <Access access, class DatT, class MapT, bool derived>
inline constexpr bool has_rows<RowsArg<access, DatT, MapT, derived>> = true;

/// Whether it says what the loop does with it, as `read(dat)` does.
template <class Arg>
inline constexpr bool is_argument = false;
template <class Arg>
requires requires { Arg::access; }
inline constexpr bool is_argument<Arg> = true;

template <class Arg>
inline constexpr bool writes_global = false;
template <int dim, class T>
inline constexpr bool writes_global<GlobalArg<Access::write, dim, T>> = true;

template <class V, class Arg, int size>
struct GivenValues {
    using type = Values<V, size>;
};
template <class V, class Arg, int size>
requires(has_rows<Arg>) struct GivenValues<V, Arg, size> {
    using type = Rows<V, Arg::rows, size>;
};
template <class V, class Arg, int size, bool may_change>
using GivenAs = std::conditional_t<may_change, typename GivenValues<V, Arg, size>::type&,
                                   const typename GivenValues<V, Arg, size>::type&>;
template <class Arg>
inline constexpr bool is_changed = Arg::access != Access::read;
/// What a kernel gets for an argument, V its value type.
template <class V, class Arg>
using Given = GivenAs<ValueOf<typename Arg::Stored, V>, Arg, Arg::size, is_changed<Arg>>;

/// Stands for the packs of back ends, so that a kernel for doubles only is found out.
struct AnyValue {};

template <class Kernel, class... Args>
inline constexpr bool takes_arguments =
    std::is_invocable_v<const Kernel&, Given<double, Args>...>&&  //
        std::is_invocable_v<const Kernel&, Given<AnyValue, Args>...>;

/// Whether the kernel takes the arguments if argument `changed` is `Other` instead.
template <class Kernel, class ArgTuple, std::size_t changed, class Other, class Indices>
inline constexpr bool takes_changed = false;
template <class Kernel, class ArgTuple, std::size_t changed, class Other, std::size_t... i>
inline constexpr bool takes_changed<Kernel, ArgTuple, changed, Other, std::index_sequence<i...>> =
    std::is_invocable_v<
        const Kernel&,
        std::conditional_t<i == changed, Other, Given<double, TupleElement<i, ArgTuple>>>...>;

/// The compiler's message names this struct with its numbers.
template <std::size_t argument, int values_of_the_dat, int values_the_kernel_takes>
struct ArgumentOfAnotherSize {
    static_assert(
        values_of_the_dat == values_the_kernel_takes,
        "the kernel takes another number of values for an argument than its dat or global "
        "has (which argument, counted from 0, and both numbers stand in angle brackets)");
};
template <std::size_t argument>
struct ArgumentDeclaredRead {
    static_assert(
        argument != argument,
        "the kernel may change an argument that the loop declares to read (which one, "
        "counted from 0, stands in angle brackets): take it by const reference, or declare "
        "write, read_write or inc");
};

template <std::size_t argument, bool is_argument>
struct ArgumentWithoutAccess {
    static_assert(is_argument,
                  "an argument does not say what the loop does with it (which one, counted from 0, "
                  "stands in angle brackets): pass read(dat), write(dat), read<0>(dat, map), "
                  "inc(global) or the like");
};
template <std::size_t argument>
struct ArgumentTakenByValue {
    static_assert(
        argument != argument,
        "the kernel takes by value or by const reference an argument that the loop declares to "
        "change (which one, counted from 0, stands in angle brackets), so that nothing would "
        "change: take it by reference, or declare read");
};
template <std::size_t argument>
struct GlobalWrittenInALoop {
    static_assert(
        argument != argument,
        "a loop cannot write a global, since its elements have no order (which argument, counted "
        "from 0, stands in angle brackets): add to it (inc), or take its least or greatest value "
        "(reduce_min, reduce_max); update_globals writes");
};

template <std::size_t argument>
struct ArgumentOfIntegers {
    static_assert(argument != argument,
                  "the kernel takes floating values for an argument whose dat or global holds "
                  "integers (which "
                  "one, counted from 0, stands in angle brackets): take Values<Integer<V>, n>");
};
template <std::size_t argument>
struct ArgumentOfFloatingValues {
    static_assert(
        argument != argument,
        "the kernel takes integers for an argument whose dat or global holds floating values "
        "(which one, counted from 0, stands in angle brackets): take Values<V, n>");
};

inline constexpr int largest_size_tried = 32;

template <class Kernel, class ArgTuple, std::size_t argument, int size = 1>
constexpr int size_that_fits() {
    using Arg = TupleElement<argument, ArgTuple>;
    using Indices = std::make_index_sequence<ArgTuple::size>;
    if constexpr (size > largest_size_tried) {
        return 0;
    } else if constexpr (takes_changed<Kernel, ArgTuple, argument,
                                       GivenAs<ValueOf<typename Arg::Stored, double>, Arg, size,
                                               is_changed<Arg>>,
                                       Indices>) {
        return size;
    } else {
        return size_that_fits<Kernel, ArgTuple, argument, size + 1>();
    }
}

/// Fails with the reason where one argument is at fault; returns whether it is argument `argument`.
template <class Kernel, class ArgTuple, std::size_t argument>
constexpr bool explain_argument() {
    using Arg = TupleElement<argument, ArgTuple>;
    using Indices = std::make_index_sequence<ArgTuple::size>;
    using Own = ValueOf<typename Arg::Stored, double>;
    constexpr bool has_integers = is_integer_value<Own>;
    using OtherKind = std::conditional_t<has_integers, double, Integer<double>>;
    if constexpr (!is_changed<Arg> && takes_changed<Kernel, ArgTuple, argument,
                                                    GivenAs<Own, Arg, Arg::size, true>, Indices>) {
        static_cast<void>(ArgumentDeclaredRead<argument>{});
        return true;
    } else if constexpr (takes_changed<Kernel, ArgTuple, argument,
                                       GivenAs<OtherKind, Arg, Arg::size, is_changed<Arg>>,
                                       Indices>) {
        static_cast<void>(std::conditional_t<has_integers, ArgumentOfIntegers<argument>,
                                             ArgumentOfFloatingValues<argument>>{});
        return true;
    } else if constexpr (size_that_fits<Kernel, ArgTuple, argument>() > 0) {
        static_cast<void>(ArgumentOfAnotherSize<argument, Arg::size,
                                                size_that_fits<Kernel, ArgTuple, argument>()>{});
        return true;
    } else {
        return false;
    }
}

template <bool explained>
struct FittingKernel {
    static_assert(explained,
                  "the kernel does not take the loop's arguments: it needs a call operator that is "
                  "const and a template over the value type V, with one Values<V, n> reference for "
                  "each argument (Rows<V, arity, n> for all rows of a map), const where the loop "
                  "reads (several arguments differ, or their number does)");
};

template <class Kernel, class ArgTuple, std::size_t... i>
constexpr bool explain_arguments(std::index_sequence<i...>) {
    return (explain_argument<Kernel, ArgTuple, i>() || ...);
}

/// Whether what the kernel does to a changed argument is lost: it takes what is not there any more after
/// the call, and that is not because it takes anything at all (`auto&&`), also what cannot be copied.
template <class Kernel, class ArgTuple, std::size_t argument>
constexpr bool loses_change() {
    using Arg = TupleElement<argument, ArgTuple>;
    using Indices = std::make_index_sequence<ArgTuple::size>;
    using Value = std::remove_reference_t<Given<double, Arg>>;
    if constexpr (!is_changed<Arg>) {
        return false;
    } else if constexpr (!takes_changed<Kernel, ArgTuple, argument, Value&&, Indices>) {
        return false;
    } else {
        return !takes_changed<Kernel, ArgTuple, argument, volatile Value&&, Indices>;
    }
}

template <class Kernel, class ArgTuple, std::size_t argument>
constexpr void require_change() {
    using Arg = TupleElement<argument, ArgTuple>;
    if constexpr (loses_change<Kernel, ArgTuple, argument>()) {
        static_cast<void>(ArgumentTakenByValue<argument>{});
    }
    if constexpr (writes_global<Arg>) {
        static_cast<void>(GlobalWrittenInALoop<argument>{});
    }
}

template <class Kernel, class ArgTuple, std::size_t... i>
constexpr void require_changes(std::index_sequence<i...>) {
    (require_change<Kernel, ArgTuple, i>(), ...);
}

template <class... Args, std::size_t... i>
constexpr void require_access(std::index_sequence<i...>) {
    (static_cast<void>(ArgumentWithoutAccess<i, is_argument<Args>>{}), ...);
}

/// Does not compile where an argument of a loop is none, where the kernel does not take the arguments, or
/// takes them so that what it changes is lost.
template <class Kernel, class... Args>
constexpr void require_fitting_kernel() {
    if constexpr (!(is_argument<Args> && ...)) {
        require_access<Args...>(std::index_sequence_for<Args...>{});
    } else if constexpr (!std::is_invocable_v<const Kernel&, Given<double, Args>...>) {
        static_cast<void>(FittingKernel<explain_arguments<Kernel, Tuple<Args...>>(
                              std::index_sequence_for<Args...>{})>{});
    } else if constexpr (!takes_arguments<Kernel, Args...>) {
        static_cast<void>(FittingKernel<takes_arguments<Kernel, Args...>>{});  // for doubles only
    } else {
        require_changes<Kernel, Tuple<Args...>>(std::index_sequence_for<Args...>{});
    }
}

}  // namespace halocline::detail
