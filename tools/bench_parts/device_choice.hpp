// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device of each rank of a benchmark.
#pragma once

#include <memory>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::bench_parts {

struct DeviceChoice {
    std::string kind = "auto";  ///< auto, cuda, emulated, none
    int gpu = -1;               ///< -1: by local rank
    LinkModel link;             ///< of the emulated device
    bool mpi_access = false;    ///< of the emulated device
};

struct OpenedDevice {
    std::unique_ptr<Device> device;  ///< null: none takes part
    std::string note;                ///< why this one
    int gpus = 0;                    ///< that this host has; 0 where none takes part
};

/// The device of this rank. All ranks take the same kind. Collective.
[[nodiscard]] OpenedDevice open_device(const Communicator& comm, const DeviceChoice& choice,
                                       const Affinity& affinity);

}  // namespace halocline::bench_parts
