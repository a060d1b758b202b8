// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The loops of a multigrid cycle on devices. Set-up loops have no device form: they run once, and one
// takes a cube root, whose bits a GPU's library does not share.
#pragma once

#include <array>
#include <string_view>

#include "halocline/backend/device/options.hpp"

namespace halocline::mgcfd {

/// Chains of the cycle that change nodes through maps, and the loops in them that do.
inline constexpr std::array<std::string_view, 9> loops_with_strategies{
    "flux_stage_1", "flux_stage_2",  "flux_stage_3", "restrict",    "unstructured_stream",
    "edge_flux",    "boundary_flux", "sum_children", "stream_edges"};

void add_device_loops(device::Executor& executor);

}  // namespace halocline::mgcfd
