// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes through several columns of maps: each element of a range of targets is computed once, what
// it contributes waits in scratch memory, and targets add it up in global order.
#pragma once

#include <algorithm>
#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"

namespace halocline::detail {

/// Adds rows of `n` lanes, `row_room` apart, to values of type T that stay in registers; each sum is
/// what storing it would make of it.
template <Access access, int n, class T = double>
class RowSum {
    static constexpr int room = row_room<n>;
    static constexpr int lanes = std::min(room, 4);
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
            value_ = widened(narrowed_value<T>(value_ + term));
        } else {
            value_ = widened(narrowed_value<T>(extreme<access == Access::min>(value_, term)));
        }
    }

private:
    ValueOf<T, double> value_ = 0;
};

/// What changes nothing, as a lane: for contributions that a loop has through some of its columns only.
template <Access access, class T = double>
inline constexpr double neutral_contribution =
    lane_of_value(access == Access::inc ? neutral_increment<ValueOf<T, double>>()
                                        : no_extreme<ValueOf<T, double>, access == Access::min>());

template <class LoopT>
class ComputeOnce {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Doubles that the contributions of a range take.
    static std::size_t scratch_size(const Run& run) {
        std::size_t size = 0;
        for (const ContributionGroup& group : run.changed().groups()) {
            size += group_size(run, group);
        }
        return size;
    }

    /// Runs the kernel for all elements of a range; `scratch` holds what they contribute.
    static void compute(const Run& run, LocalIndex range, double* scratch) {
        compute(run, range, scratch, Indices{});
    }

    /// Adds what is there for the targets of block `b`, which lies in that range.
    static void sum(const Run& run, LocalIndex b, double* tiles, const double* scratch) {
        sum(run, b, tiles, scratch, Indices{});
    }

private:
    static std::size_t group_size(const Run& run, const ContributionGroup& group) {
        return run.changed().columns().size() * static_cast<std::size_t>(run.once().capacity) *
               static_cast<std::size_t>(group.room);
    }

    static std::size_t group_begin(const Run& run, int group) {
        std::size_t begin = 0;
        for (int g = 0; g < group; ++g) {
            begin += group_size(run, run.changed().groups()[static_cast<std::size_t>(g)]);
        }
        return begin;
    }

    /// Where the first element's contribution through argument `i` lies.
    template <std::size_t i>
    static std::size_t rows_begin(const Run& run) {
        if constexpr (is_shared_change<Arg<i>>) {
            return group_begin(run, run.changed().group_of(i)) +
                   static_cast<std::size_t>(run.changed().column_of(i)) *
                       static_cast<std::size_t>(run.once().capacity) * row_room<Arg<i>::size>;
        } else {
            return 0;
        }
    }

    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void compute(const Run& run, LocalIndex range,
                                                        double* scratch,
                                                        std::index_sequence<i...>) {
        const RangeElements& elements = run.once().elements;
        const auto r = static_cast<std::size_t>(range);
        const LocalIndex* list = elements.element.data() + elements.begin[r];
        const auto count = static_cast<LocalIndex>(elements.begin[r + 1] - elements.begin[r]);
        double* const rows[] = {scratch + rows_begin<i>(run)...};
        for (LocalIndex first = 0; first < count; first += pack_lanes) {
            LocalIndex element[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                element[lane] = list[std::min(first + lane, count - 1)];
            }
            Tuple values{load_values<i>(run, element)...};
            run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
            (put<i>(rows[i], first, get<i>(values)), ...);
        }
        (fill_missing<i>(run, scratch, count), ...);
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void put(double* rows, LocalIndex first,
                                           const ArgValues<Arg<i>, Pack>& values) {
        if constexpr (is_shared_change<Arg<i>>) {
            store_rows<Arg<i>::size>(as_lanes(values),
                                     rows + std::int64_t{first} * row_room<Arg<i>::size>);
        }
    }

    /// The first argument of a group stands for columns through which nobody changes its dat.
    template <std::size_t i>
    static void fill_missing(const Run& run, double* scratch, LocalIndex count) {
        if constexpr (is_shared_change<Arg<i>>) {
            const ContributionGroup& group = group_of<i>(run);
            const auto columns = run.changed().columns().size();
            if (group.first_arg != i || group.columns.size() == columns) {
                return;
            }
            constexpr int room = row_room<Arg<i>::size>;
            for (std::size_t c = 0; c < columns; ++c) {
                if (std::find(group.columns.begin(), group.columns.end(), static_cast<int>(c)) ==
                    group.columns.end()) {
                    double* rows = scratch + group_begin(run, run.changed().group_of(i)) +
                                   c * static_cast<std::size_t>(run.once().capacity) * room;
                    std::fill_n(rows, std::int64_t{count} * room,
                                neutral_contribution<Arg<i>::access, typename Arg<i>::Stored>);
                }
            }
        }
    }

    template <std::size_t i>
    static const ContributionGroup& group_of(const Run& run) {
        return run.changed().groups()[static_cast<std::size_t>(run.changed().group_of(i))];
    }

    template <std::size_t... i>
    static void sum(const Run& run, LocalIndex b, double* tiles, const double* scratch,
                    std::index_sequence<i...>) {
        (sum_group<i>(run, b, tiles, scratch), ...);
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void sum_group(const Run& run, LocalIndex b, double* tiles,
                                                 const double* scratch) {
        using ArgT = Arg<i>;
        if constexpr (is_shared_change<ArgT>) {
            if (group_of<i>(run).first_arg != i) {
                return;
            }
            const BoundDat& view = run.template view<i>();
            auto* memory = block_of<ArgT>(view, b, tiles);
            sum_rows<i>(run, b, memory, scratch + group_begin(run, run.changed().group_of(i)));
            if constexpr (uses_derived<typename ArgT::DatT>) {
                if (!view.how.completes) {
                    return;
                }
                for_each_pack(b, view.owned, [&](PackPlace place) {
                    store_block<ArgT>(memory, place.lane(), load_block<ArgT>(memory, place.lane()),
                                      lanes_of(view, place));
                });
            }
        }
    }

    template <std::size_t i>
    [[gnu::noinline]] static void sum_rows(const Run& run, LocalIndex b,
                                           typename Arg<i>::Stored* memory,
                                           const double* contributions) {
        using ArgT = Arg<i>;
        using DatT = typename ArgT::DatT;
        constexpr int room = row_room<ArgT::size>;
        constexpr int step = uses_lanes<DatT> ? simd_lanes : 1;
        constexpr int lane_step = uses_lanes<DatT> ? 1 : row_stride<DatT>;
        const OncePlan& plan = run.once();
        const LocalIndex first = b * simd_lanes;
        const LocalIndex last = std::min(first + simd_lanes, run.template view<i>().owned);
        for (LocalIndex target = first; target < last; ++target) {
            const LocalIndex begin = plan.row_begin[static_cast<std::size_t>(target)];
            const LocalIndex end = plan.row_begin[static_cast<std::size_t>(target) + 1];
            auto* own = memory + std::int64_t{target - first} * lane_step;
            RowSum<ArgT::access, ArgT::size, typename ArgT::Stored> sum;
            sum.template load<step>(own);
            for (LocalIndex e = begin; e < end; ++e) {
                sum.add(contributions +
                        static_cast<std::size_t>(plan.entry[static_cast<std::size_t>(e)]) * room);
            }
            sum.template store<step>(own);
        }
    }
};

}  // namespace halocline::detail
