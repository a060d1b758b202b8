// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether each part is in one piece.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/dist/migration/directory.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// How far parts hang together.
struct PartComponents {
    int disconnected_parts = 0;   ///< parts of more than one piece
    std::int64_t components = 0;  ///< pieces of all parts; an element without edges is a piece
};

/// Pieces into which the edges inside parts (rows of a map of arity 2 onto the set of `owners`)
/// join its elements. The edges of each part are gathered on one rank. Collective.
[[nodiscard]] PartComponents count_components(const Communicator& comm, const MapDeclaration& edges,
                                              const OwnerBlock& owners, int parts);

}  // namespace halocline::dist
