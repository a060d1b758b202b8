// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes whose value is given, taken out of a declared operator.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::linalg {

/// Adds dats `<prefix>_weights` and `<prefix>_diagonal`: the operator without the edges between fixed
/// nodes and others, whose weights go over to the diagonals of both ends. (A x)_a = b_a then holds at
/// the others where b_a has what these edges bring, w_ab x_b. Fixed nodes keep the edges among each
/// other, so that they are coarsened as the mesh of a surface is; their rows have solutions of their own.
///
/// @param fixed  global ids, in any order, on any rank, also more than once
/// @returns the operator of the new dats
/// @throws InputError for a diagonal that comes to be negative: weights to fixed nodes are negative there
/// Sums have the same bits on any number of ranks. Collective.
[[nodiscard]] DeclaredOperator fix_nodes(const Communicator& comm, MeshDeclaration& declaration,
                                         const DeclaredOperator& declared,
                                         const std::vector<GlobalIndex>& fixed,
                                         const std::string& prefix);

}  // namespace halocline::linalg
