// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Standard output: what of it was lost is known at the end, not in the middle of a run.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace halocline {

/// Prints `text` on standard output at once. Never throws: a terminal that went away must not cost a
/// run its results.
void say_text(std::string_view text) noexcept;

/// The same for text made by fmt.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
    say_text(fmt::format(format, std::forward<Args>(args)...));
}

/// For the end of a program: if standard output did not take all that was printed, says so on standard
/// error.
/// @returns `code`, or that of a failed run where it was 0 and something was lost. A reader who has
///          seen enough, as `head`, loses nothing.
[[nodiscard]] int finish_output(const char* program, int code) noexcept;

}  // namespace halocline
