// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of this process now, and peaks of single phases.
#pragma once

#include <cstdint>

namespace halocline {

/// Resident set of this process [bytes]; 0 where the system does not report it.
[[nodiscard]] std::int64_t resident_memory_bytes() noexcept;

/// Gives freed memory back to the system: glibc keeps much of what large set-ups used in pieces.
void return_freed_memory() noexcept;

/// From now on blocks of 1.5 MiB and more (those that are worth a huge page) go back to the system when
/// they are freed, smaller ones stay for the next of their kind. Left alone, glibc keeps what was freed
/// once for later, and set-up then needs room beside it. For main(), before the first thread: it holds
/// for the whole process.
void return_large_blocks_at_once() noexcept;

/// Lowers `peak_memory_bytes()` to what is resident now, after freed memory went back to the system.
/// @returns false where the system does not allow it
bool reset_peak_memory() noexcept;

}  // namespace halocline
