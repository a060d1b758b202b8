// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small files of /proc, read without the heap and without stdio.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::snapshot {

/// Reads up to size - 1 bytes and ends them with a zero; returns their number, -1 on failure.
long read_proc_file(const char* path, char* buffer, std::size_t size);

/// The number after `key` in a text like "key: 123"; false when there is none.
bool number_after(const char* text, const char* key, std::uint64_t& value);

}  // namespace halocline::snapshot
