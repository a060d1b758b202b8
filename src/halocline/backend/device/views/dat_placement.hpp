// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a dat on the host to its place on a device: layout, memory, values.
#pragma once

#include <cstring>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/backend/device/views/rows_view.hpp"

namespace halocline::device {

namespace detail {

template <class DatT>
Layout layout_on_device(const SetPart& set) {
    switch (shape_of<DatT>()) {
        case Shape::pairs:
            return Layout::pairs(DatT::dim,
                                 (set.rows() + simd_lanes - 1) / simd_lanes * simd_lanes);
        case Shape::rows:
            return Layout::rows(DatT::dim);
        default:
            return Layout::columns((set.rows() + slice - 1) / slice * slice);
    }
}

/// Values in another layout.
template <class T>
void move_values(const SetPart& set, const RawDat& from, const RawDat& to) {
    const T* const old_place = reinterpret_cast<const T*>(from.values);
    T* const new_place = reinterpret_cast<T*>(to.values);
#pragma omp parallel for schedule(static)
    for (LocalIndex i = 0; i < set.rows(); ++i) {
        for (int d = 0; d < from.dim; ++d) {
            // Bytes: memory of dats is made of doubles, whatever lies in it.
            std::memcpy(new_place + to.layout.offset(i, d), old_place + from.layout.offset(i, d),
                        sizeof(T));
        }
    }
}

/// Values as the device lays them out.
template <class DatT>
Buffer<double> stage(const DatStore& dat) {
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double), 0.0);
    const RawDat from = dat.raw();
    move_values<typename DatT::Stored>(*dat.set, from,
                                       {staged.data(), from.dim, dat.device.layout, from.type});
    return staged;
}

/// Memory for a dat, and its values unless all of them are about to be written: nobody writes what
/// absent targets read.
template <class DatT>
void bring_to_device(Executor& executor, DatStore& dat, bool all_written) {
    executor.note_used(dat);
    if (dat.device.fetcher == nullptr) {
        const Layout layout = layout_on_device<DatT>(*dat.set);
        executor.make_room(dat, layout, layout.size(dat.set->rows(), DatT::dim));
    }
    if (!dat.device.device_current && (!all_written || dat.set->has_absent)) {
        executor.upload(dat, stage<DatT>(dat));
    }
}

}  // namespace detail

}  // namespace halocline::device
