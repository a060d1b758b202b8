// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An HDF5 file driver that keeps what is written in a list: a file in memory, without its values.
#pragma once

#include <hdf5.h>

#include "halocline/io/hdf5_image.hpp"

namespace halocline {

/// What the access properties of a file give the driver. Both outlive the file.
struct ImageDriverInfo {
    Hdf5Image* image;          ///< to be filled
    const bool* keeps_values;  ///< false: values of datasets are dropped, wherever they go
};

/// For H5FDregister; H5Pset_driver takes an `ImageDriverInfo` with it.
[[nodiscard]] H5FD_class_t image_driver();

}  // namespace halocline
