// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a buffer is cut: one piece per endpoint, the last one takes the remainder.
#pragma once

#include <cstddef>

namespace halocline::endpoints {

/// A range of elements or bytes.
struct Piece {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Piece `index` of `total` cut into `pieces`; all but the last have a multiple of `unit`.
[[nodiscard]] constexpr Piece piece_of(std::size_t total, int pieces, int index,
                                       std::size_t unit = 1) {
    const std::size_t chunk = total / unit / static_cast<std::size_t>(pieces) * unit;
    const std::size_t first = chunk * static_cast<std::size_t>(index);
    return {first, index + 1 == pieces ? total - first : chunk};
}

/// Bytes are cut at cache lines: threads then share none of a message.
inline constexpr std::size_t byte_unit = 64;

}  // namespace halocline::endpoints
