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
/// Pieces that are tried before the others, spread over the order.
constexpr std::size_t most_samples = 6;
/// Pieces change when that saves more than one in so many of the groups that tiles read within a piece. On
/// meshes of cubes it saves one in ten, and neither cores nor devices get faster (decision 87).
constexpr std::int64_t one_in = 6;
/// Smaller sets lie in a cache whatever their order.
constexpr std::size_t fewest_elements = piece_elements / 4;

class TileOrder {
public:
    TileOrder(const LocalGraph& graph, std::span<const double> points, int dim,
              std::span<LocalIndex> order)
        : graph_(graph),
          points_(points),
          dim_(dim),
          order_(order),
          place_(static_cast<std::size_t>(graph.vertices()), -1),
          bisected_((order.size() + piece_elements - 1) / piece_elements) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            place_[static_cast<std::size_t>(order[i])] = static_cast<LocalIndex>(i);
        }
    }

    bool run() {
        if (!pays()) {
            return false;
        }
        const auto pieces = static_cast<std::int64_t>(bisected_.size());
#pragma omp parallel for schedule(dynamic)
        for (std::int64_t p = 0; p < pieces; ++p) {
            auto& piece = bisected_[static_cast<std::size_t>(p)];
            if (piece.empty()) {
                bisect(static_cast<std::size_t>(p));
            }
        }
        for (std::size_t p = 0; p < bisected_.size(); ++p) {
            std::copy(bisected_[p].begin(), bisected_[p].end(),
                      order_.begin() + static_cast<std::ptrdiff_t>(p * piece_elements));
        }
        return true;
    }

private:
    struct Saving {
        std::int64_t before = 0;
        std::int64_t after = 0;
    };

    /// By a sample of pieces.
    [[nodiscard]] bool pays() {
        const std::size_t pieces = bisected_.size();
        const auto samples = static_cast<std::int64_t>(std::min(pieces, most_samples));
        std::int64_t before = 0;
        std::int64_t after = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : before, after)
        for (std::int64_t s = 0; s < samples; ++s) {
            const Saving saving =
                bisect(static_cast<std::size_t>(s) * pieces / static_cast<std::size_t>(samples));
            before += saving.before;
            after += saving.after;
        }
        return (before - after) * one_in > before;
    }

    /// Keeps the new order of a piece; the old one where memory is short.
    Saving bisect(std::size_t p) {
        const std::size_t first = p * piece_elements;
        const std::size_t count = std::min(piece_elements, order_.size() - first);
        const std::span<const LocalIndex> members = order_.subspan(first, count);
        std::vector<LocalIndex>& bisected = bisected_[p];
        try {
            Piece piece(graph_, points_, dim_, {members, place_, static_cast<LocalIndex>(first)});
            Saving saving;
            saving.before = piece.count_groups_read();
            piece.bisect();
            saving.after = piece.count_groups_read();
            for (const LocalIndex member : piece.order()) {
                bisected.push_back(members[static_cast<std::size_t>(member)]);
            }
            return saving;
        } catch (const std::bad_alloc&) {
            bisected.clear();
            return {};
        }
    }

    const LocalGraph& graph_;
    std::span<const double> points_;
    int dim_;
    std::span<LocalIndex> order_;
    std::vector<LocalIndex> place_;
    std::vector<std::vector<LocalIndex>> bisected_;  ///< by piece
};

}  // namespace

bool gather_into_tiles(const LocalGraph& graph, std::span<const double> points, int dim,
                       std::span<LocalIndex> order) {
    return order.size() >= fewest_elements && TileOrder(graph, points, dim, order).run();
}

}  // namespace halocline::dist
