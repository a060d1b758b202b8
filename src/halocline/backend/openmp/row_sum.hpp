// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of contributions added to the components of a target.
#pragma once

#include <utility>

#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

/// Adds rows of `n` lanes, `row_room` apart, to values of type T that stay in registers; each sum is
/// what storing it would make of it.
template <Access access, int n, class T = double>
class RowSum {
    static constexpr int room = row_room<n>;
    static constexpr int lanes = smaller(room, 4);
    static constexpr int vectors = room / lanes;
    using Vector = typename VectorOf<lanes>::type;

public:
    /// `step`: values from one component to the next. What lies behind a row is read, too.
    template <int step>
    [[gnu::always_inline]] void load(const T* first) {
        for (int v = 0; v < vectors; ++v) {
            if constexpr (step == 1) {
                values_[v] = load_part<Vector>(first + v * lanes);
            } else {
                // Not by way of memory: a vector that is loaded waits for all that was stored of it.
                values_[v] = [&]<int... k>(std::integer_sequence<int, k...>) {
                    return Vector{component<step>(first, v * lanes + k)...};
                }
                (std::make_integer_sequence<int, lanes>{});
            }
        }
    }
    template <int step>
    [[gnu::always_inline]] void store(T* first) const {
        constexpr int whole = step == 1 ? n / lanes : 0;
        for (int v = 0; v < whole; ++v) {
            if constexpr (std::is_same_v<T, double>) {
                store_unaligned(first + v * lanes, values_[v]);
            } else {
                store_lanes(first + v * lanes, values_[v]);
            }
        }
        for_each_component([&](auto d) {
            if constexpr (d >= whole * lanes) {
                put_lane(first + d * step, values_[d / lanes][d % lanes]);
            }
        });
    }
    [[gnu::always_inline]] void add(const double* row) {
        if constexpr (access == Access::inc) {
            for (int v = 0; v < vectors; ++v) {
                values_[v] = as_stored<T>(
                    sum_of_lanes<T>(values_[v], load_unaligned<Vector>(row + v * lanes)));
            }
        } else {
            for_each_component([&](auto d) {
                values_[d / lanes][d % lanes] =
                    extreme_lane<access == Access::min, T>(values_[d / lanes][d % lanes], row[d]);
            });
        }
    }

private:
    template <int step>
    [[gnu::always_inline]] static double component(const T* first, int d) {
        return d < n ? lane_of(first + d * step) : 0.0;
    }

    /// With numbers known at compile time: what is indexed stays in registers.
    template <class Function>
    [[gnu::always_inline]] static void for_each_component(Function&& function) {
        [&]<int... d>(std::integer_sequence<int, d...>) {
            (function(std::integral_constant<int, d>{}), ...);
        }
        (std::make_integer_sequence<int, n>{});
    }

    Vector values_[vectors] = {};
};

/// One component: a plain number, which a vector of one would only be in name.
template <Access access, class T>
class RowSum<access, 1, T> {
public:
    template <int>
    void load(const T* first) {
        value_ = widened(load_element(first));
    }
    template <int>
    void store(T* first) const {
        store_element(first, narrowed_value<T>(value_));
    }
    [[gnu::always_inline]] void add(const double* row) {
        const ValueOf<T, double> term = value_of_lane<T>(*row);
        if constexpr (access == Access::inc) {
            value_ = stored_value<T>(value_ + term);
        } else {
            value_ = stored_value<T>(extreme<access == Access::min>(value_, term));
        }
    }

private:
    ValueOf<T, double> value_ = 0;
};

/// Writes what one element contributes into row `place` of those from `rows` on.
template <class Arg>
[[gnu::always_inline]] inline void put_row(double* rows, LocalIndex place,
                                           const ArgValues<Arg, double>& values) {
    if constexpr (is_shared_change<Arg>) {
        double* row = rows + std::int64_t{place} * row_room<Arg::size>;
        for (int d = 0; d < Arg::size; ++d) {
            row[d] = lane_of_value(values[d]);
        }
    }
}

}  // namespace halocline::detail
