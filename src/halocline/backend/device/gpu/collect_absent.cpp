// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for collect.cu in builds without GPUs, which have no device to launch on.
#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

void launch_collect_on_gpu(const CollectView& /*view*/, void* /*stream*/) {
    throw ContractError("a build without GPUs was given one (there is none in it).");
}

void write_results_on_gpu(GlobalResult* /*pinned*/, const GlobalPlace* /*from*/, int /*count*/,
                          void* /*stream*/) {
    throw ContractError("a build without GPUs was given one (there is none in it).");
}

}  // namespace halocline::device
