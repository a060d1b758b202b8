// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory on the device that launches use one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/memory/device.hpp"

namespace halocline::device {

/// Counters of finished blocks and room for contributions. Addresses stay: recorded work has
/// them.
class LaunchMemory {
public:
    /// `device` outlives it.
    explicit LaunchMemory(Device& device) : device_(device) {}

    /// Counters of a kernel with reductions (`ticket_words`, zeros between launches), shared by all
    /// kernels. Copies to the device, and waits, at the first call.
    [[nodiscard]] unsigned* ticket();
    /// Room for `values` doubles, uninitialised. Throws EnvironmentError when the device is full.
    [[nodiscard]] double* contributions(std::int64_t values);

private:
    Device& device_;
    SpaceBuffer ticket_;
    /// The last is the largest; the others may be those of recorded work.
    std::vector<SpaceBuffer> contributions_;
};

}  // namespace halocline::device
