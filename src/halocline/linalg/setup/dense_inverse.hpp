// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The inverse of the coarsest level's operator, its rows cut into segments.
#pragma once

#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::linalg::setup {

/// An edge operator that every rank holds whole.
struct WholeOperator {
    std::vector<GlobalIndex> ends;  ///< (edges, 2), row-major
    std::vector<double> weights;    ///< (edges)
    std::vector<double> diagonal;   ///< (nodes)
    std::vector<GlobalIndex> part;  ///< (nodes): connected part
};

/// Rows of a part have columns of its nodes alone; both in ascending order of part and nodes.
struct DenseInverse {
    static constexpr int width = 16;   ///< entries of a segment
    std::vector<GlobalIndex> rows;     ///< (segments): node whose row it is a segment of
    std::vector<GlobalIndex> columns;  ///< (segments, width), row-major: nodes
    std::vector<double> values;        ///< (segments, width): entries; 0 behind the end of a row
    /// Where factorisation found a pivot that is not positive; there is no inverse then. Else none.
    GlobalIndex bad_node = -1;
};

/// The inverse of A + sum over singular parts of s e e^T, e the ones of the part: the added term fixes the
/// part's mean and leaves what else is solved for as it is. By Cholesky factors of each part; operations
/// have one order, so all ranks and machines get the same bits.
[[nodiscard]] DenseInverse invert(const WholeOperator& whole);

}  // namespace halocline::linalg::setup
