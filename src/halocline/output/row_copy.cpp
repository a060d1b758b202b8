// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/row_copy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "halocline/core/element_type.hpp"

namespace halocline::output {

namespace {

/// A size known to the compiler makes a copy of a few moves of it.
constexpr int most_unrolled_values = 16;

template <class T, int dim>
void copy_strided(const T* from, std::int64_t stride, std::int64_t begin, std::int64_t end, T* to) {
    for (std::int64_t i = begin; i < end; ++i) {
        std::memcpy(to + i * dim, from + i * stride, dim * sizeof(T));
    }
}

template <class T, int... dims>
void copy_strided(std::integer_sequence<int, dims...>, int dim, const T* from, std::int64_t stride,
                  std::int64_t begin, std::int64_t end, T* to) {
    const bool found =
        ((dim == dims + 1 && (copy_strided<T, dims + 1>(from, stride, begin, end, to), true)) ||
         ...);
    for (std::int64_t i = begin; !found && i < end; ++i) {
        std::memcpy(to + i * dim, from + i * stride, static_cast<std::size_t>(dim) * sizeof(T));
    }
}

/// Rows of one range of elements.
template <class T>
void copy_range(const RawDat& dat, std::int64_t begin, std::int64_t end, T* to) {
    const auto* const from = reinterpret_cast<const T*>(dat.values);
    const Layout& layout = dat.layout;
    if (layout.block == 1 && layout.component_stride == 1) {
        if (layout.block_stride == dat.dim) {
            std::memcpy(to + begin * dat.dim, from + begin * dat.dim,
                        static_cast<std::size_t>((end - begin) * dat.dim) * sizeof(T));
            return;
        }
        copy_strided<T>(std::make_integer_sequence<int, most_unrolled_values>{}, dat.dim, from,
                        layout.block_stride, begin, end, to);
        return;
    }
    for (int d = 0; d < dat.dim; ++d) {  // a component lies in runs: one stream in, one out
        for (std::int64_t i = begin; i < end; ++i) {
            to[i * dat.dim + d] = from[layout.offset(static_cast<LocalIndex>(i), d)];
        }
    }
}

/// Small enough that rows stay in a cache while component after component is filled in.
constexpr std::int64_t elements_a_part = 1024;

template <class T>
void copy_all(const RawDat& dat, LocalIndex count, T* to, int threads) {
    const std::int64_t parts = (std::int64_t{count} + elements_a_part - 1) / elements_a_part;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && parts > 64)
    for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t begin = part * elements_a_part;
        copy_range(dat, begin, std::min<std::int64_t>(count, begin + elements_a_part), to);
    }
}

}  // namespace

void copy_rows(const RawDat& dat, LocalIndex count, std::byte* rows, int threads) {
    if (bytes_of(dat.type) == sizeof(std::uint64_t)) {
        copy_all(dat, count, reinterpret_cast<std::uint64_t*>(rows), threads);
    } else {
        copy_all(dat, count, reinterpret_cast<std::uint32_t*>(rows), threads);
    }
}

}  // namespace halocline::output
