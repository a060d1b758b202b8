// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stable order of 63-bit keys: three counting passes over the leading 33 bits, which separate nearly all
// points of a mesh apart, then a comparison sort of the few that agree in them.
#include <algorithm>
#include <bit>
#include <utility>

#include "halocline/dist/partition/hilbert.hpp"

namespace halocline::dist {

namespace {

// A word is a key's leading bits above its index: 8 bytes an element travel in each pass.
constexpr int index_bits = 31;
constexpr int digit_bits = 11;
constexpr int digits = 3;
constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
constexpr std::size_t buckets = std::size_t{1} << digit_bits;
static_assert(digits * digit_bits + index_bits == 64);

using Words = Buffer<std::uint64_t>;
using Histogram = std::array<LocalIndex, buckets>;

std::size_t digit_of(std::uint64_t word, int digit) {
    return static_cast<std::size_t>(word >> (index_bits + digit * digit_bits)) & (buckets - 1);
}

int discarded_bits(const Buffer<std::uint64_t>& keys) {
    std::uint64_t used = 0;
    for (const std::uint64_t key : keys) {
        used |= key;
    }
    return std::max(0, static_cast<int>(std::bit_width(used)) - digits * digit_bits);
}

Words leading_words(const Buffer<std::uint64_t>& keys, int shift) {
    Words words(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        words[i] = (keys[i] >> shift) << index_bits | i;
    }
    return words;
}

std::array<Histogram, digits> count_digits(const Words& words) {
    std::array<Histogram, digits> counts{};
    for (const std::uint64_t word : words) {
        for (int d = 0; d < digits; ++d) {
            ++counts[static_cast<std::size_t>(d)][digit_of(word, d)];
        }
    }
    return counts;
}

void scatter_by_digit(const Words& from, Words& to, int digit, Histogram& counts) {
    LocalIndex begin = 0;
    for (LocalIndex& count : counts) {
        begin += std::exchange(count, begin);
    }
    for (const std::uint64_t word : from) {
        to[static_cast<std::size_t>(counts[digit_of(word, digit)]++)] = word;
    }
}

Words sorted_words(Words words) {
    std::array<Histogram, digits> counts = count_digits(words);
    Words other(words.size());
    for (int d = 0; d < digits; ++d) {
        Histogram& histogram = counts[static_cast<std::size_t>(d)];
        const LocalIndex alike = histogram[digit_of(words[0], d)];
        if (static_cast<std::size_t>(alike) != words.size()) {
            scatter_by_digit(words, other, d, histogram);
            std::swap(words, other);
        }
    }
    return words;
}

/// Sorts words [begin, end), equal in their leading bits, by the `shift` bits those leave out.
void sort_by_trailing_bits(Words& words, std::size_t begin, std::size_t end,
                           const Buffer<std::uint64_t>& keys, int shift) {
    const std::uint64_t trailing = (std::uint64_t{1} << shift) - 1;
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t index = words[i] & index_mask;
        words[i] = (keys[static_cast<std::size_t>(index)] & trailing) << index_bits | index;
    }
    std::sort(words.data() + begin, words.data() + end);
}

void sort_runs(Words& words, const Buffer<std::uint64_t>& keys, int shift) {
    for (std::size_t begin = 0; begin < words.size();) {
        const std::uint64_t leading = words[begin] >> index_bits;
        std::size_t end = begin + 1;
        while (end < words.size() && words[end] >> index_bits == leading) {
            ++end;
        }
        if (end - begin > 1) {
            sort_by_trailing_bits(words, begin, end, keys, shift);
        }
        begin = end;
    }
}

}  // namespace

Buffer<LocalIndex> order_by_key(const Buffer<std::uint64_t>& keys) {
    Buffer<LocalIndex> order(keys.size());
    if (keys.empty()) {
        return order;
    }
    const int shift = discarded_bits(keys);
    Words words = sorted_words(leading_words(keys, shift));
    if (shift > 0) {
        sort_runs(words, keys, shift);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<LocalIndex>(words[i] & index_mask);
    }
    return order;
}

}  // namespace halocline::dist
