// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Edit distance and the sentence made from it.
#include "halocline/core/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace halocline {

namespace {

/// Longer words are not names; comparing them would only cost time.
constexpr std::size_t longest_word = 64;

char folded(char c) {
    if (c >= 'A' && c <= 'Z') {
        return static_cast<char>(c - 'A' + 'a');
    }
    return c == '-' ? '_' : c;
}

}  // namespace

// Optimal string alignment: the Levenshtein table with one more case for two swapped neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                folded(a[i - 2]) == folded(b[j - 1])) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
    if (word.empty() || word.size() > longest_word) {
        return {};
    }
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance && distance < candidate.size()) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggest_name(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string_view best = nearest_name(word, candidates);
    if (!best.empty()) {
        return "Did you mean '" + std::string(best) + "'?";
    }
    std::string text = "Known:";
    for (const std::string_view candidate : candidates) {
        text += (text.back() == ':' ? " " : ", ") + std::string(candidate);
    }
    return text + ".";
}

}  // namespace halocline
