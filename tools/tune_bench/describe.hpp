// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the MPI library says of itself.
#pragma once

#include "output.hpp"

namespace halocline::tune_bench {

/// Writes library, ranks, hosts and one line for each control variable. Collective.
void describe(Output& output);

}  // namespace halocline::tune_bench
