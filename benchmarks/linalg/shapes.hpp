// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson problems of regular and of perturbed meshes, each rank's block of them.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::bench {

/// A declared operator: sets "nodes" and "edges", map "edge_nodes", dat "weights", coordinates "x".
struct Poisson {
    MeshDeclaration mesh;
    linalg::DeclaredOperator op;
};

/// `shape`: square, box or tets; n nodes along each side; stretched: coordinate x is this many times
/// longer than the others. Natural boundary conditions.
[[nodiscard]] Poisson declare_poisson(const Communicator& comm, const std::string& shape,
                                      GlobalIndex n, double stretched);

}  // namespace halocline::bench
