// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether all ranks ask for one mesh.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Sets with their sizes, maps, dats and coordinates, in their order. Throws the same ContractError on every
/// rank, naming the first that differs and the lowest rank that declares it differently from rank 0.
/// Collective.
void require_declared_alike(const Communicator& comm, const MeshDeclaration& declaration);

/// The same for how it is to be distributed. Collective.
void require_options_alike(const Communicator& comm, const DistributeOptions& options);

/// The same for the type of values that `dat` put off, when they come. Collective.
void require_type_alike(const Communicator& comm, const DatDeclaration& dat,
                        const DatValues& values);

}  // namespace halocline::dist
