// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the elements of a pack contribute to their targets, to be added in turn.
#pragma once

#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/row_sum.hpp"

namespace halocline::detail {

template <class LoopT, class Indices = std::make_index_sequence<LoopT::arg_count>>
class Contributions;
template <class LoopT, std::size_t... i>
class Contributions<LoopT, std::index_sequence<i...>> {
    template <std::size_t k>
    using Arg = ArgOf<LoopT, k>;

public:
    /// From the values that a kernel left.
    template <class Values>
    [[gnu::always_inline]] explicit Contributions(const Values& values) {
        (put<i>(get<i>(values)), ...);
    }

    /// Adds what argument `k` contributes in a lane, or takes the extreme, to the element that begins at
    /// `own`.
    template <std::size_t k>
    [[gnu::always_inline]] void change(int lane, typename Arg<k>::Stored* own) const {
        using ArgT = Arg<k>;
        using Stored = typename ArgT::Stored;
        const double* values = get<k>(lanes_).values;
        if constexpr (by_component<ArgT>) {
            for (int d = 0; d < ArgT::size; ++d) {
                RowSum<ArgT::access, 1, Stored> sum;
                sum.template load<1>(own + d * component_step<typename ArgT::DatT>);
                sum.add(values + d * pack_lanes + lane);
                sum.template store<1>(own + d * component_step<typename ArgT::DatT>);
            }
        } else {
            RowSum<ArgT::access, ArgT::size, Stored> sum;
            sum.template load<1>(own);
            sum.add(values + lane * row_room<ArgT::size>);
            sum.template store<1>(own);
        }
    }

private:
    /// Components of a target that lie apart are changed one by one, and need no rows.
    template <class ArgT>
    static constexpr bool by_component = component_step<typename ArgT::DatT> > 1;

    template <int n>
    struct Lanes {
        Lanes() {}  // not set to zero with the tuple that holds it
        alignas(64) double values[n];
    };
    struct NoLanes {};
    template <std::size_t k>
    static constexpr auto lanes_of() {
        if constexpr (!is_shared_change<Arg<k>>) {
            return std::type_identity<NoLanes>{};
        } else if constexpr (by_component<Arg<k>>) {
            return std::type_identity<Lanes<Arg<k>::size * pack_lanes>>{};
        } else {
            return std::type_identity<Lanes<row_room<Arg<k>::size> * pack_lanes>>{};
        }
    }

    template <std::size_t k, class Value>
    [[gnu::always_inline]] void put(const Value& values) {
        if constexpr (is_shared_change<Arg<k>>) {
            double* out = get<k>(lanes_).values;
            const auto lanes = as_lanes(values);
            if constexpr (by_component<Arg<k>>) {
                for (int d = 0; d < Arg<k>::size; ++d) {
                    lanes[d].store(out + d * pack_lanes);
                }
            } else {
                store_rows<Arg<k>::size>(lanes, out);
            }
        }
    }

    Tuple<typename decltype(lanes_of<i>())::type...> lanes_;
};

}  // namespace halocline::detail
