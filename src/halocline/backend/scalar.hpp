// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One element at a time through a kernel: the code that the serial and check back ends share.
#pragma once

#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

#include "halocline/backend/reduce.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// Local element that argument `arg` means for loop element `element`.
template <class Arg>
LocalIndex element_of(const Arg& arg, LocalIndex element) {
    if constexpr (Arg::is_indirect) {
        return arg.map->targets[static_cast<std::size_t>(element) *
                                    static_cast<std::size_t>(Arg::MapT::arity) +
                                static_cast<std::size_t>(Arg::slot)];
    } else {
        return element;
    }
}

/// Memory of element i in the plain layout.
template <class Arg>
double* plain_row(const Arg& arg, LocalIndex i) {
    return arg.store->values.data() + static_cast<std::size_t>(i) * Arg::DatT::dim;
}

/// What a kernel gets for one argument: values read, zeros to add to, or room to write.
template <class Arg>
[[gnu::always_inline]] inline Values<double, Arg::size> load_scalar(const Arg& arg,
                                                                    LocalIndex element) {
    Values<double, Arg::size> values;
    if constexpr (Arg::access == Access::inc || Arg::access == Access::write) {
        for (int d = 0; d < Arg::size; ++d) {
            values[d] = no_increment;
        }
    } else if constexpr (Arg::is_global) {
        values = *arg.value;
    } else {
        constexpr int dim = Arg::DatT::dim;
        const double* row = plain_row(arg, element_of(arg, element));
        for (int d = 0; d < dim; ++d) {
            values[d] = row[d];
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

/// Puts a changed argument of one element back. `owned_targets`: changes through maps go to owned
/// elements only, their owners compute the others; `owned`: the loop's element is owned.
template <class Arg>
[[gnu::always_inline]] inline void store_scalar(const Arg& arg, LocalIndex element,
                                                const Values<double, Arg::size>& values,
                                                bool owned) {
    if constexpr (!Arg::is_global && Arg::access != Access::read) {
        const LocalIndex target = element_of(arg, element);
        if (Arg::is_indirect ? target >= arg.store->set->owned : !owned) {
            return;
        }
        double* row = plain_row(arg, target);
        for (int d = 0; d < Arg::size; ++d) {
            if constexpr (Arg::access == Access::inc) {
                row[d] += values[d];
            } else if constexpr (Arg::access == Access::min || Arg::access == Access::max) {
                row[d] = extreme<Arg::access == Access::min>(row[d], values[d]);
            } else {
                row[d] = values[d];
            }
        }
    }
}

/// Passes read arguments as const, all others by reference.
template <class Arg>
decltype(auto) as_kernel_sees(Values<double, Arg::size>& values) {
    if constexpr (Arg::access == Access::read) {
        return std::as_const(values);
    } else {
        return (values);
    }
}

/// Collects a loop's reductions over the elements of one rank.
template <class Arg>
struct ScalarReduction {
    void add(const Values<double, Arg::size>&) {}
};

template <Access access, int dim>
requires(access != Access::read) struct ScalarReduction<GlobalArg<access, dim>> {
    using Arg = GlobalArg<access, dim>;
    ExactSum sums[dim];
    Values<double, dim> extreme_values;

    ScalarReduction() {
        for (int d = 0; d < dim; ++d) {
            extreme_values[d] = access == Access::min ? std::numeric_limits<double>::infinity()
                                                      : -std::numeric_limits<double>::infinity();
        }
    }
    void add(const Values<double, dim>& values) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access == Access::inc) {
                sums[d].add(values[d]);
            } else {
                fold(d, values[d]);
            }
        }
    }
    void fold(int d, double value) {
        extreme_values[d] = extreme<access == Access::min>(extreme_values[d], value);
    }
};

template <class ArgTuple>
struct ScalarReductionsOf;
template <class... Args>
struct ScalarReductionsOf<std::tuple<Args...>> {
    using type = std::tuple<ScalarReduction<Args>...>;
};

/// One reduction for each argument of a loop; empty for those that are none.
template <class ArgTuple>
using ScalarReductions = typename ScalarReductionsOf<ArgTuple>::type;

/// Joins a rank's reduction with those of the others and with the global's value. Collective.
template <class Arg>
void finish_reduction(const Communicator& comm, const Arg& arg, ScalarReduction<Arg>& reduction) {
    if constexpr (!std::is_empty_v<ScalarReduction<Arg>>) {
        for (int d = 0; d < Arg::size; ++d) {
            double& result = (*arg.value)[d];
            if constexpr (Arg::access == Access::inc) {
                result += sum_over_ranks(comm, reduction.sums[d]);
            } else {
                reduction.fold(d, result);
                result = extreme_over_ranks<Arg::access == Access::min>(
                    comm, reduction.extreme_values[d]);
            }
        }
    }
}

}  // namespace halocline::detail
