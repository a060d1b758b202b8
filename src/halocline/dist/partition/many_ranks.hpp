// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The path of a mesh over several ranks: partition, migrate, renumber, build halos.
#pragma once

#include "halocline/dist/distribute.hpp"

namespace halocline::dist {

/// Distributes a validated declaration. Collective.
[[nodiscard]] Distribution distribute_over_ranks(const Communicator& comm,
                                                 MeshDeclaration declaration,
                                                 const DistributeOptions& options);

}  // namespace halocline::dist
