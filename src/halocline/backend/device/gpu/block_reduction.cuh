// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions of a block on GPUs: warp by warp, then by the first warp.
#pragma once

#include <limits>

#include "halocline/backend/device/kernels/contributions.hpp"
#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::device {

/// What a warp gives to one component of a reduction: the largest key, or of a sum the digits on the
/// grid that begins at the warp's largest term.
struct WarpShare {
    static constexpr int no_terms = std::numeric_limits<int>::min();
    std::int64_t key;
    int top;
    int not_finite;
    Gpu::WarpSum digit[exact::digits];  ///< sums of digits of 26 bits, sign included
};

template <Access access>
__device__ void share_of_warp(double value, WarpShare& share) {
    const bool writes = threadIdx.x % Gpu::warp == 0;
    if constexpr (access != Access::inc) {
        const std::int64_t key = Gpu::largest_of_warp(kept_key<access == Access::min>(value));
        if (writes) {
            share.key = key;
        }
    } else {
        const bool addable = exact::is_addable(value);
        double term = addable ? value : 0.0;
        const bool all_addable = Gpu::all_of_warp(addable);
        const bool any_term = Gpu::any_of_warp(term != 0.0);
        const int top = Gpu::largest_of_warp(exact::top_for(term));
        if (writes) {
            share.not_finite = all_addable ? 0 : 1;
            share.top = any_term ? top : WarpShare::no_terms;
        }
        if (!any_term) {
            return;
        }
        for (int k = 0; k < exact::digits; ++k) {
            const int digit = static_cast<int>(exact::take_digit(term, top, k));
            const Gpu::WarpSum sum = Gpu::sum_of_warp(digit);
            if (writes) {
                share.digit[k] = sum;
            }
        }
    }
}

/// One warp adds what all warps of a block have to a share of the reduction. Digits below the end of the
/// block's grid are nothing that the whole sum would keep.
template <Access access>
__device__ void add_warps(ReductionShare& to, const WarpShare* shares, int warps) {
    const int lane = static_cast<int>(threadIdx.x) % Gpu::warp;
    const WarpShare& mine = shares[lane < warps ? lane : 0];
    if constexpr (access != Access::inc) {
        const std::int64_t key = Gpu::largest_of_warp(mine.key);
        if (lane == 0) {
            Gpu::raise_atomically(to.key, key);
        }
    } else {
        const int top = Gpu::largest_of_warp(mine.top);
        if (mine.not_finite != 0) {
            to.bins.not_finite = 1;
        }
        if (top == WarpShare::no_terms) {
            return;
        }
        if (lane < exact::digits) {
            std::int64_t sum = 0;
            for (int w = 0; w < warps; ++w) {
                const std::int64_t k = std::int64_t{lane} - top + shares[w].top;
                sum += k >= 0 ? shares[w].digit[k] : 0;
            }
            Gpu::add_atomically(to.bins.bin[top - lane - exact::lowest_place], sum);
        }
        if (lane == 0) {
            Gpu::raise_atomically(to.bins.top, top);
        }
    }
}

/// One warp adds all shares to the first, and makes the others ready for the next reduction.
template <Access access>
__device__ void join_shares(GlobalPlace& place, LocalIndex shares) {
    const auto mine = static_cast<LocalIndex>(threadIdx.x);
    if (mine == 0 || mine >= shares) {
        return;
    }
    ReductionShare& all = place.shares[0];
    ReductionShare& share = place.shares[mine];
    if constexpr (access != Access::inc) {
        Gpu::raise_atomically(all.key, share.key);
    } else {
        const exact::PartialSum sum = share.bins.sum();
        if (sum.not_finite != 0) {
            all.bins.not_finite = 1;
        }
        Gpu::raise_atomically(all.bins.top, sum.top);
        for (int k = 0; k < exact::digits; ++k) {
            Gpu::add_atomically(all.bins.bin[sum.top - k - exact::lowest_place], sum.digit[k]);
        }
    }
    clear_share(share);
}

/// Calls `visit.operator()<access>(place, value)` for each component that a chain reduces.
template <class Arg, class Visit>
__device__ void visit_reduction(const ArgView<Arg>& arg, const Contribution<Arg>& share,
                                Visit& visit) {
    if constexpr (is_reduction<Arg>) {
        for (int d = 0; d < Arg::size; ++d) {
            visit.template operator()<Arg::access>(arg.place[d], share.values[d]);
        }
    }
}
template <class LoopT, class Visit, std::size_t... a>
__device__ void visit_reductions_of(const LoopView<LoopT>& loop,
                                    const LoopContributions<LoopT>& share, Visit& visit,
                                    std::index_sequence<a...>) {
    (visit_reduction(get<a>(loop.args), get<a>(share.of), visit), ...);
}
template <class... Loops, class Visit, std::size_t... l>
__device__ void visit_reductions(const ChainView<Loops...>& view,
                                 const Contributions<Loops...>& share, Visit&& visit,
                                 std::index_sequence<l...>) {
    (visit_reductions_of(get<l>(view.loops), get<l>(share.of), visit,
                         typename LoopView<Loops>::Indices{}),
     ...);
}

/// Reduces what the threads of a block give; the first warp adds up. All threads call.
template <int warps, class... Loops>
__device__ void reduce_block(const ChainView<Loops...>& view,
                             const Contributions<Loops...>& share) {
    using Indices = typename ChainView<Loops...>::Indices;
    __shared__ WarpShare shares[Contributions<Loops...>::components][warps];
    int component = 0;
    visit_reductions(
        view, share,
        [&]<Access access>(GlobalPlace&, double value) {
            share_of_warp<access>(value, shares[component++][threadIdx.x / Gpu::warp]);
        },
        Indices{});
    __syncthreads();
    if (threadIdx.x >= Gpu::warp) {
        return;
    }
    component = 0;
    visit_reductions(
        view, share,
        [&]<Access access>(GlobalPlace& place, double) {
            add_warps<access>(place.shares[blockIdx.x % view.shares], shares[component++], warps);
        },
        Indices{});
    Gpu::synchronize_warp();  // thread 0 publishes for all
}

/// Whether this block is the last of its launch to come here; asked by one thread, once. Blocks count by
/// shares, so that no more than some thousands wait for one counter.
__device__ inline bool is_last_block(unsigned* tickets, LocalIndex shares) {
    const auto count = [](unsigned* ticket, unsigned all) {
        __threadfence();
        return atomicInc(ticket, all - 1) == all - 1;
    };
    const auto wanted = static_cast<unsigned>(shares);
    const unsigned groups = wanted < gridDim.x ? wanted : gridDim.x;
    if (groups == 1) {
        return count(tickets, gridDim.x);
    }
    const unsigned group = blockIdx.x % groups;
    const unsigned members = (gridDim.x - group + groups - 1) / groups;
    return count(tickets + ticket_stride * (1 + group), members) && count(tickets, groups);
}

}  // namespace halocline::device
