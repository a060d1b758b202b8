// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Compact rows out of any layout, as fast as memory gives them.
#pragma once

#include <cstddef>
#include <span>

#include "halocline/core/types.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline::output {

/// Copies the rows of these elements, one after the other, `dim` values each, to `rows`, which begins
/// at a cache line. They are not left in the cache: nobody reads them soon.
/// `threads`: of OpenMP, at most.
void copy_rows(const RawDat& dat, std::span<const LocalIndex> elements, std::byte* rows,
               int threads);

}  // namespace halocline::output
