// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums face areas per node; halo edges make the sums of owned nodes complete without messages.
#include "halocline/io/closure.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace halocline {

namespace {

/// Vector sum and sum of lengths of the faces of one dual cell.
struct FaceSum {
    std::array<double, 3> area{};
    double length = 0.0;

    void add(const double* weight, double sign) {
        for (std::size_t d = 0; d < 3; ++d) {
            area[d] += sign * weight[d];
        }
        length += std::hypot(weight[0], weight[1], weight[2]);
    }

    [[nodiscard]] double defect() const {
        const double open = std::hypot(area[0], area[1], area[2]);
        const double relative = length > 0.0 ? open / length : open;
        return std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
    }
};

std::vector<FaceSum> sum_faces(const ClosureInput& input) {
    std::vector<FaceSum> sums(static_cast<std::size_t>(input.nodes->total));
    for (std::size_t edge = 0; edge < input.edge_nodes.size() / 2; ++edge) {
        const double* weight = &input.edge_weights[3 * edge];
        sums[static_cast<std::size_t>(input.edge_nodes[2 * edge])].add(weight, 1.0);
        sums[static_cast<std::size_t>(input.edge_nodes[2 * edge + 1])].add(weight, -1.0);
    }
    for (std::size_t entry = 0; entry < input.boundary_node.size(); ++entry) {
        sums[static_cast<std::size_t>(input.boundary_node[entry])].add(
            &input.boundary_weights[3 * entry], -1.0);
    }
    return sums;
}

}  // namespace

ClosureDefect check_closure(const Communicator& comm, const ClosureInput& input) {
    const std::vector<FaceSum> sums = sum_faces(input);
    constexpr GlobalIndex none = std::numeric_limits<GlobalIndex>::max();
    ClosureDefect worst{-1.0, none};
    for (LocalIndex node = 0; node < input.nodes->owned; ++node) {
        const double defect = sums[static_cast<std::size_t>(node)].defect();
        const GlobalIndex id = input.nodes->global_id(node);
        if (defect > worst.relative || (defect == worst.relative && id < worst.node)) {
            worst = {defect, id};
        }
    }
    const double largest = comm.max(worst.relative);
    const GlobalIndex node = comm.min(worst.relative == largest ? worst.node : none);
    return {std::max(largest, 0.0), node == none ? -1 : node};
}

}  // namespace halocline
