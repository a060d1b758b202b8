// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops whose strategy on a device can be chosen, by the names that users give.
#pragma once

#include <array>
#include <string_view>

namespace halocline::mgcfd {

/// Chains of the cycle that change nodes through maps, and the loops in them that do.
inline constexpr std::array<std::string_view, 9> loops_with_strategies{
    "flux_stage_1", "flux_stage_2",  "flux_stage_3", "restrict",    "unstructured_stream",
    "edge_flux",    "boundary_flux", "sum_children", "stream_edges"};

}  // namespace halocline::mgcfd
