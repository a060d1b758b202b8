// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/mixture.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace halocline {

std::uint64_t sum_of_mixtures(std::span<const std::byte> words, std::uint64_t first,
                              std::uint64_t salt) {
    std::uint64_t sum = 0;
    const std::byte* const bytes = words.data();
    const auto add = [&](std::size_t i, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + i * sizeof word, size);
        const std::uint64_t position = salt + (first + i) * golden_gamma;
        sum += mixed(word ^ position) * (position | 1U);
    };
    const std::size_t whole = words.size() / sizeof(std::uint64_t);
    for (std::size_t i = 0; i < whole; ++i) {
        add(i, sizeof(std::uint64_t));
    }
    if (const std::size_t rest = words.size() % sizeof(std::uint64_t); rest > 0) {
        add(whole, rest);
    }
    return sum;
}

/// Rows of whole words are one run of them; others begin a word each.
void RowChecksum::add(std::uint64_t first_row, std::span<const std::byte> rows) {
    const std::size_t words_a_row =
        (row_bytes_ + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (row_bytes_ % sizeof(std::uint64_t) == 0) {
        sum_ += sum_of_mixtures(rows, first_row * words_a_row, 0);
        return;
    }
    for (std::size_t row = 0; row * row_bytes_ < rows.size(); ++row) {
        sum_ += sum_of_mixtures(rows.subspan(row * row_bytes_, row_bytes_),
                                (first_row + row) * words_a_row, 0);
    }
}

std::string hex_text(std::uint64_t value) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
    return digits.data();
}

}  // namespace halocline
