// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/row_gather.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "halocline/core/element_type.hpp"

namespace halocline {

namespace {

/// So many rows stay in the first cache while their components come one after the other.
constexpr std::size_t scattered_rows = 64;

void gather_whole(const RawDat& dat, std::size_t row_bytes, std::span<const LocalIndex> elements,
                  std::span<const LocalIndex> next, std::byte* rows) {
    const auto stride = static_cast<std::size_t>(dat.layout.block_stride) * bytes_of(dat.type);
    const auto row_of = [&](LocalIndex i) {
        return dat.bytes() + static_cast<std::size_t>(i) * stride;
    };
    with_row_size(row_bytes, [&](auto bytes) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (i < next.size()) {
                __builtin_prefetch(row_of(next[i]), 0, second_cache);
            }
            std::memcpy(rows + i * bytes, row_of(elements[i]), bytes);
        }
    });
}

/// A component at a time, for its values lie in runs.
template <class T>
void gather_scattered(const RawDat& dat, std::span<const LocalIndex> elements, std::byte* rows) {
    const std::byte* const from = dat.bytes();
    for (int d = 0; d < dat.dim; ++d) {
        std::byte* to = rows + static_cast<std::size_t>(d) * sizeof(T);
        for (const LocalIndex i : elements) {
            std::memcpy(to, from + static_cast<std::size_t>(dat.layout.offset(i, d)) * sizeof(T),
                        sizeof(T));
            to += static_cast<std::size_t>(dat.dim) * sizeof(T);
        }
    }
}

}  // namespace

void gather_rows(const RawDat& dat, std::span<const LocalIndex> elements,
                 std::span<const LocalIndex> next, std::byte* rows) {
    const std::size_t row_bytes = static_cast<std::size_t>(dat.dim) * bytes_of(dat.type);
    if (has_whole_rows(dat)) {
        gather_whole(dat, row_bytes, elements, next, rows);
        return;
    }
    for (std::size_t first = 0; first < elements.size(); first += scattered_rows) {
        const auto part =
            elements.subspan(first, std::min(scattered_rows, elements.size() - first));
        std::byte* const to = rows + first * row_bytes;
        if (bytes_of(dat.type) == sizeof(std::uint64_t)) {
            gather_scattered<std::uint64_t>(dat, part, to);
        } else {
            gather_scattered<std::uint32_t>(dat, part, to);
        }
    }
}

}  // namespace halocline
