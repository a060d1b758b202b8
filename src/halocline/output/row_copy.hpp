// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Compact rows out of any layout, as fast as memory gives them.
#pragma once

#include <cstddef>

#include "halocline/mesh/layout.hpp"

namespace halocline::output {

/// Copies the rows of elements 0 to `count` - 1, one after the other, `dim` values each, to `rows`.
/// `threads`: of OpenMP, at most.
void copy_rows(const RawDat& dat, LocalIndex count, std::byte* rows, int threads);

}  // namespace halocline::output
