// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops run along rows or columns, whichever lets them update many values by one.
#include "halocline/linalg/coarsest.hpp"

#include <cmath>

#include "halocline/core/error.hpp"

namespace halocline::linalg {

CoarsestSolver::CoarsestSolver(const CoarsestOperator& whole)
    : nodes_(static_cast<std::size_t>(whole.nodes)), rows_(nodes_ * nodes_, 0.0) {
    for (std::size_t e = 0; e < whole.weights.size(); ++e) {
        const auto a = static_cast<std::size_t>(whole.ends[2 * e]);
        const auto b = static_cast<std::size_t>(whole.ends[2 * e + 1]);
        at(a, a) += whole.weights[e];
        at(b, b) += whole.weights[e];
        at(a, b) -= whole.weights[e];
        at(b, a) -= whole.weights[e];
    }
    for (std::size_t i = 0; i < nodes_; ++i) {
        at(i, i) += whole.diagonal[i];
    }
    fix_means(whole);
    factorise();
}

void CoarsestSolver::fix_means(const CoarsestOperator& whole) {
    std::vector<double> diagonal, trace, count;
    for (std::size_t i = 0; i < nodes_; ++i) {
        const auto part = static_cast<std::size_t>(whole.part[i]);
        if (part >= count.size()) {
            diagonal.resize(part + 1, 0.0);
            trace.resize(part + 1, 0.0);
            count.resize(part + 1, 0.0);
        }
        diagonal[part] += whole.diagonal[i];
        trace[part] += at(i, i);
        count[part] += 1.0;
    }
    for (const double sum : diagonal) {
        singular_.push_back(sum == 0.0);
    }
    for (std::size_t i = 0; i < nodes_; ++i) {
        const auto part = static_cast<std::size_t>(whole.part[i]);
        if (!singular_[part]) {
            continue;
        }
        // As large as an eigenvalue of the part, so that the factorisation loses nothing; 1 for a node alone.
        const double mean = trace[part] > 0.0 ? trace[part] / count[part] : 1.0;
        for (std::size_t j = 0; j < nodes_; ++j) {
            if (whole.part[j] == whole.part[i]) {
                at(i, j) += mean / count[part];
            }
        }
    }
}

void CoarsestSolver::factorise() {
    for (std::size_t k = 0; k < nodes_; ++k) {
        validate<RunError>(at(k, k) > 0.0,
                           "the coarsest level's operator is not positive definite (negative "
                           "weights outweigh the others at its node " +
                               std::to_string(k) + "). Improve the mesh where cells are flat.");
        const double pivot = std::sqrt(at(k, k));
        at(k, k) = pivot;
        for (std::size_t i = k + 1; i < nodes_; ++i) {
            at(i, k) /= pivot;
        }
        for (std::size_t i = k + 1; i < nodes_; ++i) {
            const double factor = at(i, k);
            for (std::size_t j = k + 1; j <= i; ++j) {
                at(i, j) -= factor * at(j, k);
            }
        }
    }
    columns_.resize(rows_.size());
    for (std::size_t i = 0; i < nodes_; ++i) {
        for (std::size_t j = 0; j < nodes_; ++j) {
            columns_[j * nodes_ + i] = at(i, j);
        }
    }
}

void CoarsestSolver::solve(std::vector<double>& values) const {
    for (std::size_t k = 0; k < nodes_; ++k) {
        const double* column = columns_.data() + k * nodes_;
        const double value = values[k] / column[k];
        values[k] = value;
        for (std::size_t i = k + 1; i < nodes_; ++i) {
            values[i] -= column[i] * value;
        }
    }
    for (std::size_t k = nodes_; k-- > 0;) {
        const double* row = rows_.data() + k * nodes_;
        const double value = values[k] / row[k];
        values[k] = value;
        for (std::size_t i = 0; i < k; ++i) {
            values[i] -= row[i] * value;
        }
    }
}

}  // namespace halocline::linalg
