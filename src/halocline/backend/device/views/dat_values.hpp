// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values of a dat from one layout to another, in host memory.
#pragma once

#include <cstring>

#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline::device::detail {

/// Copies the rows of `set` from one layout to another. Both views have values of type T and equally
/// many components.
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

/// The host's values of a dat of T as the device lays them out, padding zero.
template <class T>
Buffer<double> as_on_device(const DatStore& dat) {
    Buffer<double> staged(dat.device.values.size_bytes() / sizeof(double), 0.0);
    const RawDat from = dat.raw();
    move_values<T>(*dat.set, from, {staged.data(), from.dim, dat.device.layout, from.type});
    return staged;
}

}  // namespace halocline::device::detail
