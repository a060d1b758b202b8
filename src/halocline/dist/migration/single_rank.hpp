// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The whole mesh on one rank: nothing to partition, send or keep as halo.
#pragma once

#include "halocline/dist/distribute.hpp"

namespace halocline::dist {

/// Local form of a validated declaration held whole by this rank.
[[nodiscard]] Distribution localise_whole_mesh(const Communicator& comm,
                                               MeshDeclaration declaration,
                                               const DistributeOptions& options);

}  // namespace halocline::dist
