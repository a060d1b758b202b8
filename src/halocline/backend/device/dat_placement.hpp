// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a dat on the host to its place on a device: layout, memory, values.
#pragma once

#include "halocline/backend/device/dat_shape.hpp"
#include "halocline/backend/device/executor.hpp"
#include "halocline/backend/device/rows_view.hpp"

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

/// Values as the device lays them out.
template <class DatT>
Buffer<double> stage(const DatStore& dat) {
    const Layout layout = dat.device.layout;
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double), 0.0);
#pragma omp parallel for schedule(static)
    for (LocalIndex i = 0; i < dat.set->rows(); ++i) {
        for (int d = 0; d < DatT::dim; ++d) {
            staged[static_cast<std::size_t>(layout.offset(i, d))] = dat.at(i, d);
        }
    }
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
