// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checksums that do not depend on the order in which values come: sums of mixtures with positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace halocline {

/// Increment of SplitMix64: Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195.
constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15U;

/// Finaliser of SplitMix64.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

/// Sum, modulo 2^64, of words of eight bytes, each mixed with its position `first`, `first` + 1, ... A
/// last word may be shorter. Against mix-ups and faults of a disk, not against forgery.
[[nodiscard]] std::uint64_t sum_of_mixtures(std::span<const std::byte> words, std::uint64_t first,
                                            std::uint64_t salt);

/// Ranks add the rows of a field that they have, in any order; the sum over ranks is the field's.
class RowChecksum {
public:
    /// Any row number but the same for the same rows: rows of `row_bytes`.
    explicit RowChecksum(std::size_t row_bytes) : row_bytes_(row_bytes) {}
    /// Adds rows, the first of which has that number.
    void add(std::uint64_t first_row, std::span<const std::byte> rows);
    /// The checksum so far.
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
    std::size_t row_bytes_;
    std::uint64_t sum_ = 0;
};

/// 16 hexadecimal digits.
[[nodiscard]] std::string hex_text(std::uint64_t value);

}  // namespace halocline
