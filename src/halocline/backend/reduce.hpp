// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions over ranks: exact sums by their integer states, extremes by MPI.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/extremes.hpp"
#include "halocline/loop/integer_sum.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline {

/// Sum over the ranks with the same bits on all of them. Collective.
double sum_over_ranks(const Communicator& comm, ExactSum& sum);

/// Sum over the ranks added to `start`. Throws ContractError on all of them when `type` does not hold
/// the result: an integer is never rounded. Collective.
std::int64_t sum_over_ranks(const Communicator& comm, const LoopName& loop, const IntegerSum& sum,
                            std::int64_t start, ElementType type);

/// Smallest or largest value over the ranks in the order of `extremes.hpp`. Collective.
template <bool smallest>
double extreme_over_ranks(const Communicator& comm, double value) {
    const std::int64_t key = extreme_key<smallest>(value);
    return from_extreme_key<smallest>(smallest ? comm.min(key) : comm.max(key));
}
template <bool smallest>
Integer<double> extreme_over_ranks(const Communicator& comm, Integer<double> value) {
    return smallest ? comm.min(value.lanes) : comm.max(value.lanes);
}

}  // namespace halocline
