// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/dist/migration/absent.hpp"

#include <algorithm>

#include "halocline/dist/migration/directory.hpp"

namespace halocline::dist {

void mark_absent(const MeshDeclaration& declaration, MeshPart& mesh) {
    for (const MapDeclaration& map : declaration.maps) {
        if (map.may_be_absent) {
            mesh.sets[static_cast<std::size_t>(map.to)].has_absent = true;
        }
    }
}

void place_absent_targets(MeshPart& mesh) {
    for (MapPart& map : mesh.maps) {
        const LocalIndex row = mesh.sets[static_cast<std::size_t>(map.to)].absent_row();
        if (map.may_be_absent) {
            std::replace(map.targets.begin(), map.targets.end(), static_cast<LocalIndex>(absent),
                         row);
        }
    }
}

bool is_cut(const int* owners, std::size_t arity, int other) {
    for (std::size_t k = 0; k < arity; ++k) {
        if (owners[k] != no_owner && other != no_owner && owners[k] != other) {
            return true;
        }
        other = owners[k] == no_owner ? other : owners[k];
    }
    return false;
}

}  // namespace halocline::dist
