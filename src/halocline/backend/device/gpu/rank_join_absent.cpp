// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for rank_join.cu in builds without GPUs, which have no device to launch on.
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

void launch_join_on_gpu(const JoinView& /*view*/, void* /*stream*/) {
    throw ContractError("a build without GPUs was given one (there is none in it).");
}

}  // namespace halocline::device
