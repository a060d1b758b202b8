// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Greedy k-way refinement: a partition's boundaries move where that cuts fewer edges.
#pragma once

#include <span>
#include <vector>

#include "halocline/dist/partition/ghost_labels.hpp"

namespace halocline::dist {

/// Largest part over its target that refinement may leave behind.
inline constexpr double refined_imbalance = 1.02;

/// Improves `part` (of this rank's block) until a pass gains less than a part in 500. Vertices move
/// in rounds, in one to parts of higher number and in the next to lower ones, so that two neighbours
/// on different ranks do not swap places; each rank may fill its share of what room a part has left
/// (the scheme of G. Karypis, V. Kumar, Parallel multilevel k-way partitioning, SIAM Review 41,
/// 1999, doi:10.1137/S0036144598334138, without its coarsening). Never leaves a larger cut than it
/// found. The same graph on the same ranks gives the same answer. Collective.
void refine_partition(const Communicator& comm, const GhostedGraph& graph,
                      std::span<const GlobalIndex> targets, std::vector<int>& part);

}  // namespace halocline::dist
