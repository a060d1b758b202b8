// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Suggestions for misspelt names: the candidate a user most likely meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace halocline {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; upper and
/// lower case, and `-` and `_`, count as equal.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, or an empty view when none is close enough to be meant.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string_view> candidates);

/// "Did you mean 'x'?", or "Known: a, b, c." when nothing is close.
[[nodiscard]] std::string suggest_name(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "a | b | c", as help texts list choices.
template <class Names>
[[nodiscard]] std::string alternatives(const Names& names) {
    std::string text;
    for (const auto& name : names) {
        text += (text.empty() ? "" : " | ") + std::string(name);
    }
    return text;
}

}  // namespace halocline
