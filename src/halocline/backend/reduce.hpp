// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions over ranks: exact sums by their integer states, extremes by MPI.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/loop/exact_sum.hpp"

namespace halocline {

/// Sum over the ranks with the same bits on all of them. Collective.
inline double sum_over_ranks(const Communicator& comm, ExactSum& sum) {
    if (comm.size() == 1) {
        return sum.value();
    }
    constexpr int width = 2 + ExactSum::digits;
    const ExactSum::State mine = sum.state();
    const std::int64_t packed[width] = {mine.top, mine.digit[0], mine.digit[1], mine.digit[2],
                                        mine.not_finite};
    const std::vector<std::int64_t> all = comm.all_gather(std::span<const std::int64_t>(packed));
    ExactSum total;
    for (std::size_t i = 0; i < all.size(); i += width) {
        total.merge({all[i], {all[i + 1], all[i + 2], all[i + 3]}, all[i + 4]});
    }
    return total.value();
}

}  // namespace halocline
