// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes through several columns of maps: each element of a range of targets is computed once, what
// it contributes waits in scratch memory, and targets add it up in global order.
#pragma once

#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/backend/openmp/row_sum.hpp"
#include "halocline/backend/openmp/single_elements.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

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
        return run.changed().contributed_doubles() * capacity(run);
    }

    /// Runs the kernel for all elements of a range, in packs or one by one; `scratch` holds what they
    /// contribute.
    static void compute(const Run& run, LocalIndex range, bool one_by_one, double* scratch) {
        const ElementLists& elements = run.once().elements;
        const auto r = static_cast<std::size_t>(range);
        const Members members{elements.element.data() + elements.begin[r],
                              static_cast<LocalIndex>(elements.begin[r + 1] - elements.begin[r])};
        if (one_by_one) {
            compute_one_by_one(run, range, scratch, Indices{});
        } else {
            compute_packs(run, members, scratch, Indices{});
        }
        fill_missing(run, scratch, members.count, Indices{});
    }

    /// Adds what is there for the targets of block `b`, which lies in that range.
    static void sum(const Run& run, LocalIndex b, double* tiles, const double* scratch) {
        sum(run, b, tiles, scratch, Indices{});
    }

private:
    /// Elements of a range.
    struct Members {
        const LocalIndex* list;
        LocalIndex count;

        /// The element at a place, or the last one.
        [[nodiscard]] [[gnu::always_inline]] LocalIndex at_most(LocalIndex place) const {
            return list[smaller(place, count - 1)];
        }
    };

    static std::size_t capacity(const Run& run) {
        return static_cast<std::size_t>(run.once().capacity);
    }
    static std::size_t group_begin(const Run& run, const ContributionGroup& group) {
        return group.doubles_before * capacity(run);
    }

    /// Where the first element's contribution through argument `i` lies.
    template <std::size_t i>
    static std::size_t rows_begin(const Run& run) {
        if constexpr (is_shared_change<Arg<i>>) {
            return group_begin(run, group_of<i>(run)) +
                   static_cast<std::size_t>(run.changed().column_of(i)) * capacity(run) *
                       row_room<Arg<i>::size>;
        } else {
            return 0;
        }
    }

    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void compute_packs(const Run& run, Members members,
                                                              double* scratch,
                                                              std::index_sequence<i...>) {
        double* const rows[] = {scratch + rows_begin<i>(run)...};
        for (LocalIndex first = 0; first < members.count; first += pack_lanes) {
            LocalIndex element[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                element[lane] = members.at_most(first + lane);
                (prefetch<i>(run, members.at_most(first + lane + elements_ahead)), ...);
            }
            Tuple values{load_values<i>(run, element)...};
            run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
            (put<i>(rows[i], first, get<i>(values)), ...);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void put(double* rows, LocalIndex first,
                                           const ArgValues<Arg<i>, Pack>& values) {
        if constexpr (is_shared_change<Arg<i>>) {
            store_rows<Arg<i>::size>(as_lanes(values),
                                     rows + std::int64_t{first} * row_room<Arg<i>::size>);
        }
    }

    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void compute_one_by_one(const Run& run, LocalIndex range,
                                                                   double* scratch,
                                                                   std::index_sequence<i...>) {
        if constexpr (may_take_one_by_one<LoopT>) {
            double* const rows[] = {scratch + rows_begin<i>(run)...};
            const SingleElements<LoopT> elements(run.loop());
            LocalIndex place = 0;
            const auto compute_one = [&](LocalIndex element) {
                elements.run(element, [&](auto arg, const auto&, LocalIndex, const auto& values) {
                    put_row<Arg<arg>>(rows[arg], place, values);
                });
                ++place;
            };
            for (const Stretch& stretch : run.once().elements.stretches_of(range)) {
                const LocalIndex* list = run.once().elements.element.data() + stretch.begin;
                const auto count = static_cast<LocalIndex>(stretch.end - stretch.begin);
                if (stretch.is_whole) {
                    for (LocalIndex element = *list; element < *list + count; ++element) {
                        elements.prefetch(element + elements_ahead);
                        compute_one(element);
                    }
                } else {
                    const Members members{list, count};
                    for (LocalIndex k = 0; k < count; ++k) {
                        (prefetch<i>(run, members.at_most(k + elements_ahead)), ...);
                        compute_one(list[k]);
                    }
                }
            }
        }
    }

    /// Asks for what a later element reads of its own, and for its row of a map: those that reach into the
    /// range from elsewhere lie anywhere.
    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch(const Run& run, LocalIndex element) {
        if constexpr (!Arg<i>::is_global) {
            const BoundDat& view = run.template view<i>();
            if constexpr (Arg<i>::is_indirect) {
                if constexpr (first_through_map<LoopT, i>() == i) {
                    __builtin_prefetch(view.map + std::int64_t{element} * Arg<i>::MapT::arity);
                }
            } else if constexpr (Arg<i>::access == Access::read) {
                prefetch_element<Arg<i>>(base_of<Arg<i>>(view), element);
            }
        }
    }

    template <std::size_t... i>
    static void fill_missing(const Run& run, double* scratch, LocalIndex count,
                             std::index_sequence<i...>) {
        (fill_missing<i>(run, scratch, count), ...);
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
                if (!group.has(static_cast<int>(c))) {
                    double* rows = scratch + group_begin(run, group) + c * capacity(run) * room;
                    for (std::int64_t k = 0; k < std::int64_t{count} * room; ++k) {
                        rows[k] = neutral_contribution<Arg<i>::access, typename Arg<i>::Stored>;
                    }
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
            const double* contributions = scratch + group_begin(run, group_of<i>(run));
            const SummedRows& rows = run.once().rows;
            if (rows.narrow.empty()) {
                sum_rows<i>(run, b, memory, contributions, rows.wide.data());
            } else {
                sum_rows<i>(run, b, memory, contributions, rows.narrow.data());
            }
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

    /// Sums that advance together, since each waits for its last addition: as many as stay in registers.
    template <class ArgT>
    static constexpr int sums_together = smaller(static_cast<int>(simd_lanes),
                                                 larger(32 / row_room<ArgT::size>, 1));

    template <std::size_t i, class Number>
    [[gnu::noinline]] static void sum_rows(const Run& run, LocalIndex b,
                                           typename Arg<i>::Stored* memory,
                                           const double* contributions, const Number* numbers) {
        constexpr int together = sums_together<Arg<i>>;
        const LocalIndex first = b * simd_lanes;
        const LocalIndex targets = smaller(simd_lanes, run.template view<i>().owned - first);
        const LocalIndex* begin = run.once().rows.begin.data() + first;
        const TargetRows<Number> rows{contributions, numbers + *begin, begin,
                                      SummedRows::common_of_block(begin, targets)};
        LocalIndex lane = 0;
        for (; lane + together <= targets; lane += together) {
            sum_lanes<Arg<i>, together>(rows, lane, memory);
        }
        for (; lane < targets; ++lane) {
            sum_lanes<Arg<i>, 1>(rows, lane, memory);
        }
    }

    /// What the targets of a block add.
    template <class Number>
    struct TargetRows {
        const double* contributions;
        const Number* numbers;    ///< of the block
        const LocalIndex* begin;  ///< of its targets
        LocalIndex common;        ///< rows that each target has

        /// What is left of a lane.
        [[nodiscard]] const Number* left_of(LocalIndex lane) const {
            return numbers + std::int64_t{common} * (simd_lanes - lane) + (begin[lane] - begin[0]);
        }
        [[nodiscard]] LocalIndex left(LocalIndex lane) const {
            return begin[lane + 1] - begin[lane] - common;
        }
    };

    template <class ArgT, int together, class Number>
    [[gnu::always_inline]] static void sum_lanes(const TargetRows<Number>& rows, LocalIndex lane,
                                                 typename ArgT::Stored* memory) {
        using DatT = typename ArgT::DatT;
        constexpr int room = row_room<ArgT::size>;
        constexpr int step = uses_lanes<DatT> ? simd_lanes : 1;
        constexpr int lane_step = uses_lanes<DatT> ? 1 : row_stride<DatT>;
        auto* own = memory + std::int64_t{lane} * lane_step;
        RowSum<ArgT::access, ArgT::size, typename ArgT::Stored> sums[together];
        for (int k = 0; k < together; ++k) {
            sums[k].template load<step>(own + k * lane_step);
        }
        const Number* number = rows.numbers + lane;
        for (LocalIndex slot = 0; slot < rows.common; ++slot, number += simd_lanes) {
            for (int k = 0; k < together; ++k) {
                sums[k].add(rows.contributions + std::size_t{number[k]} * room);
            }
        }
        for (int k = 0; k < together; ++k) {
            const Number* left = rows.left_of(lane + k);
            for (LocalIndex at = 0; at < rows.left(lane + k); ++at) {
                sums[k].add(rows.contributions + std::size_t{left[at]} * room);
            }
            sums[k].template store<step>(own + k * lane_step);
        }
    }
};

}  // namespace halocline::detail
