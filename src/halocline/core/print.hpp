// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Printing that never decides how a program ends.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace halocline {

/// For the first line of main(). Standard streams that the caller closed fail when they are written
/// to, but their numbers are taken: no file opened later can get what is printed. A pipe that nobody
/// reads and a file beyond its limit fail with a reason instead of ending the process.
void guard_streams() noexcept;

/// Writes `text` and flushes the stream.
/// @returns false when the stream took it not or in part: closed, full, nobody reads it. Never throws.
bool print_text(std::FILE* stream, std::string_view text) noexcept;

/// The same for text made by fmt.
template <class... Args>
bool print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) noexcept {
    try {
        return print_text(stream, fmt::format(format, std::forward<Args>(args)...));
    } catch (...) {  // no memory for the text: what is printed must not change what is returned
        return false;
    }
}

}  // namespace halocline
