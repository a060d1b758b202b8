// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks of a declaration that every later step relies on.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Sizes, indices and map targets. Throws the same error on every rank: ContractError for wrong
/// use, InputError for a map that points outside its set. Collective.
void validate_declaration(const Communicator& comm, const MeshDeclaration& declaration);

/// Throws ContractError unless each of `coordinates` is a declared dat of 1 to 3 components, one a set.
void validate_coordinates(const MeshDeclaration& declaration, const std::vector<int>& coordinates);

/// The completed options against the declaration and against the partitioners there are. Needs no
/// communication: the options are equal on all ranks.
void validate_options(const MeshDeclaration& declaration, const DistributeOptions& options,
                      int parts);

/// Throws InputError unless `count` fits the 32-bit local index.
void validate_local_count(const std::string& set, std::int64_t count);

}  // namespace halocline::dist
