// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a compressed chunk of an HDF5 dataset holds, without a buffer for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace halocline {

/// Bytes that a stream of zlib unpacks to, or those up to where it breaks off or is damaged; counting
/// stops above `limit`.
[[nodiscard]] std::uint64_t inflated_bytes(std::span<const std::byte> stream, std::uint64_t limit);

}  // namespace halocline
