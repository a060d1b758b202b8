// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of one element of a dat on a device, as its type says that it lies there.
#pragma once

#include "halocline/backend/device/views.hpp"

namespace halocline::device {

namespace detail {

#if defined(__CUDA_ARCH__)
using Pair = double2;
#else
struct alignas(16) Pair {
    double x;
    double y;
};
#endif

/// The first pair of element i; the others follow `simd_lanes` pairs apart.
HALOCLINE_HD inline const Pair* first_pair(const double* memory, LocalIndex i) {
    return reinterpret_cast<const Pair*>(memory) +
           (std::int64_t{i / simd_lanes} * (simd_lanes / 2) * simd_lanes + i % simd_lanes);
}

template <int n>
HALOCLINE_HD void load_pairs(const double* memory, LocalIndex i, Values<double, n>& values) {
    const Pair* pairs = first_pair(memory, i);
    for (int p = 0; p < (n + 1) / 2; ++p) {
        const Pair pair = pairs[p * simd_lanes];
        values[2 * p] = pair.x;
        if (2 * p + 1 < n) {
            values[2 * p + 1] = pair.y;
        }
    }
}

HALOCLINE_HD inline void store_pairs(double* memory, LocalIndex i,
                                     const Values<double, simd_lanes>& values) {
    Pair* pairs = const_cast<Pair*>(first_pair(memory, i));
    for (int p = 0; p < simd_lanes / 2; ++p) {
        pairs[p * simd_lanes] = Pair{values[2 * p], values[2 * p + 1]};
    }
}

}  // namespace detail

/// Where component d of element i lies, counted in values.
template <class DatT>
HALOCLINE_HD std::int64_t place_of(LocalIndex stride, LocalIndex i, int d) {
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        return Layout::pairs(simd_lanes).offset(i, d);
    } else if constexpr (shape_of<DatT>() == Shape::rows) {
        return Layout::rows(DatT::dim).offset(i, d);
    } else {
        return Layout::columns(stride).offset(i, d);
    }
}

/// Components of element i of a dat on the device; `size` of them.
template <class DatT, int size>
HALOCLINE_HD Values<double, size> load_dat(const double* memory, LocalIndex stride, LocalIndex i) {
    Values<double, size> values;
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        detail::load_pairs(memory, i, values);
    } else if constexpr (shape_of<DatT>() == Shape::rows) {
        for (int d = 0; d < size; ++d) {
            values[d] = memory[static_cast<std::int64_t>(i) * size + d];
        }
    } else {
        for (int d = 0; d < size; ++d) {
            values[d] = memory[static_cast<std::int64_t>(d) * stride + i];
        }
    }
    return values;
}

/// Stores components, and with them whatever is derived from them.
template <class DatT>
HALOCLINE_HD void store_dat(double* memory, LocalIndex stride, LocalIndex i,
                            const Values<double, DatT::dim>& values) {
    constexpr int dim = DatT::dim;
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        Values<double, simd_lanes> row;
        for (int d = 0; d < simd_lanes; ++d) {
            row[d] = d < dim ? values[d < dim ? d : 0] : 0.0;
        }
        if constexpr (halocline::detail::has_derived<typename DatT::Storage>) {
            using Function = typename DatT::Storage::Function;
            Values<double, Function::size> extra;
            Function{}(values, extra);
            for (int d = 0; d < Function::size; ++d) {
                row[dim + d] = extra[d];
            }
        }
        detail::store_pairs(memory, i, row);
    } else if constexpr (shape_of<DatT>() == Shape::rows) {
        for (int d = 0; d < dim; ++d) {
            memory[static_cast<std::int64_t>(i) * dim + d] = values[d];
        }
    } else {
        for (int d = 0; d < dim; ++d) {
            memory[static_cast<std::int64_t>(d) * stride + i] = values[d];
        }
    }
}

}  // namespace halocline::device
