// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Recursive bisection by medians of projections. The planes tried are those across the axes of
// coordinates and across the principal axes of the part: where cells are a thousand times as wide as high,
// along a wall, the plane that the fewest edges cross lies across the wall, however short the part is in space.
#include "halocline/dist/order/piece_bisection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "halocline/dist/partition/principal_axis.hpp"

namespace halocline::dist {

namespace {

/// Members of a part by which planes are judged.
constexpr std::size_t most_sampled = 512;

using Vector = std::array<double, 3>;

SecondMoments second_moments(const std::vector<Vector>& points,
                             std::span<const LocalIndex> members) {
    Vector centre{};
    for (const LocalIndex member : members) {
        for (std::size_t d = 0; d < 3; ++d) {
            centre[d] += points[static_cast<std::size_t>(member)][d];
        }
    }
    for (double& c : centre) {
        c /= static_cast<double>(members.size());
    }
    SecondMoments moments{};
    for (const LocalIndex member : members) {
        const Vector& p = points[static_cast<std::size_t>(member)];
        const double x = p[0] - centre[0];
        const double y = p[1] - centre[1];
        const double z = p[2] - centre[2];
        moments[0] += x * x;
        moments[1] += x * y;
        moments[2] += x * z;
        moments[3] += y * y;
        moments[4] += y * z;
        moments[5] += z * z;
    }
    return moments;
}

/// Normals of the planes that are tried.
std::vector<Vector> plane_normals(const std::vector<Vector>& points,
                                  std::span<const LocalIndex> members, std::size_t dim) {
    std::vector<Vector> normals(dim);
    for (std::size_t d = 0; d < dim; ++d) {
        normals[d][d] = 1.0;
    }
    if (dim > 1) {
        const auto axes = principal_axes(second_moments(points, members));
        normals.insert(normals.end(), axes.begin(), axes.end());
    }
    return normals;
}

}  // namespace

Piece::Piece(const LocalGraph& graph, std::span<const double> points, int dim,
             const PieceOfOrder& piece)
    : dim_(static_cast<std::size_t>(dim)),
      points_(piece.members.size()),
      row_begin_(piece.members.size() + 1),
      part_(piece.members.size(), 0),
      order_(piece.members.size()),
      keys_(piece.members.size()),
      is_high_(piece.members.size()),
      place_in_tile_(piece.members.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    copy_points(points, piece.members);
    copy_rows(graph, piece);
}

/// Moved and scaled alike in all directions, so that projections are finite and keep their angles.
void Piece::copy_points(std::span<const double> points, std::span<const LocalIndex> members) {
    constexpr double none = std::numeric_limits<double>::infinity();
    Vector low{none, none, none};
    Vector high{-none, -none, -none};
    for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t d = 0; d < dim_; ++d) {
            const double x = points[static_cast<std::size_t>(members[i]) * dim_ + d];
            is_finite_ = is_finite_ && std::isfinite(x);
            points_[i][d] = x;
            low[d] = std::min(low[d], x);
            high[d] = std::max(high[d], x);
        }
    }
    double extent = 0.0;
    for (std::size_t d = 0; d < dim_; ++d) {
        extent = std::max(extent, high[d] - low[d]);
    }
    is_finite_ = is_finite_ && std::isfinite(extent);
    const double scale = extent > 0.0 ? extent : 1.0;
    for (Vector& point : points_) {
        for (std::size_t d = 0; d < dim_; ++d) {
            point[d] = (point[d] - low[d]) / scale;
        }
    }
}

void Piece::copy_rows(const LocalGraph& graph, const PieceOfOrder& piece) {
    const auto count = static_cast<LocalIndex>(piece.members.size());
    for (std::size_t i = 0; i < piece.members.size(); ++i) {
        const auto v = static_cast<std::size_t>(piece.members[i]);
        row_begin_[i] = static_cast<LocalIndex>(neighbours_.size());
        for (auto k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
            const LocalIndex w = graph.neighbours[static_cast<std::size_t>(k)];
            const LocalIndex place = piece.place[static_cast<std::size_t>(w)];
            if (place >= piece.first_place && place - piece.first_place < count) {
                neighbours_.push_back(place - piece.first_place);
            }
        }
    }
    row_begin_.back() = static_cast<LocalIndex>(neighbours_.size());
}

void Piece::bisect() {
    if (is_finite_) {
        halve(0, order_.size());
    }
}

void Piece::halve(std::size_t first, std::size_t count) {
    const std::span<LocalIndex> members(order_.data() + first, count);
    if (count <= tile_elements) {
        order_tile(members);
        return;
    }
    const std::size_t low = bisected(count, tile_elements);
    split(first, members, low, best_normal(members, low));
    halve(first, low);
    halve(first + low, count - low);
}

/// The normal of the plane that parts the fewest neighbours, by a sample of the members.
Piece::Vector Piece::best_normal(std::span<const LocalIndex> members, std::size_t low) {
    std::array<LocalIndex, most_sampled> sample{};
    const std::size_t sampled = std::min(members.size(), most_sampled);
    for (std::size_t i = 0; i < sampled; ++i) {
        sample[i] = members[i * members.size() / sampled];
    }
    const double share_low = static_cast<double>(low) / static_cast<double>(members.size());
    Vector best{};
    std::size_t fewest = sampled + 1;
    for (const Vector& normal : plane_normals(points_, members, dim_)) {
        const std::size_t parted = count_parted({sample.data(), sampled}, share_low, normal);
        if (parted < fewest) {
            fewest = parted;
            best = normal;
        }
    }
    return best;
}

/// How many of `sample` have a neighbour of their part on the other side of a plane, above which all
/// but `share_low` of them lie.
std::size_t Piece::count_parted(std::span<const LocalIndex> sample, double share_low,
                                const Vector& normal) {
    std::array<double, most_sampled> keys{};
    for (std::size_t i = 0; i < sample.size(); ++i) {
        keys[i] = along(normal, sample[i]);
    }
    std::array<double, most_sampled> sorted = keys;
    double* const plane =
        sorted.data() + static_cast<long>(share_low * static_cast<double>(sample.size()));
    std::nth_element(sorted.data(), plane, sorted.data() + sample.size());
    std::size_t parted = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const LocalIndex part = part_[static_cast<std::size_t>(sample[i])];
        const bool is_high = keys[i] >= *plane;
        bool is_parted = false;
        for (const LocalIndex neighbour : row(sample[i])) {
            is_parted |= part_[static_cast<std::size_t>(neighbour)] == part &&
                         (along(normal, neighbour) >= *plane) != is_high;
        }
        parted += is_parted ? 1 : 0;
    }
    return parted;
}

/// Stable: on both sides of the plane the order stays that of the curve.
void Piece::split(std::size_t first, std::span<LocalIndex> members, std::size_t low,
                  const Vector& normal) {
    for (std::size_t i = 0; i < members.size(); ++i) {
        keys_[i] = {along(normal, members[i]), members[i]};
    }
    auto* const keys = keys_.data();
    std::nth_element(keys, keys + low, keys + members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        is_high_[static_cast<std::size_t>(keys[i].second)] = i >= low ? 1 : 0;
    }
    std::stable_partition(members.begin(), members.end(), [&](LocalIndex member) {
        return is_high_[static_cast<std::size_t>(member)] == 0;
    });
    for (const LocalIndex member : members.subspan(low)) {
        part_[static_cast<std::size_t>(member)] = static_cast<LocalIndex>(first + low);
    }
}

void Piece::order_tile(std::span<LocalIndex> members) {
    std::array<LocalIndex, tile_elements> copy{};
    std::copy(members.begin(), members.end(), copy.begin());
    groups_.begin(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        place_in_tile_[static_cast<std::size_t>(copy[i])] = static_cast<LocalIndex>(i);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        for (const LocalIndex neighbour : row(copy[i])) {
            const auto w = static_cast<std::size_t>(neighbour);
            if (part_[w] == part_[static_cast<std::size_t>(copy[i])]) {
                groups_.add_neighbour(i, static_cast<std::size_t>(place_in_tile_[w]));
            }
        }
    }
    std::array<double, tile_elements> keys{};
    for (const Vector& normal : plane_normals(points_, members, dim_)) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            keys[i] = along(normal, copy[i]);
        }
        groups_.add_direction({keys.data(), members.size()});
    }
    LocalIndex* out = members.data();
    for (const std::uint8_t member : groups_.order()) {
        *out++ = copy[member];
    }
}

std::int64_t Piece::count_groups_read() const {
    std::vector<std::size_t> position(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
        position[static_cast<std::size_t>(order_[i])] = i;
    }
    std::vector<std::size_t> last_tile(order_.size() / group_elements + 1, order_.size());
    std::int64_t groups = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::size_t tile = i / tile_elements;
        const auto element = static_cast<std::size_t>(order_[i]);
        for (auto k = row_begin_[element]; k < row_begin_[element + 1]; ++k) {
            const auto w = static_cast<std::size_t>(neighbours_[static_cast<std::size_t>(k)]);
            std::size_t& last = last_tile[position[w] / group_elements];
            if (position[w] / tile_elements != tile && last != tile) {
                last = tile;
                ++groups;
            }
        }
    }
    return groups;
}

}  // namespace halocline::dist
