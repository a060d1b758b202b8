// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions over ranks: exact sums by their integer states, extremes by MPI.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/loop/extremes.hpp"

namespace halocline {

/// Sum over the ranks with the same bits on all of them. Collective.
double sum_over_ranks(const Communicator& comm, ExactSum& sum);

/// Smallest or largest value over the ranks in the order of `extremes.hpp`. Collective.
template <bool smallest>
double extreme_over_ranks(const Communicator& comm, double value) {
    const std::int64_t key = extreme_key<smallest>(value);
    return from_extreme_key<smallest>(smallest ? comm.min(key) : comm.max(key));
}

}  // namespace halocline
