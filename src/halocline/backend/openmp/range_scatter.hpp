// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes through maps in the order of the file: a pack of elements at a time is computed, then each
// adds to its targets in turn. A range of targets belongs to one thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/map_rows.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/backend/openmp/row_sum.hpp"
#include "halocline/backend/openmp/single_elements.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

template <class LoopT>
class RangeScatter {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

public:
    /// Changes the targets of a range. `messages`: of this context are in flight meanwhile, and this thread looks
    /// after them; or null.
    static void range(const Run& run, LocalIndex range, bool one_by_one, Context* messages) {
        const ScatterPlan& plan = run.scatter();
        const Targets targets{
            plan.ranges.first_block(range) * simd_lanes,
            smaller(plan.ranges.end_block(range) * simd_lanes, run.targets()->owned)};
        for (const Stretch& stretch : plan.elements.stretches_of(range)) {
            const LocalIndex* list = plan.elements.element.data() + stretch.begin;
            const auto count = static_cast<LocalIndex>(stretch.end - stretch.begin);
            const Elements elements = stretch.is_whole ? Elements{nullptr, *list, *list + count}
                                                       : Elements{list, 0, count};
            look_between(elements, messages, [&](const Elements& piece) {
                change_piece(run, piece, targets, one_by_one);
            });
        }
    }

    /// Changes all targets, and what the loop changes directly and reduces. Elements run in the order
    /// given; empty: as they lie.
    static void all(const Run& run, const std::vector<LocalIndex>& order, bool one_by_one,
                    Reductions& reductions) {
        if (changes_targets_only && one_by_one && order.empty()) {
            scatter_one_by_one<Reach::anything>(run, {nullptr, 0, run.set().exec}, {});
            return;
        }
        const Elements elements{order.empty() ? nullptr : order.data(), 0, run.set().exec};
        constexpr Targets all{0, std::numeric_limits<LocalIndex>::max()};
        scatter(run, elements, all, may_lead_nowhere(run, Indices{}), &reductions, Indices{});
    }

private:
    /// Elements to run: places of a list, or without one elements as they lie, from the beginning of a block
    /// on.
    struct Elements {
        const LocalIndex* list;
        LocalIndex begin;
        LocalIndex end;
    };
    /// The targets that may be changed; others belong to other ranges or ranks, or are absent.
    struct Targets {
        LocalIndex begin = 0;
        LocalIndex end = 0;

        [[nodiscard]] bool has(LocalIndex target) const {
            const auto place = static_cast<std::uint32_t>(target - begin);
            return place < static_cast<std::uint32_t>(end - begin);
        }
    };

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

    static void change_piece(const Run& run, const Elements& piece, Targets targets,
                             bool one_by_one) {
        if (!one_by_one) {
            scatter(run, piece, targets, piece.list != nullptr, nullptr, Indices{});
        } else if (piece.list == nullptr) {
            scatter_one_by_one<Reach::the_range>(run, piece, targets);
        } else {
            scatter_one_by_one<Reach::beyond>(run, piece, targets);
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

    /// `asks`: whether elements may lead to other targets. `reductions`: of this thread, where elements also
    /// change what is their own; or null.
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void scatter(const Run& run, Elements elements,
                                                        Targets targets, bool asks,
                                                        Reductions* reductions,
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
            if (asks) {
                for (int lane = 0; lane < lanes; ++lane) {
                    (change_one_of<i>(targets, run, maps, get<i>(rows), lane), ...);
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

    /// What elements that run one by one lead to: owned targets or not, where they run as they lie and are
    /// those of all ranges; targets of the range and no others, where they run as they lie; or, where a list
    /// tells them, other ranges' too.
    enum class Reach { anything, the_range, beyond };

    template <Reach reach>
    [[gnu::noinline, gnu::flatten]] static void scatter_one_by_one(const Run& run,
                                                                   Elements elements,
                                                                   Targets targets) {
        if constexpr (may_take_one_by_one<LoopT>) {
            const SingleElements<LoopT> single(run.loop());
            for (LocalIndex k = elements.begin; k < elements.end; ++k) {
                if (reach != Reach::beyond) {
                    single.prefetch(k + elements_ahead);
                }
                single.run(reach == Reach::beyond ? elements.list[k] : k,
                           [&](auto arg, const auto& view, LocalIndex target, const auto& values) {
                               using ArgT = Arg<arg>;
                               if constexpr (is_shared_change<ArgT>) {
                                   if (reach != Reach::beyond || targets.has(target)) {
                                       store_element_of<ArgT, reach != Reach::anything>(
                                           view, target, values, true);
                                   }
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
            auto* own = element_begin<typename ArgT::DatT>(base_of<ArgT>(run.template view<i>()),
                                                           maps.template target<i>(lane));
            RowSum<ArgT::access, ArgT::size, typename ArgT::Stored> sum;
            sum.template load<component_step<typename ArgT::DatT>>(own);
            sum.add(rows.values + lane * row_room<ArgT::size>);
            sum.template store<component_step<typename ArgT::DatT>>(own);
        }
    }

    /// The same where the target is one of `targets` and owned.
    template <std::size_t i>
    [[gnu::always_inline]] static void change_one_of(Targets targets, const Run& run,
                                                     const MapRows<LoopT>& maps,
                                                     const RowsOf<i>& rows, int lane) {
        if constexpr (is_shared_change<Arg<i>>) {
            targets.end = smaller(targets.end, run.template view<i>().owned);
            if (targets.has(maps.template target<i>(lane))) {
                change<i>(run, maps, rows, lane);
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
