// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A box of vertices, as many along each side, divided among ranks.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/dist/distribute.hpp"

namespace halocline::halo_bench {

/// Of about `vertices` vertices; edges join neighbours along the three directions, set 0 is the
/// vertices. Each rank makes its own block of both. Collective.
[[nodiscard]] Distribution divide_box(const Communicator& comm, GlobalIndex vertices,
                                      const std::string& partitioner);

}  // namespace halocline::halo_bench
