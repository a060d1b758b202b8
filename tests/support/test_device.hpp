// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Devices for tests that run on every one of them: the emulated device, and a GPU where there is one.
#pragma once

#include <memory>
#include <string>

#include "halocline/backend/context.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::test {

struct TestDevice {
    std::unique_ptr<Device> device;  ///< null: the back end needs none, or this machine has none
    std::string obstacle;            ///< why this machine has none; empty otherwise
};

/// Opens the device that a back end's loops run on.
[[nodiscard]] TestDevice open_test_device(Backend backend);

}  // namespace halocline::test
