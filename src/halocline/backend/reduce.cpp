// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums travel as their integer states and are joined in the order of ranks, which does not matter.
#include "halocline/backend/reduce.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace halocline {

double sum_over_ranks(const Communicator& comm, ExactSum& sum) {
    if (comm.size() == 1) {
        return sum.value();
    }
    constexpr std::size_t width = 2 + ExactSum::digits;
    const ExactSum::State mine = sum.state();
    std::array<std::int64_t, width> packed{mine.top, mine.not_finite};
    std::copy(mine.digit.begin(), mine.digit.end(), packed.begin() + 2);
    const std::vector<std::int64_t> all = comm.all_gather(std::span<const std::int64_t>(packed));
    ExactSum total;
    for (std::size_t i = 0; i < all.size(); i += width) {
        ExactSum::State state;
        state.top = all[i];
        state.not_finite = all[i + 1];
        std::copy_n(&all[i + 2], ExactSum::digits, state.digit.begin());
        total.merge(state);
    }
    return total.value();
}

}  // namespace halocline
