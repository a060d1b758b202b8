// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The coarsest level's equations solved by a dense Cholesky factorisation, the same on every rank.
#pragma once

#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/linalg/hierarchy.hpp"

namespace halocline::linalg {

/// L L^T = A + sum over singular parts of s e e^T, e the ones of the part: the added term fixes the part's
/// mean and leaves what else is solved for as it is. Operations have one order, so all ranks and
/// machines get the same bits.
class CoarsestSolver {
public:
    explicit CoarsestSolver(const CoarsestOperator& whole);

    /// Solves in place; (nodes), by global id.
    void solve(std::vector<double>& values) const;

    [[nodiscard]] std::size_t nodes() const { return nodes_; }

private:
    void fix_means(const CoarsestOperator& whole);
    void factorise();
    [[nodiscard]] double& at(std::size_t row, std::size_t column) {
        return rows_[row * nodes_ + column];
    }

    std::size_t nodes_;
    std::vector<double> rows_;     ///< (nodes, nodes), row-major: L in the lower half
    std::vector<double> columns_;  ///< L by columns
    std::vector<bool> singular_;   ///< by part
};

}  // namespace halocline::linalg
