// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Recursive inertial bisection of points that lie on all ranks.
#pragma once

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Cuts the points across the longest principal axis of each group, until every group is one part;
/// sizes are the targets exactly. All groups of a depth are cut together: the number of reductions
/// grows with the logarithm of the number of parts. Equal projections go by global id. Points with
/// coordinates that are not finite count as the box's lowest corner. Collective.
[[nodiscard]] std::vector<int> bisect_by_inertia(const Communicator& comm,
                                                 const PartitionInput& input);

}  // namespace halocline::dist
