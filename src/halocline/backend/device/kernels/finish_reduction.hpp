// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The end of a reduction on the device: from what all threads added up to the global's new value.
#pragma once

#include "halocline/backend/device/views/views.hpp"
#include "halocline/loop/extreme_keys.hpp"

namespace halocline::device {

/// Keys are kept so that the largest wins: those of minima are negated.
template <bool smallest>
HALOCLINE_HD std::int64_t kept_key(double value) {
    const std::int64_t key = extreme_key<smallest>(value);
    return smallest ? ~key : key;
}
inline constexpr std::int64_t no_key = std::numeric_limits<std::int64_t>::min();

HALOCLINE_HD inline void clear_share(ReductionShare& share) {
    share.key = no_key;
    share.bins.clear();
}
HALOCLINE_HD inline void clear_place(GlobalPlace& place) {
    for (ReductionShare& share : place.shares) {
        clear_share(share);
    }
}

/// Joins what the threads found with the value from before the loop, leaves this rank's part for the
/// join with other ranks, and makes the place ready for the next reduction. Its first share has all.
template <Access access>
HALOCLINE_HD void finish_place(GlobalPlace& place, double before) {
    ReductionShare& all = place.shares[0];
    place.before = before;
    if constexpr (access == Access::inc) {
        place.rank_sum = all.bins.sum();
        place.value = before + place.rank_sum.value();
    } else {
        constexpr bool smallest = access == Access::min;
        std::int64_t key = kept_key<smallest>(before);
        key = all.key > key ? all.key : key;
        place.rank_key = smallest ? ~key : key;
        place.value = from_extreme_key<smallest>(place.rank_key);
    }
    clear_share(all);
}

/// Finishes all reductions of a chain; one thread, after all others.
template <class... Loops>
class FinishReductions {
public:
    HALOCLINE_HD explicit FinishReductions(const ChainView<Loops...>& view) {
        finish_loops(view, typename ChainView<Loops...>::Indices{});
    }

private:
    template <std::size_t... l>
    HALOCLINE_HD void finish_loops(const ChainView<Loops...>& view, std::index_sequence<l...>) {
        (finish_loop(get<l>(view.loops), typename LoopView<Loops>::Indices{}), ...);
    }
    template <class LoopT, std::size_t... a>
    HALOCLINE_HD void finish_loop(const LoopView<LoopT>& loop, std::index_sequence<a...>) {
        (finish_arg<typename LoopView<LoopT>::template Arg<a>>(get<a>(loop.args)), ...);
    }
    template <class Arg>
    HALOCLINE_HD void finish_arg(const ArgView<Arg>& arg) {
        if constexpr (is_reduction<Arg>) {
            for (int d = 0; d < Arg::size; ++d) {
                finish_place<Arg::access>(arg.place[d], arg.value(d));
            }
        }
    }
};

}  // namespace halocline::device
