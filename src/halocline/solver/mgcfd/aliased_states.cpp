// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What lies where in the aliased memory: first the states that levels use in turn, then what each has.
#include "halocline/solver/mgcfd/aliased_states.hpp"

#include <algorithm>
#include <string>

#include "halocline/mesh/aliased_memory.hpp"

namespace halocline::mgcfd {

namespace {

/// Loops load and prefetch whole blocks beyond the last row.
constexpr std::size_t slack = 16 * simd_lanes;

std::size_t room(const SetPart& nodes, int values_an_element) {
    const auto blocks = static_cast<std::size_t>((nodes.total + simd_lanes - 1) / simd_lanes);
    return blocks * simd_lanes * static_cast<std::size_t>(values_an_element) + slack;
}

std::size_t state_room(const SetPart& nodes) { return room(nodes, simd_lanes); }
std::size_t change_room(const SetPart& nodes) { return room(nodes, variables); }

}  // namespace

bool fits_aliased_states(const Mesh& mesh, int levels) {
    const auto nodes = [&](int l) -> const SetPart& {
        return *mesh.set<Node>("nodes_L" + std::to_string(l)).part;
    };
    std::size_t shared_state = 0;
    std::size_t own = 0;
    for (int l = 1; l < levels; ++l) {
        shared_state = std::max(shared_state, state_room(nodes(l)));
        own += state_room(nodes(l)) + change_room(nodes(l));
    }
    const std::size_t available = static_cast<std::size_t>(nodes(0).rows()) * simd_lanes;
    return 2 * shared_state + own <= available;
}

bool is_restricted_whole(const Level& coarse) {
    const DatStore& inverse_children = coarse.inverse_children->store();
    for (LocalIndex i = 0; i < coarse.nodes.part->owned; ++i) {
        if (!(inverse_children.at(i, 0) > 0.0)) {
            return false;
        }
    }
    return true;
}

void alias_coarse_states(std::vector<Level>& levels) {
    if (levels.size() < 2 || !levels[1].spare) {
        return;
    }
    AliasedMemory aliased(levels.front().next.handle());
    std::size_t states = 0;
    for (std::size_t l = 1; l < levels.size(); ++l) {
        states = std::max(states, state_room(*levels[l].nodes.part));
    }
    double* const next = aliased.allocate(states);
    double* const spare = aliased.allocate(states);
    for (std::size_t l = 1; l < levels.size(); ++l) {
        AliasedMemory::place(levels[l].next.handle(), next);
        AliasedMemory::place(levels[l].spare->handle(), spare);
        AliasedMemory::place(levels[l].change.handle(),
                             aliased.allocate(change_room(*levels[l].nodes.part)));
        if (levels[l].q_is_aliased) {
            AliasedMemory::place(levels[l].q.handle(),
                                 aliased.allocate(state_room(*levels[l].nodes.part)));
        }
    }
}

}  // namespace halocline::mgcfd
