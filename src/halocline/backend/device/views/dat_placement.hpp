// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a dat on the host to its place on a device: layout, memory, values.
#pragma once

#include "halocline/backend/device/launch/device_dats.hpp"
#include "halocline/backend/device/views/dat_shape.hpp"
#include "halocline/backend/device/views/dat_values.hpp"
#include "halocline/backend/device/views/incidence_view.hpp"

namespace halocline::device {

namespace detail {

/// How dats of type `DatT` lie on the device: columns are padded to whole slices.
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

/// Gives a dat memory, and its values unless all of them are about to be written: nobody writes what
/// absent targets read.
template <class DatT>
void ensure_on_device(DeviceDats& dats, DatStore& dat, bool all_written) {
    dats.note_used(dat);
    if (!dats.hold(dat)) {
        const Layout layout = layout_on_device<DatT>(*dat.set);
        dats.make_room(dat, layout, layout.size(dat.set->rows(), DatT::dim));
    }
    if (!dat.device.device_current && (!all_written || dat.set->has_absent)) {
        dats.upload(dat, as_on_device<typename DatT::Stored>(dat));
    }
}

}  // namespace detail

}  // namespace halocline::device
