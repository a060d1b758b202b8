// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums travel as their integer states and are joined in the order of ranks, which does not matter.
#include "halocline/backend/reduce.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
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

std::int64_t sum_over_ranks(const Communicator& comm, const LoopName& loop, const IntegerSum& sum,
                            std::int64_t start, ElementType type) {
    IntegerSum mine;
    mine.merge(sum);
    IntegerSum total;
    total.add(start);
    const std::int64_t high = comm.sum(mine.high()) + total.high();
    const std::int64_t low = comm.sum(mine.low()) + total.low();
    const std::optional<std::int64_t> value = IntegerSum::value_of(high, low);
    const bool fits =
        value && (type == ElementType::int64 || *value == static_cast<std::int32_t>(*value));
    validate<ContractError>(
        fits, "loop '" + loop.text() + "': a sum over its elements is " +
                  (value ? std::to_string(*value) : std::string("beyond 2^63")) +
                  ", which a global of " + name_of(type) + " does not hold. " +
                  (type == ElementType::int32 ? "Declare the global with std::int64_t."
                                              : "Sum doubles instead."));
    return *value;
}

}  // namespace halocline
