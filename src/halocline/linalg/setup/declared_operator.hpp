// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a declared operator is one.
#pragma once

#include "halocline/linalg/hierarchy.hpp"

namespace halocline::linalg::setup {

/// Throws as `declare_hierarchy` says, on all ranks alike. Collective.
void validate_operator(const Communicator& comm, const MeshDeclaration& declaration,
                       const DeclaredOperator& declared, const HierarchyOptions& options);

}  // namespace halocline::linalg::setup
