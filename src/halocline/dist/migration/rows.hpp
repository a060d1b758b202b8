// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over rows of maps and dats that several steps share. The thread that writes a block of a
// result is the one that touches it first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/element_type.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

/// Gives a vector's memory back now.
template <class T>
void release(std::vector<T>& values) {
    std::vector<T>().swap(values);
}

/// Copy in the same order, converted to `To`.
template <class To, class From>
void convert_into(To* to, std::span<const From> values) {
    const auto n = static_cast<std::int64_t>(values.size());
    const From* from = values.data();
#pragma omp parallel for schedule(static) if (n > 65536)
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] = static_cast<To>(from[i]);
    }
}

/// The same into new memory.
template <class To, class From>
[[nodiscard]] Buffer<To> converted(std::span<const From> values) {
    Buffer<To> result(values.size());
    convert_into(result.data(), values);
    return result;
}

/// to[i] = from[order[i]] for rows of `Width` values, or of `width` when that is 0. A fixed width
/// copies in registers: rows are too short for a call each.
template <int Width, class T>
void permute_rows(T* to, const T* from, int width, std::span<const LocalIndex> order) {
    const auto n = static_cast<std::int64_t>(order.size());
    const std::int64_t row = Width == 0 ? width : Width;
#pragma omp parallel for schedule(static) if (n > 65536)
    for (std::int64_t i = 0; i < n; ++i) {
        const T* source = from + order[static_cast<std::size_t>(i)] * row;
        for (std::int64_t d = 0; d < row; ++d) {
            to[i * row + d] = source[d];
        }
    }
}

/// to[i] = rows[order[i]] for rows of `width` values.
template <class T>
void permute_rows_into(T* to, std::span<const T> rows, int width,
                       std::span<const LocalIndex> order) {
    switch (width) {
        case 1:
            permute_rows<1>(to, rows.data(), width, order);
            break;
        case 2:
            permute_rows<2>(to, rows.data(), width, order);
            break;
        case 3:
            permute_rows<3>(to, rows.data(), width, order);
            break;
        case 5:
            permute_rows<5>(to, rows.data(), width, order);
            break;
        default:
            permute_rows<0>(to, rows.data(), width, order);
            break;
    }
}

/// Row i of the result is row order[i] of `rows`.
template <class T>
[[nodiscard]] Buffer<T> permuted_rows(std::span<const T> rows, int width,
                                      std::span<const LocalIndex> order) {
    Buffer<T> result(order.size() * static_cast<std::size_t>(width));
    permute_rows_into(result.data(), rows, width, order);
    return result;
}

/// Memory for `count` values of type T, in words of eight bytes as dats have it.
template <class T>
[[nodiscard]] Buffer<double> words_of(std::size_t count) {
    return Buffer<double>(words_for(count, sizeof(T)));
}
/// The values in such memory.
template <class T>
[[nodiscard]] T* values_in(Buffer<double>& words) {
    return reinterpret_cast<T*>(words.data());
}

/// Replaces each value v by table[v]; negative ones, absent entries of maps, stay.
inline void relabel(Buffer<LocalIndex>& values, const Buffer<LocalIndex>& table) {
    const auto n = static_cast<std::int64_t>(values.size());
    LocalIndex* v = values.data();
    const LocalIndex* t = table.data();
#pragma omp parallel for schedule(static) if (n > 65536)
    for (std::int64_t i = 0; i < n; ++i) {
        v[i] = v[i] < 0 ? v[i] : t[v[i]];
    }
}

}  // namespace halocline::dist
