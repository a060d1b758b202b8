// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tiles of neighbours out of an order along a curve, for meshes that are much finer in one direction
// than in others: what is close in space is then far in the mesh.
#pragma once

#include <span>

#include "halocline/core/types.hpp"
#include "halocline/dist/order/local_graph.hpp"

namespace halocline::dist {

/// Rearranges `order`, vertices of `graph` along a curve through their coordinates, so that a tile has its
/// neighbours in fewer places: pieces of 65536 elements are halved again and again, down to tiles of 128
/// and groups of eight, by the plane that the fewest edges cross. Nothing changes unless a sample
/// shows a gain: where cells are about as wide as high curves are as good, and take a tenth of the time.
/// `points`: (vertices x dim) coordinates, dim 1 to 3. Depends on its arguments alone, not on the number of
/// threads. Returns whether it changed the order.
bool gather_into_tiles(const LocalGraph& graph, std::span<const double> points, int dim,
                       std::span<LocalIndex> order);

}  // namespace halocline::dist
