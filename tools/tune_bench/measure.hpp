// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Times the candidates of each point in interleaved rounds of random order.
#pragma once

#include "job.hpp"
#include "output.hpp"

namespace halocline::tune_bench {

/// Writes a line for each candidate of each point. Collective.
void measure(const Job& job, Output& output);

}  // namespace halocline::tune_bench
