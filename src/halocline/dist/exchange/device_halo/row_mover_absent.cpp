// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for row_mover.cu in builds without GPUs.
#include "halocline/dist/exchange/device_halo/row_mover.hpp"

namespace halocline::dist {

std::unique_ptr<RowMover> make_gpu_row_mover(Device& /*device*/) { return nullptr; }

}  // namespace halocline::dist
