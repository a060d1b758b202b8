// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of maps for a pack of elements, loaded once for all arguments that go through them.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/loop/shared_maps.hpp"

namespace halocline::detail {

/// For loops that have one map a type.
template <class LoopT>
class MapRows {
    template <std::size_t i>
    using Map = typename MapOf<ArgOf<LoopT, i>>::type;

public:
    [[gnu::always_inline]] MapRows(const BoundLoop<LoopT>& run, const LocalIndex* element) {
        load(run, element, std::make_index_sequence<LoopT::arg_count>{});
    }

    /// Where argument `i` leads in a lane.
    template <std::size_t i>
    [[nodiscard]] [[gnu::always_inline]] LocalIndex target(int lane) const {
        return get<first_through_map<LoopT, i>()>(rows_).of[lane][ArgOf<LoopT, i>::slot];
    }

    /// Argument `i` of the pack's elements.
    template <std::size_t i>
    [[nodiscard]] [[gnu::always_inline]] auto load_values(const BoundLoop<LoopT>& run,
                                                          const LocalIndex* element) const {
        using ArgT = ArgOf<LoopT, i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            LocalIndex targets[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                targets[lane] = target<i>(lane);
            }
            return load_at<ArgT>(base_of<ArgT>(run.template view<i>()), targets);
        } else {
            return detail::load_values<i>(run, element);
        }
    }

private:
    template <class MapT>
    struct Rows {
        LocalIndex of[pack_lanes][MapT::arity];
    };
    struct NoRows {};

    template <std::size_t i, bool is_first>
    struct RowsAt {
        using type = NoRows;
    };
    template <std::size_t i>
    struct RowsAt<i, true> {
        using type = Rows<Map<i>>;
    };
    template <std::size_t i>
    static constexpr bool is_first() {
        if constexpr (std::is_void_v<Map<i>>) {
            return false;
        } else {
            return first_through_map<LoopT, i>() == i;
        }
    }
    template <class Indices>
    struct TupleOf;
    template <std::size_t... i>
    struct TupleOf<std::index_sequence<i...>> {
        using type = Tuple<typename RowsAt<i, is_first<i>()>::type...>;
    };

    template <std::size_t... i>
    [[gnu::always_inline]] void load(const BoundLoop<LoopT>& run, const LocalIndex* element,
                                     std::index_sequence<i...>) {
        (load_rows<i>(run, element), ...);
    }

    template <std::size_t i>
    [[gnu::always_inline]] void load_rows(const BoundLoop<LoopT>& run, const LocalIndex* element) {
        if constexpr (is_first<i>()) {
            constexpr int arity = Map<i>::arity;
            const LocalIndex* map = run.template view<i>().map;
            for (int lane = 0; lane < pack_lanes; ++lane) {
                std::memcpy(get<i>(rows_).of[lane],
                            map + static_cast<std::int64_t>(element[lane]) * arity,
                            sizeof(LocalIndex) * arity);
            }
        }
    }

    typename TupleOf<std::make_index_sequence<LoopT::arg_count>>::type rows_;
};

}  // namespace halocline::detail
