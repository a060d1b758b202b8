// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory aliasing: the second state of the finest level is dead between its visits; coarse levels use it.
#pragma once

#include <vector>

#include "halocline/solver/mgcfd/level.hpp"

namespace halocline::mgcfd {

/// Whether all states and `change` of all coarse levels fit into `next` of the finest level.
[[nodiscard]] bool fits_aliased_states(const Mesh& mesh, int levels);

/// Whether every restriction makes the whole state of a coarse level anew: all its nodes here have
/// children. Only then may it lie in aliased memory.
[[nodiscard]] bool is_restricted_whole(const Level& coarse);

/// Places the states of aliased coarse levels for the rest of the cycle. Call it after the finest
/// level's visit: what they had there was of the cycle before.
void alias_coarse_states(std::vector<Level>& levels);

/// After a stage of a level with three states: the next stage writes where nobody needs the old
/// values, and after three stages every state is where it was.
inline void rotate_states(Level& level) {
    static_assert(stages == 3, "as many states as stages");
    if (level.spare) {
        swap(level.next, *level.spare);
    }
}

}  // namespace halocline::mgcfd
