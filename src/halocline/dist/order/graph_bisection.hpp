// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An order of a graph whose pieces have few neighbours outside, whatever their size.
#pragma once

#include "halocline/dist/order/local_graph.hpp"

namespace halocline::dist {

/// Old index by new index: parts of the graph are halved again and again, down to 512 vertices, each
/// time in the middle of a breadth-first order from its far end, and the half at that end comes last
/// (recursive graph bisection, H. D. Simon, 1991, with halves that follow each other). What is not
/// connected follows one after the other. Depends on the graph and the order of its rows, not on the
/// number of threads.
[[nodiscard]] Buffer<LocalIndex> bisection_order(const LocalGraph& graph);

}  // namespace halocline::dist
