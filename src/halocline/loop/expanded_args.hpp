// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments that stand for several: a loop has the several, and its kernel gets them as one. So every
// strategy works on plain arguments and knows of nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "halocline/loop/kernel_fit.hpp"

namespace halocline::detail {

/// Plain arguments that an argument stands for.
template <class Arg>
auto parts_of(const Arg& arg) {
    if constexpr (has_rows<Arg>) {
        return [&]<int... slot>(std::integer_sequence<int, slot...>) {
            return Tuple<typename Arg::template Part<slot>...>{typename Arg::template Part<slot>{
                arg.store, arg.map.part, arg.map.from, arg.map.to}...};
        }
        (std::make_integer_sequence<int, Arg::rows>{});
    } else {
        return Tuple<Arg>{arg};
    }
}

template <class Arg>
constexpr std::size_t count_parts() {
    if constexpr (has_rows<Arg>) {
        return Arg::rows;
    } else {
        return 1;
    }
}

/// The kernel of a loop with arguments that stand for several: hands them on as `Args` have them.
template <class Kernel, class... Args>
struct ExpandedKernel {
    static constexpr bool swap_symmetric = requires { requires Kernel::swap_symmetric; };

    Kernel kernel;

    static constexpr ArgumentPlace place_of_part(std::size_t part) {
        constexpr std::array<std::size_t, sizeof...(Args)> counts{count_parts<Args>()...};
        std::size_t argument = 0;
        while (part >= counts[argument]) {
            part -= counts[argument++];
        }
        return {static_cast<int>(argument), counts[argument] > 1 ? static_cast<int>(part) : -1};
    }

    template <class... Parts>
    requires takes_arguments<Kernel, Args...> HALOCLINE_HD void operator()(Parts&... parts) const {
        const Tuple<Parts&...> all{parts...};
        call(all, std::index_sequence_for<Args...>{});
    }

private:
    template <std::size_t i>
    using Arg = TupleElement<i, Tuple<Args...>>;

    template <std::size_t i>
    static constexpr std::size_t first_part() {
        constexpr std::array<std::size_t, sizeof...(Args)> counts{count_parts<Args>()...};
        std::size_t first = 0;
        for (std::size_t before = 0; before != i; ++before) {  // nvcc warns of 0 < 0
            first += counts[before];
        }
        return first;
    }

    template <class All, std::size_t... i>
    [[gnu::always_inline]] HALOCLINE_HD inline void call(const All& all,
                                                         std::index_sequence<i...>) const {
        Tuple<decltype(collect<i>(all))...> given{collect<i>(all)...};
        kernel(as_given<i>(get<i>(given))...);
        (put_back<i>(get<i>(given), all), ...);
    }

    /// A plain argument where it lies, or a copy of all rows.
    template <std::size_t i, class All>
    [[gnu::always_inline]] HALOCLINE_HD static inline decltype(auto) collect(const All& all) {
        constexpr std::size_t first = first_part<i>();
        if constexpr (has_rows<Arg<i>>) {
            return [&]<std::size_t... k>(std::index_sequence<k...>) {
                using Row = std::remove_cvref_t<TupleElement<first, All>>;
                return Values<Row, Arg<i>::rows>{{copy_of(get<first + k>(all))...}};
            }
            (std::make_index_sequence<Arg<i>::rows>{});
        } else {
            return (get<first>(all));
        }
    }

    /// Component by component: g++ copies whole rows through memory.
    template <class Value, int n>
    [[gnu::always_inline]] HALOCLINE_HD static inline Values<Value, n> copy_of(
        const Values<Value, n>& row) {
        return [&]<int... d>(std::integer_sequence<int, d...>) {
            return Values<Value, n>{{row[d]...}};
        }
        (std::make_integer_sequence<int, n>{});
    }
    template <class Value, int n>
    [[gnu::always_inline]] HALOCLINE_HD static inline void assign(Values<Value, n>& to,
                                                                  const Values<Value, n>& from) {
        for (int d = 0; d < n; ++d) {
            to[d] = from[d];
        }
    }

    template <std::size_t i, class Given>
    HALOCLINE_HD static decltype(auto) as_given(Given& given) {
        if constexpr (is_changed<Arg<i>>) {
            return (given);
        } else {
            return std::as_const(given);
        }
    }

    template <std::size_t i, class Given, class All>
    [[gnu::always_inline]] HALOCLINE_HD static inline void put_back(const Given& given,
                                                                    const All& all) {
        if constexpr (has_rows<Arg<i>> && is_changed<Arg<i>>) {
            [&]<std::size_t... k>(std::index_sequence<k...>) {
                (assign(get<first_part<i>() + k>(all), given[k]), ...);
            }
            (std::make_index_sequence<Arg<i>::rows>{});
        }
    }
};

/// The place of argument `part` of a loop among those its maker wrote.
template <class Kernel>
constexpr ArgumentPlace argument_place(std::size_t part) {
    if constexpr (requires { Kernel::place_of_part(part); }) {
        return Kernel::place_of_part(part);
    } else {
        return {static_cast<int>(part)};
    }
}

}  // namespace halocline::detail
