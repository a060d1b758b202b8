// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The section [mesh] of a case: where the mesh is, and whether it is the one the recipe describes.
#pragma once

#include <string>

#include "case_section.hpp"
#include "halocline/core/communicator.hpp"

namespace halocline::solve {

struct MeshPlace {
    std::string directory;
    std::string input;
};

/// Reads [mesh]; `folder` is where relative paths start. Throws InputError on every rank when there is
/// no mesh, or one made by another recipe than [mesh.make]. Collective.
[[nodiscard]] MeshPlace read_mesh_section(const Communicator& comm, CaseSection& root,
                                          const std::string& folder);

}  // namespace halocline::solve
