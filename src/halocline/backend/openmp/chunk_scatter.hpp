// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes through maps in the order of the file: a pack of elements at a time is computed, then each
// adds to its targets in turn. Threads run chunks of elements; what others may be adding to waits.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/chunk_runs.hpp"
#include "halocline/backend/openmp/map_rows.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/backend/openmp/row_sum.hpp"
#include "halocline/backend/openmp/single_elements.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

/// Doubles that an element keeps for the arguments before `end` where it has to wait.
template <class LoopT, std::size_t... i>
constexpr std::size_t kept_doubles_before(std::size_t end, std::index_sequence<i...> /*all*/) {
    const auto of_arg = []<std::size_t k>(std::integral_constant<std::size_t, k>) -> std::size_t {
        if constexpr (is_shared_change<ArgOf<LoopT, k>>) {
            return row_room<ArgOf<LoopT, k>::size>;
        } else {
            return 0;
        }
    };
    return (std::size_t{0} + ... +
            (i < end ? of_arg(std::integral_constant<std::size_t, i>{}) : 0));
}

template <class LoopT>
class ChunkScatter {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Doubles that an element keeps where it may have to wait.
    static constexpr std::size_t kept_doubles =
        kept_doubles_before<LoopT>(LoopT::arg_count, Indices{});

    /// Runs the elements of a chunk.
    static void change(const Run& run, const ChunkRun& chunk, bool one_by_one) {
        const ScatterPlan& plan = run.scatter();
        const ChunkTargets targets(plan, chunk.chunk, chunk.is_beside);
        for_each_stretch(
            plan, chunk, [&](const Stretch& stretch, const Elements& elements, Kept kept) {
                const bool asks = stretch.asks == Asks::always ||
                                  (stretch.asks == Asks::when_beside && chunk.is_beside);
                look_between(elements, chunk.messages, [&](const Elements& piece) {
                    change_piece(run, piece, asks ? &targets : nullptr, kept, one_by_one);
                });
            });
    }

    /// Adds what the chunk kept: `is_far` for targets that lead far, or for the others.
    static void add_kept(const Run& run, const ChunkRun& chunk, bool is_far) {
        const ScatterPlan& plan = run.scatter();
        const ChunkTargets targets(plan, chunk.chunk, chunk.is_beside);
        for_each_stretch(plan, chunk,
                         [&](const Stretch& stretch, const Elements& elements, Kept kept) {
                             if (stretch.asks == Asks::always ||
                                 (stretch.asks == Asks::when_beside && !is_far)) {
                                 add_kept(run, elements, kept, targets, is_far, Indices{});
                             }
                         });
    }

    /// Changes all targets, and what the loop changes directly and reduces. Elements run in the order
    /// given; empty: as they lie.
    static void all(const Run& run, const std::vector<LocalIndex>& order, bool one_by_one,
                    Reductions& reductions) {
        if (changes_targets_only && one_by_one && order.empty()) {
            scatter_one_by_one<Reach::anything>(run, {nullptr, 0, run.set().exec}, nullptr, {});
            return;
        }
        const Elements elements{order.empty() ? nullptr : order.data(), 0, run.set().exec};
        const ChunkTargets all;
        scatter(run, elements, may_lead_nowhere(run, Indices{}) ? &all : nullptr, {}, &reductions,
                Indices{});
    }

private:
    /// Elements to run: places of a list, or without one elements as they lie, from the beginning of a block
    /// on.
    struct Elements {
        const LocalIndex* list;
        LocalIndex begin;
        LocalIndex end;
    };
    /// Room for the rows of a stretch's elements, for one argument after the other.
    struct Kept {
        double* rows = nullptr;  ///< null: nothing waits
        LocalIndex first = 0;    ///< the stretch's first place
        LocalIndex room = 0;     ///< elements that there is room for

        /// Row of the element at `place`.
        template <std::size_t i>
        [[nodiscard]] double* row(LocalIndex place) const {
            return rows +
                   static_cast<std::int64_t>(kept_doubles_before<LoopT>(i, Indices{})) * room +
                   std::int64_t{place - first} * row_room<Arg<i>::size>;
        }
    };

    /// Calls `visit(stretch, elements, kept)` for the stretches of a chunk.
    template <class Visit>
    static void for_each_stretch(const ScatterPlan& plan, const ChunkRun& chunk, Visit&& visit) {
        double* rows = chunk.kept;
        for (const Stretch& stretch : plan.elements.stretches_of(chunk.chunk)) {
            const LocalIndex* list = plan.elements.element.data() + stretch.begin;
            const Elements elements = stretch.is_whole
                                          ? Elements{nullptr, *list, *list + stretch.size()}
                                          : Elements{list, 0, stretch.size()};
            const LocalIndex room = whole_blocks(stretch.size());
            visit(stretch, elements, Kept{rows, elements.begin, room});
            if (rows != nullptr && stretch.asks != Asks::never) {
                rows += static_cast<std::size_t>(room) * kept_doubles;
            }
        }
    }

    /// Calls `work(piece)` and looks after messages in between, where there are any.
    template <class Work>
    static void look_between(const Elements& elements, Context* messages, Work&& work) {
        if (messages == nullptr) {
            work(elements);
            return;
        }
        static_assert(elements_between_looks % simd_lanes == 0);
        for (LocalIndex first = elements.begin; first < elements.end;
             first += elements_between_looks) {
            work(Elements{elements.list, first,
                          smaller(first + elements_between_looks, elements.end)});
            messages->progress_halo();
        }
    }

    template <class ArgT>
    static constexpr bool is_read_or_target =
        is_shared_change<ArgT> || ArgT::access == Access::read;
    template <std::size_t... i>
    static constexpr bool reads_beside_targets(std::index_sequence<i...> /*all*/) {
        return (is_read_or_target<Arg<i>> && ...);
    }
    static constexpr bool changes_targets_only = reads_beside_targets(Indices{});

    /// `targets`: what elements may change and when; null: all that they reach, now.
    static void change_piece(const Run& run, const Elements& piece, const ChunkTargets* targets,
                             const Kept& kept, bool one_by_one) {
        if (!one_by_one) {
            scatter(run, piece, targets, kept, nullptr, Indices{});
        } else if (targets == nullptr) {
            scatter_one_by_one<Reach::owned>(run, piece, nullptr, kept);
        } else {
            scatter_one_by_one<Reach::as_told>(run, piece, targets, kept);
        }
    }

    /// Whether targets may be absent: what a dat states for these is no element's to change.
    template <std::size_t... i>
    static bool may_lead_nowhere(const Run& run, std::index_sequence<i...>) {
        const auto of_arg = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
            if constexpr (is_shared_change<Arg<k>>) {
                return run.template arg<k>().store->set->has_absent;
            } else {
                return false;
            }
        };
        return (of_arg(std::integral_constant<std::size_t, i>{}) || ...);
    }

    /// `targets`, `kept`: as `change_piece` has them. `reductions`: of this thread, where elements also
    /// change what is their own; or null.
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void scatter(const Run& run, Elements elements,
                                                        const ChunkTargets* targets,
                                                        const Kept& kept, Reductions* reductions,
                                                        std::index_sequence<i...>) {
        for (LocalIndex first = elements.begin; first < elements.end; first += pack_lanes) {
            const int lanes = smaller(pack_lanes, elements.end - first);
            LocalIndex element[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                element[lane] = first + lane;
            }
            if (lanes < pack_lanes) {
                for (LocalIndex& place : element) {
                    place = smaller(place, elements.end - 1);
                }
            }
            if (elements.list != nullptr) {
                for (LocalIndex& place : element) {
                    place = elements.list[place];
                }
            }
            if (elements.list == nullptr) {
                (prefetch_block_of<i>(run, first), ...);
            }
            const MapRows<LoopT> maps(run, element);
            Tuple values{load<i>(run, maps, elements, first, element)...};
            run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
            Tuple<RowsOf<i>...> rows;
            (put<i>(get<i>(values), get<i>(rows)), ...);
            if (targets != nullptr) {
                if (kept.rows != nullptr) {
                    (keep<i>(kept, first, get<i>(rows)), ...);
                }
                for (int lane = 0; lane < lanes; ++lane) {
                    (change_in_turn<i>(*targets, run, maps, get<i>(rows), lane), ...);
                }
            } else {
                for (int lane = 0; lane < lanes; ++lane) {
                    (change<i>(run, maps, get<i>(rows), lane), ...);
                }
            }
            if (reductions != nullptr) {
                (store_direct<i>(run, elements, first, element, lanes, get<i>(values)), ...);
                (store_exclusive<i>(run, maps, lanes, get<i>(values)), ...);
                const Mask owned = owned_lanes(run, element) & Mask::first(lanes);
                (get<i>(*reductions).add(get<i>(values), owned), ...);
            }
        }
    }

    /// What elements that run one by one lead to: owned targets or not; owned ones and no others; what
    /// `targets` tells of.
    enum class Reach { anything, owned, as_told };

    template <Reach reach>
    [[gnu::noinline, gnu::flatten]] static void scatter_one_by_one(const Run& run,
                                                                   Elements elements,
                                                                   const ChunkTargets* targets,
                                                                   const Kept& kept) {
        if constexpr (may_take_one_by_one<LoopT>) {
            const SingleElements<LoopT> single(run.loop());
            for (LocalIndex k = elements.begin; k < elements.end; ++k) {
                if (elements.list == nullptr) {
                    single.prefetch(k + elements_ahead);
                }
                single.run(elements.list != nullptr ? elements.list[k] : k,
                           [&](auto arg, const auto& view, LocalIndex target, const auto& values) {
                               using ArgT = Arg<arg>;
                               if constexpr (is_shared_change<ArgT>) {
                                   if constexpr (reach == Reach::as_told) {
                                       const Turn turn = targets->turn_of(target, view.owned);
                                       if (turn == Turn::later) {
                                           put_row<ArgT>(kept.template row<arg>(k), 0, values);
                                       }
                                       if (turn != Turn::now) {
                                           return;
                                       }
                                   }
                                   store_element_of<ArgT, reach != Reach::anything>(view, target,
                                                                                    values, true);
                               }
                           });
            }
        }
    }

    /// Import-exec elements are counted where they are owned.
    [[nodiscard]] static Mask owned_lanes(const Run& run, const LocalIndex (&element)[pack_lanes]) {
        std::int64_t lanes[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            lanes[lane] = element[lane] < run.set().owned ? -1 : 0;
        }
        Mask mask;
        std::memcpy(&mask.lanes, lanes, sizeof lanes);
        return mask;
    }

    template <int n>
    struct Rows {
        Rows() {}  // not set to zero with the tuple that holds it
        alignas(64) double values[pack_lanes * row_room<n>];
    };
    struct NoRows {};
    template <std::size_t i>
    using RowsOf = std::conditional_t<is_shared_change<Arg<i>>, Rows<Arg<i>::size>, NoRows>;

    /// What each element of a pack contributes, row by row.
    template <std::size_t i>
    [[gnu::always_inline]] static void put(const ArgValues<Arg<i>, Pack>& values, RowsOf<i>& rows) {
        if constexpr (is_shared_change<Arg<i>>) {
            store_rows<Arg<i>::size>(as_lanes(values), rows.values);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void change(const Run& run, const MapRows<LoopT>& maps,
                                              const RowsOf<i>& rows, int lane) {
        using ArgT = Arg<i>;
        if constexpr (is_shared_change<ArgT>) {
            add_row<i>(run.template view<i>(), maps.template target<i>(lane),
                       rows.values + lane * row_room<ArgT::size>);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void add_row(const BoundDat& view, LocalIndex target,
                                               const double* row) {
        using ArgT = Arg<i>;
        constexpr int step = component_step<typename ArgT::DatT>;
        auto* own = element_begin<typename ArgT::DatT>(base_of<ArgT>(view), target);
        RowSum<ArgT::access, ArgT::size, typename ArgT::Stored> sum;
        sum.template load<step>(own);
        sum.add(row);
        sum.template store<step>(own);
    }

    /// The same where it is the element's turn.
    template <std::size_t i>
    [[gnu::always_inline]] static void change_in_turn(const ChunkTargets& targets, const Run& run,
                                                      const MapRows<LoopT>& maps,
                                                      const RowsOf<i>& rows, int lane) {
        if constexpr (is_shared_change<Arg<i>>) {
            const LocalIndex target = maps.template target<i>(lane);
            if (targets.turn_of(target, run.template view<i>().owned) == Turn::now) {
                change<i>(run, maps, rows, lane);
            }
        }
    }

    /// Of the elements from `first` on, whether they wait or not.
    template <std::size_t i>
    [[gnu::always_inline]] static void keep(const Kept& kept, LocalIndex first,
                                            const RowsOf<i>& rows) {
        if constexpr (is_shared_change<Arg<i>>) {
            std::memcpy(kept.template row<i>(first), rows.values, sizeof rows.values);
        }
    }

    template <std::size_t... i>
    [[gnu::noinline]] static void add_kept(const Run& run, const Elements& elements,
                                           const Kept& kept, const ChunkTargets& targets,
                                           bool is_far, std::index_sequence<i...>) {
        for (LocalIndex k = elements.begin; k < elements.end; ++k) {
            const LocalIndex element = elements.list != nullptr ? elements.list[k] : k;
            (add_kept<i>(run, element, kept, k, targets, is_far), ...);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void add_kept(const Run& run, LocalIndex element,
                                                const Kept& kept, LocalIndex place,
                                                const ChunkTargets& targets, bool is_far) {
        if constexpr (is_shared_change<Arg<i>>) {
            const BoundDat& view = run.template view<i>();
            const LocalIndex target =
                view.map[std::int64_t{element} * Arg<i>::MapT::arity + Arg<i>::slot];
            if (targets.turn_of(target, view.owned) == Turn::later &&
                targets.leads_far(target) == is_far) {
                add_row<i>(view, target, kept.template row<i>(place));
            }
        }
    }

    template <std::size_t i>
    static void store_exclusive(const Run& run, const MapRows<LoopT>& maps, int lanes,
                                const ArgValues<Arg<i>, Pack>& values) {
        if constexpr (Arg<i>::is_exclusive) {
            const BoundDat& view = run.template view<i>();
            LocalIndex target[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                const LocalIndex found = maps.template target<i>(lane);
                target[lane] = lane < lanes && found < view.owned ? found : -1;
            }
            store_at<Arg<i>>(view, target, values);
        }
    }

    template <std::size_t i>
    static constexpr bool is_direct = !Arg<i>::is_global && !Arg<i>::is_indirect;

    /// Elements as they lie are packs of blocks.
    template <std::size_t i>
    [[gnu::always_inline]] static typename Arg<i>::Stored* block(const Run& run, LocalIndex first) {
        return block_of<Arg<i>>(run.template view<i>(), first / simd_lanes, nullptr);
    }

    /// Asks for what a later pack reads of its own, where rows are wide (`prefetch_own_row`).
    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch_block_of(const Run& run, LocalIndex first) {
        if constexpr (is_direct<i> && Arg<i>::access != Access::write) {
            if constexpr (is_wide_row<Arg<i>>) {
                if (first % simd_lanes == 0) {
                    prefetch_block<Arg<i>>(block<i>(run, first + elements_ahead));
                }
            }
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static auto load(const Run& run, const MapRows<LoopT>& maps,
                                            const Elements& elements, LocalIndex first,
                                            const LocalIndex (&element)[pack_lanes]) {
        if constexpr (is_direct<i> && Arg<i>::access != Access::inc &&
                      Arg<i>::access != Access::write) {
            if (elements.list == nullptr) {
                return load_block<Arg<i>>(block<i>(run, first), first % simd_lanes);
            }
        }
        return maps.template load_values<i>(run, element);
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void store_direct(const Run& run, const Elements& elements,
                                                    LocalIndex first,
                                                    const LocalIndex (&element)[pack_lanes],
                                                    int lanes,
                                                    const ArgValues<Arg<i>, Pack>& values) {
        using ArgT = Arg<i>;
        if constexpr (is_direct<i> && ArgT::access != Access::read) {
            const LocalIndex owned = run.set().owned;
            if (elements.list == nullptr) {
                change_block<ArgT>(block<i>(run, first), first % simd_lanes, values,
                                   smaller(lanes, owned - first),
                                   {StoreMode::cached, run.template view<i>().how.completes});
                return;
            }
            LocalIndex own[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                own[lane] = lane < lanes && element[lane] < owned ? element[lane] : -1;
            }
            store_at<ArgT>(run.template view<i>(), own, values);
        }
    }
};

}  // namespace halocline::detail
