// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How far a level's state is from a reference, by the definitions of `halocline compare`.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/solver/mgcfd/level.hpp"

namespace halocline::mgcfd {

/// Compares all owned values; the same bits on any ranks. A value that is finite on one side only is
/// infinitely far, NaN equals NaN. `over` counts |a - b| > max(1e-7 |b|, 3e-19), the rule of MG-CFD.
/// @note python/halocline/compare/difference.py says the same in Python; tests/mgcfd hold the two
///       together. Collective.
[[nodiscard]] record::ValueDifference difference_of(const Communicator& comm, const Level& level,
                                                    const LaneDat& reference);

/// The difference in the words of `halocline compare`.
[[nodiscard]] std::string words_of(const record::ValueDifference& difference);

}  // namespace halocline::mgcfd
