// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A piece of an order, halved by planes until each part is a tile.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "halocline/core/types.hpp"
#include "halocline/dist/order/local_graph.hpp"
#include "halocline/dist/order/tile_groups.hpp"

namespace halocline::dist {

/// Where a piece lies: consecutive places of an order.
struct PieceOfOrder {
    std::span<const LocalIndex> members;  ///< vertices of the graph, by place
    std::span<const LocalIndex> place;    ///< by vertex; -1 where the order has it not
    LocalIndex first_place = 0;           ///< of the members
};

/// One piece of an order with numbers of its own: 0, 1, … as its members follow each other.
class Piece {
public:
    /// Copies what the bisection needs: coordinates `points` (vertices x dim, dim 1 to 3) and the rows of
    /// `graph`, as far as they stay within the piece.
    Piece(const LocalGraph& graph, std::span<const double> points, int dim,
          const PieceOfOrder& piece);

    /// Halves the members again and again, down to tiles and on to groups, each time by the plane that has
    /// the fewest members with neighbours on the other side. Sizes are exact. Does nothing where coordinates
    /// are not finite.
    void bisect();

    /// Groups outside a tile that its members have neighbours in, summed over the tiles of the present order.
    [[nodiscard]] std::int64_t count_groups_read() const;

    /// Numbers of the members in their present order.
    [[nodiscard]] const std::vector<LocalIndex>& order() const noexcept { return order_; }

private:
    using Vector = std::array<double, 3>;

    void copy_points(std::span<const double> points, std::span<const LocalIndex> members);
    void copy_rows(const LocalGraph& graph, const PieceOfOrder& piece);
    void halve(std::size_t first, std::size_t count);
    void split(std::size_t first, std::span<LocalIndex> members, std::size_t low,
               const Vector& normal);
    void order_tile(std::span<LocalIndex> members);
    [[nodiscard]] Vector best_normal(std::span<const LocalIndex> members, std::size_t low);
    [[nodiscard]] std::size_t count_parted(std::span<const LocalIndex> sample, double share_low,
                                           const Vector& normal);
    [[nodiscard]] double along(const Vector& normal, LocalIndex member) const {
        const Vector& p = points_[static_cast<std::size_t>(member)];
        return normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    }
    [[nodiscard]] std::span<const LocalIndex> row(LocalIndex member) const {
        const auto i = static_cast<std::size_t>(member);
        return std::span(neighbours_)
            .subspan(static_cast<std::size_t>(row_begin_[i]),
                     static_cast<std::size_t>(row_begin_[i + 1] - row_begin_[i]));
    }

    std::size_t dim_;
    bool is_finite_ = true;
    std::vector<Vector> points_;          ///< by member, in the unit cube
    std::vector<LocalIndex> row_begin_;   ///< (members + 1)
    std::vector<LocalIndex> neighbours_;  ///< within the piece
    std::vector<LocalIndex> part_;        ///< by member: where its part begins in the order
    std::vector<LocalIndex> order_;
    std::vector<std::pair<double, LocalIndex>> keys_;  ///< scratch of a split
    std::vector<std::uint8_t> is_high_;                ///< the same, by member
    std::vector<LocalIndex> place_in_tile_;            ///< by member, of the tile at hand
    TileGroups groups_;
};

}  // namespace halocline::dist
