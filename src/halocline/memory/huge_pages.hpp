// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Huge pages for large blocks, whoever allocates them.
#pragma once

#include <cstddef>

namespace halocline {

/// size of a huge page of x86-64
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// From this size on a block begins at a huge page and asks for huge pages. A huge page is resident as
/// a whole: only what fills three quarters of it is worth one. In small pages each 4 KiB cost a fault.
inline constexpr std::size_t large_block_bytes = huge_page_bytes / 4 * 3;

/// Asks for huge pages for memory that nobody has touched yet: whole ones within a large block, and
/// one over its end where the block fills enough of it. Up to the end of that page all must be the
/// caller's. Does nothing to blocks that are not large.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace halocline
