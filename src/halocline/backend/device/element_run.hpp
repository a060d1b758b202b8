// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One element of a loop with atomics: the kernel runs once, what it changes through maps is added in
// memory. The order of these additions is left open, so sums are equal up to rounding only.
#pragma once

#include <atomic>
#include <bit>
#include <limits>

#include "halocline/backend/device/dat_access.hpp"
#include "halocline/backend/device/element_views.hpp"
#include "halocline/backend/device/registers.hpp"
#include "halocline/loop/extreme_keys.hpp"

namespace halocline::device {

namespace detail {

HALOCLINE_HD inline void add_atomically(double& to, double value) {
#if defined(__CUDA_ARCH__)
    atomicAdd(&to, value);
#else
    std::atomic_ref<double>(to).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Puts `value` in place of `expected`, bits compared; returns what was there.
HALOCLINE_HD inline std::uint64_t exchange_bits(double& at, std::uint64_t expected,
                                                std::uint64_t value) {
#if defined(__CUDA_ARCH__)
    return atomicCAS(reinterpret_cast<unsigned long long*>(&at), expected, value);
#else
    double seen = std::bit_cast<double>(expected);
    std::atomic_ref<double>(at).compare_exchange_strong(seen, std::bit_cast<double>(value),
                                                        std::memory_order_relaxed);
    return std::bit_cast<std::uint64_t>(seen);
#endif
}

HALOCLINE_HD inline double look(const double& at) {
#if defined(__CUDA_ARCH__)
    return *static_cast<const volatile double*>(&at);
#else
    return std::atomic_ref<double>(const_cast<double&>(at)).load(std::memory_order_relaxed);
#endif
}

/// Keeps the smaller (larger) of two values in the order of `extreme_key`: any order of calls ends with
/// the same bits.
template <bool smallest>
HALOCLINE_HD void join_extreme_atomically(double& at, double value) {
    const std::int64_t key = extreme_key<smallest>(value);
    double seen = look(at);
    while (smallest ? key < extreme_key<smallest>(seen) : key > extreme_key<smallest>(seen)) {
        const auto expected = std::bit_cast<std::uint64_t>(seen);
        const std::uint64_t found =
            exchange_bits(at, expected, std::bit_cast<std::uint64_t>(value));
        if (found == expected) {
            return;
        }
        seen = std::bit_cast<double>(found);
    }
}

}  // namespace detail

/// Runs one element of a loop that changes dats through maps.
template <class LoopT>
class ElementRun {
    using View = ScatterView<LoopT>;

public:
    HALOCLINE_HD ElementRun(const View& view, LocalIndex element)
        : view_(view), element_(element) {}

    HALOCLINE_HD void run() { run_args(typename View::Indices{}); }

private:
    template <std::size_t... a>
    HALOCLINE_HD void run_args(std::index_sequence<a...>) {
        Tuple<Values<double, View::template Arg<a>::size>...> values;
        ((get<a>(values) = load<typename View::template Arg<a>>(get<a>(view_.args))), ...);
        view_.kernel(detail::as_kernel_sees<typename View::template Arg<a>>(get<a>(values))...);
        (store<typename View::template Arg<a>>(get<a>(view_.args), get<a>(values)), ...);
    }

    template <class Arg>
    HALOCLINE_HD LocalIndex place(const ArgView<Arg>& arg) const {
        if constexpr (Arg::is_indirect) {
            return arg.targets[std::int64_t{element_} * Arg::MapT::arity + Arg::slot];
        } else {
            return element_;
        }
    }

    /// What the kernel gets: an extreme starts from its neutral element, as whatever lies in memory is
    /// another thread's to change.
    template <class Arg>
    HALOCLINE_HD Values<double, Arg::size> load(const ArgView<Arg>& arg) const {
        constexpr Access access = Arg::access;
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Values<double, Arg::size> values;
        if constexpr (Arg::is_global) {
            for (int d = 0; d < Arg::size; ++d) {
                values[d] = arg.value(d);
            }
        } else if constexpr (access == Access::read || access == Access::read_write) {
            values = load_dat<typename Arg::DatT, Arg::size>(arg.values, arg.stride, place(arg));
        } else {
            for (int d = 0; d < Arg::size; ++d) {
                values[d] = access == Access::min   ? infinity
                            : access == Access::max ? -infinity
                                                    : no_increment;
            }
        }
        return values;
    }

    template <class Arg>
    HALOCLINE_HD void store(const ArgView<Arg>& arg,
                            const Values<double, Arg::size>& values) const {
        if constexpr (!Arg::is_global && Arg::access != Access::read) {
            const LocalIndex at = place(arg);
            if (at >= (Arg::is_indirect ? view_.owned_targets : view_.owned)) {
                return;  // another rank's, which computes it itself
            }
            if constexpr (Arg::is_indirect) {
                join(arg, at, values);
            } else {
                store_own(arg, at, values);
            }
        }
    }

    template <class Arg>
    HALOCLINE_HD static void join(const ArgView<Arg>& arg, LocalIndex at,
                                  const Values<double, Arg::size>& values) {
        using DatT = typename Arg::DatT;
        for (int d = 0; d < Arg::size; ++d) {
            double& to = arg.values[place_of<DatT>(arg.stride, at, d)];
            if constexpr (Arg::access == Access::inc) {
                detail::add_atomically(to, values[d]);
            } else {
                detail::join_extreme_atomically<Arg::access == Access::min>(to, values[d]);
            }
        }
    }

    template <class Arg>
    HALOCLINE_HD static void store_own(const ArgView<Arg>& arg, LocalIndex at,
                                       const Values<double, Arg::size>& values) {
        using DatT = typename Arg::DatT;
        Values<double, DatT::dim> result = values;
        if constexpr (Arg::access == Access::inc) {
            result = load_dat<DatT, DatT::dim>(arg.values, arg.stride, at);
            for (int d = 0; d < DatT::dim; ++d) {
                result[d] += values[d];
            }
        }
        store_dat<DatT>(arg.values, arg.stride, at, result);
    }

    const View& view_;
    LocalIndex element_;
};

}  // namespace halocline::device
