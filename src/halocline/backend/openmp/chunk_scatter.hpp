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
#include "halocline/backend/openmp/element_rows.hpp"
#include "halocline/backend/openmp/map_rows.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/backend/openmp/single_elements.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

template <class LoopT>
class ChunkScatter {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Elements = ElementsToRun;
    using Rows = ElementRows<LoopT>;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Runs the elements of a chunk.
    static void change(const Run& run, const ChunkRun& chunk, bool one_by_one) {
        const ElementLists& lists = run.scatter().elements;
        const ChunkTargets targets(run.scatter(), chunk.chunk, chunk.is_beside);
        for (const Stretch& stretch : lists.stretches_of(chunk.chunk)) {
            const LocalIndex* list = lists.element.data() + stretch.begin;
            const Elements elements = stretch.is_whole
                                          ? Elements{nullptr, *list, *list + stretch.size()}
                                          : Elements{list, 0, stretch.size()};
            const bool asks = stretch.asks == Asks::always ||
                              (stretch.asks == Asks::when_beside && chunk.is_beside);
            look_between(elements, chunk.messages, [&](const Elements& piece) {
                if (asks) {
                    change_in_turn(run, piece, one_by_one, nullptr, targets, chunk.near, chunk.far);
                } else if (one_by_one) {
                    scatter_one_by_one<Reach::owned>(run, piece, nullptr);
                } else {
                    scatter(run, piece, nullptr, nullptr, Indices{});
                }
            });
        }
    }

    /// Changes all targets, and what the loop changes directly and reduces. Elements run in the order
    /// given; empty: as they lie.
    static void all(const Run& run, const std::vector<LocalIndex>& order, bool one_by_one,
                    Reductions& reductions) {
        if (changes_targets_only && one_by_one && order.empty()) {
            scatter_one_by_one<Reach::anything>(run, {nullptr, 0, run.set().exec}, nullptr);
            return;
        }
        const Elements elements{order.empty() ? nullptr : order.data(), 0, run.set().exec};
        if (may_lead_nowhere(run, Indices{})) {
            KeptRows none;
            change_in_turn(run, elements, false, &reductions, typename Rows::OwnedTargets{}, none,
                           none);
        } else {
            scatter(run, elements, nullptr, &reductions, Indices{});
        }
    }

private:
    /// Calls `work(piece)` and looks after messages in between, where there are any.
    template <class Work>
    static void look_between(const Elements& elements, Context* messages, Work&& work) {
        if (messages == nullptr) {
            work(elements);
            return;
        }
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

    /// Computes some elements at a time, then adds or keeps their rows as `targets` tells.
    template <class TargetsT>
    static void change_in_turn(const Run& run, const Elements& elements, bool one_by_one,
                               Reductions* reductions, const TargetsT& targets, KeptRows& near,
                               KeptRows& far) {
        alignas(64) double rows[larger(Rows::template begin<LoopT::arg_count>, std::int64_t{1})];
        Elements some = elements;
        for (; some.begin < elements.end; some.begin = some.end) {
            some.end = smaller(some.begin + Rows::elements_together, elements.end);
            if (one_by_one) {
                scatter_one_by_one<Reach::rows>(run, some, rows);
            } else {
                scatter(run, some, rows, reductions, Indices{});
            }
            Rows::add_or_keep(run, some, rows, targets, near, far);
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

    /// `stored`: where the rows of up to `ElementRows::elements_together` elements are stored; with none they are added
    /// to their targets. `reductions`: of this thread, where elements also change what is their own; or null.
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void scatter(const Run& run, Elements elements,
                                                        double* stored, Reductions* reductions,
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
            if (stored != nullptr) {
                (store_rows_of<i>(stored, first - elements.begin, get<i>(rows)), ...);
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

    /// What elements that run one by one lead to: owned targets or not, or owned ones and no others, where
    /// they run as they lie; or rows, `stored` as `scatter` has it.
    enum class Reach { anything, owned, rows };

    template <Reach reach>
    [[gnu::noinline, gnu::flatten]] static void scatter_one_by_one(const Run& run,
                                                                   Elements elements,
                                                                   double* stored) {
        if constexpr (may_take_one_by_one<LoopT>) {
            const SingleElements<LoopT> single(run.loop());
            for (LocalIndex k = elements.begin; k < elements.end; ++k) {
                const bool is_listed = reach == Reach::rows && elements.list != nullptr;
                if (!is_listed) {
                    single.prefetch(k + elements_ahead);
                }
                single.run(is_listed ? elements.list[k] : k,
                           [&](auto arg, const auto& view, LocalIndex target, const auto& values) {
                               using ArgT = Arg<arg>;
                               if constexpr (!is_shared_change<ArgT>) {
                                   return;
                               } else if constexpr (reach == Reach::rows) {
                                   put_row<ArgT>(stored + Rows::template begin<arg>,
                                                 k - elements.begin, values);
                               } else {
                                   store_element_of<ArgT, reach == Reach::owned>(view, target,
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
    struct PackRows {
        PackRows() {}  // not set to zero with the tuple that holds it
        alignas(64) double values[pack_lanes * row_room<n>];
    };
    struct NoRows {};
    template <std::size_t i>
    using RowsOf = std::conditional_t<is_shared_change<Arg<i>>, PackRows<Arg<i>::size>, NoRows>;

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
            Rows::template add<i>(run.template view<i>(), maps.template target<i>(lane),
                                  rows.values + lane * row_room<ArgT::size>);
        }
    }

    /// Of the elements from `place` on.
    template <std::size_t i>
    [[gnu::always_inline]] static void store_rows_of(double* stored, std::int64_t place,
                                                     const RowsOf<i>& rows) {
        if constexpr (is_shared_change<Arg<i>>) {
            std::memcpy(stored + Rows::template begin<i> + place * row_room<Arg<i>::size>,
                        rows.values, sizeof rows.values);
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
