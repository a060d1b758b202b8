// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Derived values of halo elements, made again where an exchange on the device brought new components.
#pragma once

#include "halocline/backend/device/dat_access.hpp"

namespace halocline::device {

/// Stands in lists of device loops for the dats of type `DatT` whose halos are exchanged.
template <class DatT>
struct HaloRefresh {};

/// Elements [first, end) of a dat on the device.
template <class DatT>
struct RefreshView {
    double* values;
    LocalIndex stride;
    LocalIndex first;
    LocalIndex end;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.pointer(values);
        visitor.number(stride);
        visitor.number(first);
        visitor.number(end);
    }
};

template <class DatT>
struct ViewType<HaloRefresh<DatT>> {
    using type = RefreshView<DatT>;
};

/// A dat is stored with what is derived from it.
template <class DatT>
HALOCLINE_HD void refresh_element(const RefreshView<DatT>& view, LocalIndex i) {
    store_dat<DatT>(view.values, view.stride, i,
                    load_dat<DatT, DatT::dim>(view.values, view.stride, i));
}

}  // namespace halocline::device
