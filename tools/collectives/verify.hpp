// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Does one call both ways and compares: bits where the result is exact, else within rounding.
#pragma once

#include "collectives/collective.hpp"

#include <functional>

namespace halocline::endpoints {

struct Comparison {
    bool same = true;  ///< on this rank
    int code = 0;      ///< of the plain call
    double plain_seconds = 0.0;
    double split_seconds = 0.0;
};

/// Runs the split call, keeps its result, restores the buffer, runs the plain call and compares.
/// The program ends up with the plain result. Collective.
[[nodiscard]] Comparison run_both_ways(Collective& call, const std::function<int()>& split);

/// How the values of a reduction round.
enum class Rounding { exact, single_precision, double_precision, unknown };

[[nodiscard]] Rounding rounding_of(const Reduced& reduced);

/// Whether two sums of the same `ranks` numbers, added in any order, can differ by this much.
///
/// Two numbers have one sum. Of more,
/// each of the ranks - 1 additions errs by at most eps/2 of a partial sum, which the sum of absolute
/// values bounds; both sums err: |a - b| <= (ranks - 1) eps sum|x| (Higham, Accuracy and Stability
/// of Numerical Algorithms, section 4.2, first order).
template <class Real>
[[nodiscard]] bool sums_agree(Real a, Real b, Real absolute_sum, int ranks);

}  // namespace halocline::endpoints
