// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pieces that fit a core's second cache, one thread each: what lies far apart on the curve stays so.
#include "halocline/dist/order/tile_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "halocline/dist/order/piece_bisection.hpp"

namespace halocline::dist {

namespace {

/// Elements of a piece: coordinates, rows and keys take four megabytes.
constexpr std::size_t piece_elements = std::size_t{1} << 16;
/// Small pieces that are tried first, spread over the order, and their elements.
constexpr std::size_t most_samples = 8;
constexpr std::size_t sample_elements = std::size_t{1} << 12;
/// The order changes when that saves more than one in so many of the groups that tiles of the samples
/// read. On meshes of cubes it saves less, and neither cores nor devices get faster (decision 87).
constexpr std::int64_t saves_one_in = 6;
/// Smaller sets lie in a cache whatever their order.
constexpr std::size_t fewest_elements = 4 * sample_elements;

class TileOrder {
public:
    TileOrder(const LocalGraph& graph, std::span<const double> points, int dim,
              std::span<LocalIndex> order)
        : graph_(graph),
          points_(points),
          dim_(dim),
          order_(order),
          place_(static_cast<std::size_t>(graph.vertices()), -1) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            place_[static_cast<std::size_t>(order[i])] = static_cast<LocalIndex>(i);
        }
    }

    bool run() {
        if (!pays()) {
            return false;
        }
        const std::size_t pieces = (order_.size() + piece_elements - 1) / piece_elements;
#pragma omp parallel for schedule(dynamic)
        for (std::size_t p = 0; p < pieces; ++p) {
            bisect(p * piece_elements);
        }
        return true;
    }

private:
    [[nodiscard]] bool pays() const {
        const std::size_t samples = std::min(order_.size() / sample_elements, most_samples);
        std::int64_t before = 0;
        std::int64_t after = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : before, after)
        for (std::size_t s = 0; s < samples; ++s) {
            try {
                Piece piece =
                    piece_at((order_.size() - sample_elements) / samples * s, sample_elements);
                before += piece.count_groups_read();
                piece.bisect();
                after += piece.count_groups_read();
            } catch (const std::bad_alloc&) {  // then there is no memory for the pieces either
            }
        }
        return (before - after) * saves_one_in > before;
    }

    /// Pieces read and write their own places of the order only. Where memory is short one stays as it is.
    void bisect(std::size_t first) {
        const std::size_t count = std::min(piece_elements, order_.size() - first);
        try {
            const std::vector<LocalIndex> members(order_.data() + first,
                                                  order_.data() + first + count);
            Piece piece = piece_at(first, count);
            piece.bisect();
            for (std::size_t i = 0; i < count; ++i) {
                order_[first + i] = members[static_cast<std::size_t>(piece.order()[i])];
            }
        } catch (const std::bad_alloc&) {
        }
    }

    [[nodiscard]] Piece piece_at(std::size_t first, std::size_t count) const {
        return {graph_,
                points_,
                dim_,
                {order_.subspan(first, count), place_, static_cast<LocalIndex>(first)}};
    }

    const LocalGraph& graph_;
    std::span<const double> points_;
    int dim_;
    std::span<LocalIndex> order_;
    std::vector<LocalIndex>
        place_;  ///< by vertex, before anything changed; -1 where it is not in the order
};

}  // namespace

bool gather_into_tiles(const LocalGraph& graph, std::span<const double> points, int dim,
                       std::span<LocalIndex> order) {
    return order.size() >= fewest_elements && TileOrder(graph, points, dim, order).run();
}

}  // namespace halocline::dist
