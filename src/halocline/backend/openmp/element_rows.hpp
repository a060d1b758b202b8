// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows that elements contribute to targets of which others may be changing some: stored for some elements at
// a time, then each added at once or kept until it may be.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/bound_loop.hpp"
#include "halocline/backend/openmp/chunk_runs.hpp"
#include "halocline/backend/openmp/row_sum.hpp"

namespace halocline::detail {

/// Elements to run: places of a list, or without one elements as they lie, from the beginning of a block on.
struct ElementsToRun {
    const LocalIndex* list;
    LocalIndex begin;
    LocalIndex end;
};

/// Doubles that the rows of an element take for the arguments before `end`, with `beside` more for each.
template <class LoopT, std::size_t... i>
constexpr std::size_t row_doubles(std::size_t end, std::size_t beside,
                                  std::index_sequence<i...> /*all*/) {
    const auto of_arg = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) -> std::size_t {
        if constexpr (is_shared_change<ArgOf<LoopT, k>>) {
            return row_room<ArgOf<LoopT, k>::size> + beside;
        } else {
            return 0;
        }
    };
    return (std::size_t{0} + ... +
            (i < end ? of_arg(std::integral_constant<std::size_t, i>{}) : 0));
}

/// What stands before a row that is kept.
struct KeptHead {
    LocalIndex target;
    std::int32_t arg;
};
static_assert(sizeof(KeptHead) == sizeof(double));

template <class LoopT>
class ElementRows {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Elements whose rows are stored before they are added: they stay in a near cache.
    static constexpr LocalIndex elements_together = 64;
    static_assert(elements_between_looks % elements_together == 0);
    /// Doubles that an element keeps at most.
    static constexpr std::size_t kept_doubles = row_doubles<LoopT>(LoopT::arg_count, 1, Indices{});
    /// Rows of argument `i` of so many elements follow those of the arguments before.
    template <std::size_t i>
    static constexpr std::int64_t begin =
        static_cast<std::int64_t>(row_doubles<LoopT>(i, 0, Indices{})) * elements_together;

    /// Owned targets, whose turn it always is.
    struct OwnedTargets {
        [[nodiscard]] static Turn turn_of(LocalIndex target, LocalIndex owned) {
            return target < owned ? Turn::now : Turn::never;
        }
        [[nodiscard]] static bool leads_far(LocalIndex) { return false; }
    };

    /// Adds or keeps the rows of up to `elements_together` elements as `targets.turn_of(target, owned targets)`
    /// tells.
    template <class TargetsT>
    static void add_or_keep(const Run& run, const ElementsToRun& elements, double* rows,
                            const TargetsT& targets, KeptRows& near, KeptRows& far) {
        add_or_keep(run, elements, rows, targets, near, far, Indices{});
    }

    /// Adds what a chunk kept, in that order.
    static void add_kept(const Run& run, const KeptRows& kept) { add_kept(run, kept, Indices{}); }

    /// Adds one row to a target.
    template <std::size_t i>
    [[gnu::always_inline]] static void add(const BoundDat& view, LocalIndex target,
                                           const double* row) {
        auto* own = element_begin<typename Arg<i>::DatT>(base_of<Arg<i>>(view), target);
        add<i>(own, row, own);
    }
    template <std::size_t i>
    [[gnu::always_inline]] static void add(const typename Arg<i>::Stored* before, const double* row,
                                           typename Arg<i>::Stored* after) {
        using ArgT = Arg<i>;
        constexpr int step = component_step<typename ArgT::DatT>;
        RowSum<ArgT::access, ArgT::size, typename ArgT::Stored> sum;
        sum.template load<step>(before);
        sum.add(row);
        sum.template store<step>(after);
    }

private:
    template <class TargetsT, std::size_t... i>
    [[gnu::noinline]] static void add_or_keep(const Run& run, const ElementsToRun& elements,
                                              double* rows, const TargetsT& targets, KeptRows& near,
                                              KeptRows& far, std::index_sequence<i...>) {
        double unused[kept_doubles + 1];
        double* end = near.end != nullptr ? near.end : unused;
        for (LocalIndex k = elements.begin; k < elements.end; ++k) {
            const LocalIndex element = elements.list != nullptr ? elements.list[k] : k;
            (add_or_keep<i>(run, element, rows, k - elements.begin, targets, end, far), ...);
        }
        near.end = near.end != nullptr ? end : nullptr;
    }

    /// Which of it is next follows no pattern that a core could foresee, so that there is no branch: the row
    /// is kept, but the next one may take its place, and it is added, but maybe to what nobody reads.
    template <std::size_t i, class TargetsT>
    [[gnu::always_inline]] static void add_or_keep(const Run& run, LocalIndex element, double* rows,
                                                   std::int64_t place, const TargetsT& targets,
                                                   double*& end, KeptRows& far) {
        if constexpr (is_shared_change<Arg<i>>) {
            using DatT = typename Arg<i>::DatT;
            constexpr int room = row_room<Arg<i>::size>;
            static const typename Arg<i>::Stored zeros[component_step<DatT> * room + simd_lanes] =
                {};
            typename Arg<i>::Stored unread[component_step<DatT> * room + simd_lanes];
            const BoundDat& view = run.template view<i>();
            const LocalIndex target =
                view.map[std::int64_t{element} * Arg<i>::MapT::arity + Arg<i>::slot];
            const double* row = rows + begin<i> + place * room;
            const Turn turn = targets.turn_of(target, view.owned);
            if (turn == Turn::later && targets.leads_far(target)) [[unlikely]] {
                keep<i>(far.end, target, row);
                far.end += 1 + room;
                return;
            }
            keep<i>(end, target, row);
            end += turn == Turn::later ? 1 + room : 0;
            auto* own = element_begin<DatT>(base_of<Arg<i>>(view), target);
            const bool is_now = turn == Turn::now;
            add<i>(is_now ? own : zeros, row, is_now ? own : unread);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void keep(double* kept, LocalIndex target, const double* row) {
        const KeptHead head{target, static_cast<std::int32_t>(i)};
        std::memcpy(kept, &head, sizeof head);
        std::memcpy(kept + 1, row, sizeof(double) * row_room<Arg<i>::size>);
    }

    template <std::size_t... i>
    [[gnu::noinline]] static void add_kept(const Run& run, const KeptRows& kept,
                                           std::index_sequence<i...>) {
        for (const double* row = kept.begin; row < kept.end;) {
            KeptHead head;
            std::memcpy(&head, row++, sizeof head);
            (add_kept_of<i>(run, head, row), ...);
        }
    }
    /// Moves on to the next row.
    template <std::size_t i>
    [[gnu::always_inline]] static void add_kept_of(const Run& run, KeptHead& head,
                                                   const double*& row) {
        if constexpr (is_shared_change<Arg<i>>) {
            if (head.arg == static_cast<std::int32_t>(i)) {
                add<i>(run.template view<i>(), head.target, row);
                row += row_room<Arg<i>::size>;
            }
        }
    }
};

}  // namespace halocline::detail
