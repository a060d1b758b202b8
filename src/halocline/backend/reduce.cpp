// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums travel as their integer states and are joined by MPI, in an order that does not matter.
#include "halocline/backend/reduce.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "halocline/core/state_join.hpp"

namespace halocline {

namespace {

constexpr std::size_t state_width = 2 + ExactSum::digits;
using PackedState = std::array<std::int64_t, state_width>;

PackedState packed(const ExactSum::State& state) {
    PackedState numbers{state.top, state.not_finite};
    std::copy(state.digit.begin(), state.digit.end(), numbers.begin() + 2);
    return numbers;
}

ExactSum::State unpacked(const std::int64_t* numbers) {
    ExactSum::State state;
    state.top = numbers[0];
    state.not_finite = numbers[1];
    std::copy_n(numbers + 2, ExactSum::digits, state.digit.begin());
    return state;
}

void join_states(std::int64_t* into, const std::int64_t* other) {
    ExactSum sum(unpacked(into));
    sum.merge(unpacked(other));
    const PackedState joined = packed(sum.state());
    std::copy(joined.begin(), joined.end(), into);
}

}  // namespace

double sum_over_ranks(const Communicator& comm, ExactSum& sum) {
    if (comm.size() == 1) {
        return sum.value();
    }
    const PackedState all = join_over_ranks<join_states>(comm, packed(sum.state()));
    return ExactSum(unpacked(all.data())).value();
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
