// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One element at a time through a kernel: the code that the serial and check back ends share.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "halocline/backend/reduce.hpp"
#include "halocline/loop/element_place.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/loop.hpp"
#include "halocline/loop/stored.hpp"

namespace halocline::detail {

/// Where one argument's values are, found once a loop: an element then takes no way round by dats, maps
/// and sets.
template <LayoutMode mode, class Arg>
struct ElementView {
    using DatT = typename Arg::DatT;
    typename Arg::Stored* base;
    const LocalIndex* map = nullptr;
    LocalIndex owned;  ///< elements of the dat's set

    explicit ElementView(const Arg& arg)
        : base(static_cast<typename DatT::Store*>(arg.store)->data()),
          owned(arg.store->set->owned) {
        if constexpr (Arg::is_indirect) {
            map = arg.map->targets.data();
        }
    }
    /// The element that column `slot` of the map, if there is one, means for loop element `element`.
    template <int slot>
    [[nodiscard]] [[gnu::always_inline]] LocalIndex target(LocalIndex element) const {
        if constexpr (Arg::is_indirect) {
            return map[static_cast<std::size_t>(element) *
                           static_cast<std::size_t>(Arg::MapT::arity) +
                       static_cast<std::size_t>(slot)];
        } else {
            return element;
        }
    }
    /// Its memory; components lie `step` apart.
    [[nodiscard]] [[gnu::always_inline]] typename Arg::Stored* memory(LocalIndex target) const {
        return element_in<mode, DatT>(base, target);
    }
    static constexpr int step = step_in<mode, DatT>;
};

/// Of a global: its values before the loop.
template <LayoutMode mode, class Arg>
requires(Arg::is_global) struct ElementView<mode, Arg> {
    const Values<typename Arg::Stored, Arg::size>* value;
    explicit ElementView(const Arg& arg) : value(arg.value) {}
};

/// The element that an argument means for loop element `element`.
template <LayoutMode mode, class Arg>
[[nodiscard]] [[gnu::always_inline]] inline LocalIndex target_of(const ElementView<mode, Arg>& view,
                                                                 LocalIndex element) {
    if constexpr (Arg::is_global) {
        return element;
    } else {
        return view.template target<Arg::slot>(element);
    }
}

/// What a kernel gets for one argument: values read, zeros to add to, or room to write. `view`: of an
/// argument that has the same dat. Derived values are made anew, wherever dats keep them.
template <class Arg, class View>
[[gnu::always_inline]] inline ArgValues<Arg, double> load_element_of(const View& view,
                                                                     LocalIndex target) {
    using Stored = typename Arg::Stored;
    ArgValues<Arg, double> values;
    if constexpr (Arg::access == Access::inc || Arg::access == Access::write) {
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = neutral_increment<ValueOf<Stored, double>>();
        }
    } else if constexpr (Arg::is_global) {
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = widened((*view.value)[d]);
        }
    } else {
        constexpr int dim = Arg::DatT::dim;
        const Stored* own = view.memory(target);
        for (int d = 0; d < dim; ++d) {
            values[d] = widened(load_element(own + d * view.step));
        }
        if constexpr (Arg::is_derived) {
            using Function = typename Arg::DatT::Storage::Function;
            Values<double, dim> components;
            Values<double, Function::size> extra;
            for (int d = 0; d < dim; ++d) {
                components[d] = values[d];
            }
            Function{}(components, extra);
            for (int d = 0; d < Function::size; ++d) {
                values[dim + d] = extra[d];
            }
        }
    }
    return values;
}

/// How far ahead loops that run element by element ask for memory; 64 and 128 differ by little.
inline constexpr LocalIndex elements_ahead = 96;

/// Whether rows of an argument come late where nobody asks for them, in the best order, too: by measurement
/// (docs/decisions/0105-wide-rows-are-asked-for.md).
template <class Arg>
inline constexpr bool is_wide_row = sizeof(typename Arg::Stored) * Arg::DatT::dim >= 32;

/// Asks for the row that an argument without a map reads for a later element, into the second cache, if it is
/// wide. Rows of maps and lanes come by themselves.
template <class Arg, class View>
[[gnu::always_inline]] inline void prefetch_own_row(const View& view, LocalIndex element) {
    if constexpr (!Arg::is_global && !Arg::is_indirect && Arg::access != Access::write) {
        using Stored = typename Arg::Stored;
        constexpr int values_a_line = 64 / static_cast<int>(sizeof(Stored));
        if constexpr (View::step == 1 && is_wide_row<Arg>) {
            const Stored* row = view.memory(element);
            for (int first = 0; first < Arg::DatT::dim; first += values_a_line) {
                __builtin_prefetch(row + first, 0, 2);
            }
        }
    }
}

template <class Arg>
[[gnu::always_inline]] inline ArgValues<Arg, double> load_scalar(const Arg& arg,
                                                                 LocalIndex element) {
    const ElementView<LayoutMode::plain, Arg> view(arg);
    return load_element_of<Arg>(view, target_of(view, element));
}

/// Puts a changed argument of one element back. Changes through maps go to owned elements only, their
/// owners compute the others; `owned`: the loop's element is owned, `owns_targets`: all elements that the
/// argument may lead to are. Derived values that lie beside it stay as they are.
template <class Arg, bool owns_targets = false, class View>
[[gnu::always_inline]] inline void store_element_of(const View& view, LocalIndex target,
                                                    const ArgValues<Arg, double>& values,
                                                    bool owned) {
    if constexpr (!Arg::is_global && Arg::access != Access::read) {
        if (Arg::is_indirect ? !owns_targets && target >= view.owned : !owned) {
            return;
        }
        using Stored = typename Arg::Stored;
        Stored* own = view.memory(target);
        for (int d = 0; d < Arg::size; ++d) {
            Stored* place = own + d * view.step;
            ValueOf<Stored, double> value = values[d];
            if constexpr (Arg::access == Access::inc) {
                value = widened(load_element(place)) + values[d];
            } else if constexpr (Arg::access == Access::min || Arg::access == Access::max) {
                value =
                    extreme<Arg::access == Access::min>(widened(load_element(place)), values[d]);
            }
            store_element(place, narrowed_value<Stored>(value));
        }
    }
}
template <class Arg>
[[gnu::always_inline]] inline void store_scalar(const Arg& arg, LocalIndex element,
                                                const ArgValues<Arg, double>& values, bool owned) {
    const ElementView<LayoutMode::plain, Arg> view(arg);
    store_element_of<Arg>(view, target_of(view, element), values, owned);
}

/// The same for globals that a kernel writes.
template <class Arg>
void store_global(const Arg& arg, const ArgValues<Arg, double>& values) {
    if constexpr (Arg::access == Access::write) {
        for (int d = 0; d < Arg::size; ++d) {
            (*arg.value)[d] = narrowed_value<typename Arg::Stored>(values[d]);
        }
    }
}

/// Collects a loop's reductions over the elements of one rank.
template <class Arg>
struct ScalarReduction {
    void add(const ArgValues<Arg, double>&) {}
};

/// Where extremes of values of type V begin.
template <class V, bool smallest>
constexpr V no_extreme() {
    if constexpr (is_integer_value<V>) {
        return smallest ? INT64_MAX : INT64_MIN;
    } else {
        return smallest ? V(std::numeric_limits<double>::infinity())
                        : V(-std::numeric_limits<double>::infinity());
    }
}

template <Access access, int dim, class T>
requires(access != Access::read) struct ScalarReduction<GlobalArg<access, dim, T>> {
    using Value = ValueOf<T, double>;
    using Sum = std::conditional_t<IntegerElement<T>, IntegerSum, ExactSum>;
    Sum sums[dim];
    Values<Value, dim> extreme_values;

    ScalarReduction() {
        for (int d = 0; d < dim; ++d) {
            extreme_values[d] = no_extreme<Value, access == Access::min>();
        }
    }
    void add(const Values<Value, dim>& values) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access != Access::inc) {
                fold(d, values[d]);
            } else if constexpr (IntegerElement<T>) {
                sums[d].add(values[d].lanes);
            } else {
                sums[d].add(values[d]);
            }
        }
    }
    void fold(int d, Value value) {
        extreme_values[d] = extreme<access == Access::min>(extreme_values[d], value);
    }
};

template <class ArgTuple>
struct ScalarReductionsOf;
template <class... Args>
struct ScalarReductionsOf<Tuple<Args...>> {
    using type = Tuple<ScalarReduction<Args>...>;
};

/// Whether a loop with these arguments reduces anything.
template <class ArgTuple>
inline constexpr bool reduces = false;
template <class... Args>
inline constexpr bool reduces<Tuple<Args...>> =
    ((Args::is_global && Args::access != Access::read) || ...);

/// One reduction for each argument of a loop; empty for those that are none.
template <class ArgTuple>
using ScalarReductions = typename ScalarReductionsOf<ArgTuple>::type;

/// Joins a rank's reduction with those of the others and with the global's value. Floats are rounded
/// then, once. Collective.
template <class Arg>
void finish_reduction(const Communicator& comm, const LoopName& loop, const Arg& arg,
                      ScalarReduction<Arg>& reduction) {
    if constexpr (!std::is_empty_v<ScalarReduction<Arg>>) {
        using T = typename Arg::Stored;
        for (int d = 0; d < Arg::size; ++d) {
            T& result = (*arg.value)[d];
            if constexpr (Arg::access != Access::inc) {
                reduction.fold(d, widened(result));
                result = narrowed_value<T>(extreme_over_ranks<Arg::access == Access::min>(
                    comm, reduction.extreme_values[d]));
            } else if constexpr (IntegerElement<T>) {
                result = static_cast<T>(
                    sum_over_ranks(comm, loop, reduction.sums[d], result, element_type_of<T>));
            } else {
                result = static_cast<T>(widened(result) + sum_over_ranks(comm, reduction.sums[d]));
            }
        }
    }
}

}  // namespace halocline::detail
