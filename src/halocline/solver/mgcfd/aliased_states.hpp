// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory aliasing: the second state of the finest level is dead between its visits; coarse levels use it.
#pragma once

#include <utility>
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

/// While it lives, a coarse level's correction lies in the memory of `next`, which is dead between
/// visits. Plain layouts have rows of different sizes and keep two arrays.
class AliasedCorrection {
public:
    explicit AliasedCorrection(Level& coarse)
        : owner_(coarse.next.handle()), alias_(coarse.correction->handle()) {
        exchange();
    }
    ~AliasedCorrection() { exchange(); }
    AliasedCorrection(const AliasedCorrection&) = delete;
    AliasedCorrection& operator=(const AliasedCorrection&) = delete;

private:
    void exchange() {
        if (owner_.mode == LayoutMode::vector) {
            std::swap(owner_.values, alias_.values);
        }
    }

    DatStore& owner_;
    DatStore& alias_;
};

}  // namespace halocline::mgcfd
