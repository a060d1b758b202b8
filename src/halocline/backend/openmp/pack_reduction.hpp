// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions of the openmp back end: the lanes of a pack for each part of the blocks, joined in the order-free forms of scalar.hpp.
#pragma once

#include <limits>
#include <tuple>

#include "halocline/backend/scalar.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/extremes.hpp"

namespace halocline::detail {

/// One part's share of a reduction, a pack wide.
template <class Arg>
struct PackReduction {
    void add(const Values<Pack, Arg::size>&, Mask) {}
    void finish(ScalarReduction<Arg>&) {}
};

template <Access access, int dim>
requires(access != Access::read) struct PackReduction<GlobalArg<access, dim>> {
    using Arg = GlobalArg<access, dim>;
    ExactSum sums[dim];
    Values<Pack, dim> extremes;

    PackReduction() {
        for (int d = 0; d < dim; ++d) {
            extremes[d] = Pack(access == Access::min ? std::numeric_limits<double>::infinity()
                                                     : -std::numeric_limits<double>::infinity());
        }
    }
    void add(const Values<Pack, dim>& values, Mask active) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access == Access::inc) {
                sums[d].add(values[d], active);
            } else {
                const Pack folded = extreme<access == Access::min>(extremes[d], values[d]);
                extremes[d] = select(active, folded, extremes[d]);
            }
        }
    }
    void finish(ScalarReduction<Arg>& result) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access == Access::inc) {
                result.sums[d].merge(sums[d].state());
            } else {
                for (int lane = 0; lane < pack_lanes; ++lane) {
                    result.fold(d, extremes[d][lane]);
                }
            }
        }
    }
};

template <class ArgTuple>
struct PackReductionsOf;
template <class... Args>
struct PackReductionsOf<std::tuple<Args...>> {
    using type = std::tuple<PackReduction<Args>...>;
};

}  // namespace halocline::detail
