// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Huge pages for large blocks, whoever allocates them.
#pragma once

#include <cstddef>

namespace halocline {

/// From this size on memory comes from the kernel, goes back to it at once and asks for huge pages.
inline constexpr std::size_t large_block_bytes = std::size_t{4} << 20;

/// Asks for huge pages for memory that nobody has touched yet: whole ones from the first multiple of
/// their size. The rest stays in small pages, because a huge page is resident as a whole. Does nothing
/// to blocks that are not large.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace halocline
