// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where in the lent memory what lies: first the states that levels use in turn, then what each has.
#include "halocline/solver/mgcfd/idle_memory.hpp"

#include <algorithm>
#include <string>

#include "halocline/mesh/lender.hpp"

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

bool fits_idle_memory(const Mesh& mesh, int levels) {
    const auto nodes = [&](int l) -> const SetPart& {
        return *mesh.set<Node>("nodes_L" + std::to_string(l)).part;
    };
    std::size_t shared_state = 0;
    std::size_t own = 0;
    for (int l = 1; l < levels; ++l) {
        shared_state = std::max(shared_state, state_room(nodes(l)));
        own += state_room(nodes(l)) + change_room(nodes(l));
    }
    const std::size_t lent = static_cast<std::size_t>(nodes(0).rows()) * simd_lanes;
    return 2 * shared_state + own <= lent;
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

void lend_idle_memory(std::vector<Level>& levels) {
    if (levels.size() < 2 || !levels[1].spare) {
        return;
    }
    Lender lender(levels.front().next.handle());
    std::size_t states = 0;
    for (std::size_t l = 1; l < levels.size(); ++l) {
        states = std::max(states, state_room(*levels[l].nodes.part));
    }
    double* const next = lender.take(states);
    double* const spare = lender.take(states);
    for (std::size_t l = 1; l < levels.size(); ++l) {
        Lender::place(levels[l].next.handle(), next);
        Lender::place(levels[l].spare->handle(), spare);
        Lender::place(levels[l].change.handle(), lender.take(change_room(*levels[l].nodes.part)));
        if (levels[l].borrows_q) {
            Lender::place(levels[l].q.handle(), lender.take(state_room(*levels[l].nodes.part)));
        }
    }
}

}  // namespace halocline::mgcfd
