// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The loops of a multigrid cycle on devices. Set-up loops have no device form: they run once, and one
// takes a cube root, whose bits a GPU's library does not share.
#pragma once

#include "halocline/backend/device/options.hpp"

namespace halocline::mgcfd {

void add_device_loops(device::Executor& executor);

}  // namespace halocline::mgcfd
