// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums face areas per node; halo edges make the sums of owned nodes complete without messages.
#include "halocline/io/closure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace halocline {

namespace {

/// Length of a vector; squares that leave the range of doubles are the exception that costs.
double length_of(const double* v) {
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return square > 1e-280 && square < 1e300 ? std::sqrt(square) : std::hypot(v[0], v[1], v[2]);
}

/// Edges ahead whose sums are fetched: nodes lie in another order than edges come.
constexpr std::size_t edges_ahead = 16;

/// Vector sum and sum of lengths of the faces of one dual cell.
struct FaceSum {
    std::array<double, 3> area{};
    double length = 0.0;

    void add(const double* weight, double size, double sign) {
        for (std::size_t d = 0; d < 3; ++d) {
            area[d] += sign * weight[d];
        }
        length += size;
    }

    [[nodiscard]] double defect() const {
        const double open = length_of(area.data());
        const double relative = length > 0.0 ? open / length : open;
        return std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
    }
};

std::vector<FaceSum> sum_faces(const ClosureInput& input) {
    std::vector<FaceSum> sums(static_cast<std::size_t>(input.nodes->total));
    const std::size_t ends = input.edge_nodes.size();
    const auto sum_of_end = [&](std::size_t end) -> FaceSum& {
        return sums[static_cast<std::size_t>(input.edge_nodes[end])];
    };
    for (std::size_t edge = 0; edge < ends / 2; ++edge) {
        const std::size_t coming = std::min(2 * (edge + edges_ahead), ends - 2);
        __builtin_prefetch(&sum_of_end(coming), 1);
        __builtin_prefetch(&sum_of_end(coming + 1), 1);
        const double* weight = &input.edge_weights[3 * edge];
        const double size = length_of(weight);
        sum_of_end(2 * edge).add(weight, size, 1.0);
        sum_of_end(2 * edge + 1).add(weight, size, -1.0);
    }
    for (std::size_t entry = 0; entry < input.boundary_node.size(); ++entry) {
        const double* weight = &input.boundary_weights[3 * entry];
        sums[static_cast<std::size_t>(input.boundary_node[entry])].add(weight, length_of(weight),
                                                                       -1.0);
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
