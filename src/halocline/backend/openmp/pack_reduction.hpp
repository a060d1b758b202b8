// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions of the openmp back end: the lanes of a pack for each thread, joined in the order-free forms of scalar.hpp.
#pragma once

#include <vector>

#include "halocline/backend/scalar.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/extremes.hpp"

namespace halocline::detail {

/// One thread's share of a reduction, a pack wide.
template <class Arg>
struct PackReduction {
    void add(const ArgValues<Arg, Pack>&, Mask) {}
    void finish(ScalarReduction<Arg>&) {}
};

template <Access access, int dim, class T>
requires(access != Access::read) struct PackReduction<GlobalArg<access, dim, T>> {
    using Arg = GlobalArg<access, dim, T>;
    using Value = ValueOf<T, Pack>;
    typename ScalarReduction<Arg>::Sum sums[dim];
    Values<Value, dim> extremes;

    PackReduction() {
        for (int d = 0; d < dim; ++d) {
            extremes[d] = no_extreme<Value, access == Access::min>();
        }
    }
    void add(const Values<Value, dim>& values, Mask active) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access == Access::inc) {
                sums[d].add(values[d], active);
            } else {
                const Value folded = extreme<access == Access::min>(extremes[d], values[d]);
                extremes[d] = select(active, folded, extremes[d]);
            }
        }
    }
    void finish(ScalarReduction<Arg>& result) {
        for (int d = 0; d < dim; ++d) {
            if constexpr (access == Access::inc) {
                if constexpr (IntegerElement<T>) {
                    result.sums[d].merge(sums[d]);
                } else {
                    result.sums[d].merge(sums[d].state());
                }
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
struct PackReductionsOf<Tuple<Args...>> {
    using type = Tuple<PackReduction<Args>...>;
};

/// What each thread of a loop has reduced. Most loops reduce nothing, and need no memory for it.
template <class ArgTuple, bool any = reduces<ArgTuple>>
class ThreadReductions {
    using Reductions = typename PackReductionsOf<ArgTuple>::type;

public:
    explicit ThreadReductions(int /*threads*/) {}

    [[nodiscard]] Reductions& of(int /*thread*/) { return nothing_; }

private:
    Reductions nothing_;
};
template <class ArgTuple>
class ThreadReductions<ArgTuple, true> {
    using Reductions = typename PackReductionsOf<ArgTuple>::type;

public:
    explicit ThreadReductions(int threads) : shares_(static_cast<std::size_t>(threads)) {}

    [[nodiscard]] Reductions& of(int thread) {
        return shares_[static_cast<std::size_t>(thread)].of_args;
    }
    /// Calls `visit(reductions)` for every thread.
    template <class Visit>
    void for_each(Visit&& visit) {
        for (Share& share : shares_) {
            visit(share.of_args);
        }
    }

private:
    /// Threads do not share cache lines.
    struct alignas(128) Share {
        Reductions of_args;
    };

    std::vector<Share> shares_;
};

}  // namespace halocline::detail
