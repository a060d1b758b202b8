// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Points in the order of Hilbert's space-filling curve: what is close on it is close in space.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

/// Points have 1 to this many coordinates.
inline constexpr int max_point_dim = 3;

/// Smallest box around points. An axis without a finite coordinate has low > high.
struct BoundingBox {
    /// lower bound of nothing
    static constexpr double none = std::numeric_limits<double>::infinity();
    std::array<double, max_point_dim> low{none, none, none};      ///< by axis
    std::array<double, max_point_dim> high{-none, -none, -none};  ///< by axis
};

/// Box of points of `dim` coordinates each; coordinates that are not finite do not count.
[[nodiscard]] BoundingBox bounding_box(std::span<const double> points, int dim);

/// Box around every rank's box. Collective.
[[nodiscard]] BoundingBox united_box(const Communicator& comm, const BoundingBox& mine);

/// Position of each point on the curve through `box`, whose axes are divided into 2^21 cells each.
/// Axes along which the box is flat are left out of the curve: a plane in space gets the curve of a
/// plane. A key depends on its point and the box alone. Coordinates beyond the box count as on its
/// face, and NaN as on its lower one.
[[nodiscard]] Buffer<std::uint64_t> hilbert_keys(std::span<const double> points, int dim,
                                                 const BoundingBox& box);

/// Indices by ascending key, equal keys by ascending index. Keys have at most 63 bits.
[[nodiscard]] Buffer<LocalIndex> order_by_key(const Buffer<std::uint64_t>& keys);

}  // namespace halocline::dist
