// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A fingerprint of a mesh that does not depend on how it is distributed over ranks.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline {

/// 16 hexadecimal digits of the values and positions of all maps and dats. Collective.
/// A fingerprint against mix-ups, not against forgery.
[[nodiscard]] std::string hash_mesh(const Communicator& comm, const MeshDeclaration& mesh);

}  // namespace halocline
