// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of one element of a dat on a device, as its type says that it lies there.
#pragma once

#include "halocline/backend/device/kernels/stored_value.hpp"
#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::device {

namespace detail {

using Pair = Gpu::Pair;

/// Pair p of element i of a dat of `dim` components in blocks of eight elements.
template <int dim>
HALOCLINE_HD const Pair* pair_of(const double* memory, LocalIndex i, int p) {
    return reinterpret_cast<const Pair*>(memory) +
           std::int64_t{i / simd_lanes} * simd_lanes * (dim / 2) + p * simd_lanes + i % simd_lanes;
}
/// The component that an odd number leaves over: in a column behind the blocks.
template <int dim>
HALOCLINE_HD const double* alone_of(const double* memory, LocalIndex column, LocalIndex i) {
    return memory + std::int64_t{column} * (dim - 1) + i;
}

template <int dim>
HALOCLINE_HD void load_pairs(const double* memory, LocalIndex column, LocalIndex i,
                             Values<double, dim>& values) {
    for (int p = 0; p < dim / 2; ++p) {
        const Pair pair = *pair_of<dim>(memory, i, p);
        values[2 * p] = pair.x;
        values[2 * p + 1] = pair.y;
    }
    if constexpr (dim % 2 == 1) {
        values[dim - 1] = *alone_of<dim>(memory, column, i);
    }
}

template <int dim>
HALOCLINE_HD void store_pairs(double* memory, LocalIndex column, LocalIndex i,
                              const Values<double, dim>& values) {
    for (int p = 0; p < dim / 2; ++p) {
        *const_cast<Pair*>(pair_of<dim>(memory, i, p)) = Pair{values[2 * p], values[2 * p + 1]};
    }
    if constexpr (dim % 2 == 1) {
        *const_cast<double*>(alone_of<dim>(memory, column, i)) = values[dim - 1];
    }
}

/// Components and what `Function` derives from them, after them: the kernel's view of an element.
template <class DatT, int size>
HALOCLINE_HD Values<double, size> with_derived(const Values<double, DatT::dim>& stored) {
    using Function = typename DatT::Storage::Function;
    Values<double, size> values;
    for (int d = 0; d < DatT::dim; ++d) {
        values[d] = stored[d];
    }
    Values<double, Function::size> extra;
    Function{}(stored, extra);
    for (int d = DatT::dim; d < size; ++d) {
        values[d] = extra[d - DatT::dim];
    }
    return values;
}

}  // namespace detail

/// Where component d of element i lies, counted in values.
template <class DatT>
HALOCLINE_HD std::int64_t place_of(LocalIndex stride, LocalIndex i, int d) {
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        return Layout::pairs(DatT::dim, stride).offset(i, d);
    } else if constexpr (shape_of<DatT>() == Shape::rows) {
        return Layout::rows(DatT::dim).offset(i, d);
    } else {
        return Layout::columns(stride).offset(i, d);
    }
}

/// Components of element i of a dat on the device, and what is derived from them up to `size`.
template <class DatT, int size>
HALOCLINE_HD auto load_dat(const double* memory, LocalIndex stride, LocalIndex i) {
    using T = typename DatT::Stored;
    Values<Computed<T>, DatT::dim> stored;
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        detail::load_pairs(memory, stride, i, stored);
    } else {
        for (int d = 0; d < DatT::dim; ++d) {
            stored[d] = widened(reinterpret_cast<const T*>(memory)[place_of<DatT>(stride, i, d)]);
        }
    }
    if constexpr (size == DatT::dim) {
        return stored;
    } else {
        return detail::with_derived<DatT, size>(stored);
    }
}

/// Stores components.
template <class DatT>
HALOCLINE_HD void store_dat(double* memory, LocalIndex stride, LocalIndex i,
                            const Values<Computed<typename DatT::Stored>, DatT::dim>& values) {
    using T = typename DatT::Stored;
    if constexpr (shape_of<DatT>() == Shape::pairs) {
        detail::store_pairs(memory, stride, i, values);
    } else {
        for (int d = 0; d < DatT::dim; ++d) {
            reinterpret_cast<T*>(memory)[place_of<DatT>(stride, i, d)] = narrowed<T>(values[d]);
        }
    }
}

}  // namespace halocline::device
