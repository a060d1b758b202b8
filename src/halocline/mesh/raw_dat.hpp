// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A dat without its type, as code sees it that moves values: halo exchange, files, output.
#pragma once

#include <cstddef>

#include "halocline/core/element_type.hpp"
#include "halocline/mesh/layout.hpp"

namespace halocline {

/// Where the values of a dat lie, on the host or on a device. Owns nothing.
struct RawDat {
    double* values = nullptr;  ///< memory in words of eight bytes; `type` says what lies in it
    int dim = 1;               ///< components of an element
    Layout layout;             ///< where component d of element i lies
    ElementType type = ElementType::float64;  ///< of the values

    /// The memory as bytes.
    [[nodiscard]] std::byte* bytes() const { return reinterpret_cast<std::byte*>(values); }
};

}  // namespace halocline
