// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The edge between two pairs of nodes: up to four weights become one.
#pragma once

#include <array>
#include <cstdint>

#include "halocline/core/types.hpp"

namespace halocline::linalg::setup {

/// The coarse node to which a node belongs, and how.
class Place {
public:
    Place() = default;
    /// The first child of `coarse`.
    Place(GlobalIndex coarse, bool is_pair, bool has_negative)
        : bits_(8 * coarse + (is_pair ? pair_bit : 0) + (has_negative ? negative_bit : 0)) {}

    [[nodiscard]] Place of_second() const {
        Place second = *this;
        second.bits_ |= second_bit;
        return second;
    }
    /// The coarse node.
    [[nodiscard]] GlobalIndex coarse() const { return bits_ / 8; }
    /// Which of the coarse node's children it is: 0 or 1.
    [[nodiscard]] int child() const { return (bits_ & second_bit) != 0 ? 1 : 0; }
    /// How many children the coarse node has: 1 or 2.
    [[nodiscard]] int children() const { return (bits_ & pair_bit) != 0 ? 2 : 1; }
    /// Whether a child has an edge with a negative weight.
    [[nodiscard]] bool has_negative() const { return (bits_ & negative_bit) != 0; }

private:
    static constexpr std::int64_t second_bit = 1, pair_bit = 2, negative_bit = 4;
    std::int64_t bits_ = 0;
};

/// What edges between the children of two coarse nodes come to.
struct MergedEdge {
    std::array<double, 4> part{};  ///< sums of weights by child of the row and child of the column
    Place column;

    void add(int row_child, int column_child, double weight) {
        part[static_cast<std::size_t>(2 * row_child + column_child)] += weight;
    }

    /// The weight of P^T A P. It has the same bits in the rows of both coarse nodes.
    [[nodiscard]] double galerkin_weight() const {
        return (part[0] + part[3]) + (part[1] + part[2]);
    }

    /// What of it the coarse operator gets. Along a pair a step from node to node is twice as long as it
    /// was, so half the weight would be right for what varies smoothly, while a Galerkin product with
    /// constant prolongation keeps all of it; across a pair it is right. So an edge has the share
    /// `lengthwise` (0.5 to 1) where two of four children touch each other, and 1 where all four do. At nodes
    /// that have negative weights, too, all edges have the share `lengthwise`: thus no positive edge
    /// loses more than a negative one, and the operator stays positive where P^T A P is.
    [[nodiscard]] double share(const Place& row, double lengthwise) const {
        if (row.has_negative() || column.has_negative()) {
            return lengthwise;
        }
        const auto touches = [&](std::size_t a, std::size_t b) {
            return part[a] != 0.0 || part[b] != 0.0 ? 1 : 0;
        };
        const int touching = touches(0, 1) + touches(2, 3) + touches(0, 2) + touches(1, 3);
        const int children = row.children() + column.children();
        return 1.0 - 2.0 * (1.0 - lengthwise) * (children - touching) / children;
    }
};

}  // namespace halocline::linalg::setup
