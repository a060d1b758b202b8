// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A = L L^T, K = L^-1, A^-1 = K^T K; loops run along rows, so that they change many values by one.
#include "halocline/linalg/setup/dense_inverse.hpp"

#include <algorithm>
#include <cmath>

namespace halocline::linalg::setup {

namespace {

/// Square, row-major; of symmetric and lower triangular ones only the lower half counts.
class Matrix {
public:
    explicit Matrix(std::size_t size) : size_(size), values_(size * size, 0.0) {}
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double* row(std::size_t i) { return values_.data() + i * size_; }
    [[nodiscard]] double& at(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }

private:
    std::size_t size_;
    std::vector<double> values_;
};

/// target[0, count) -= factor * other[0, count)
void subtract(double* target, double factor, const double* other, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
        target[j] -= factor * other[j];
    }
}

/// The lower factor, in place, as far as pivots are positive: returns how far.
std::size_t factorise(Matrix& a) {
    std::vector<double> column(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (!(a.at(k, k) > 0.0)) {
            return k;
        }
        const double pivot = std::sqrt(a.at(k, k));
        a.at(k, k) = pivot;
        for (std::size_t i = k + 1; i < a.size(); ++i) {
            column[i] = a.at(i, k) /= pivot;
        }
        for (std::size_t i = k + 1; i < a.size(); ++i) {
            subtract(a.row(i) + k + 1, column[i], column.data() + k + 1, i - k);
        }
    }
    return a.size();
}

/// Of a lower factor: row k of the inverse from those above it.
Matrix inverse_of_factor(Matrix& factor) {
    Matrix inverse(factor.size());
    for (std::size_t k = 0; k < factor.size(); ++k) {
        double* row = inverse.row(k);
        row[k] = 1.0;
        for (std::size_t j = 0; j < k; ++j) {
            subtract(row, factor.at(k, j), inverse.row(j), j + 1);
        }
        const double share = 1.0 / factor.at(k, k);
        std::transform(row, row + k + 1, row, [&](double value) { return value * share; });
    }
    return inverse;
}

/// K^T K of a lower factor K.
Matrix square(Matrix& factor) {
    Matrix product(factor.size());
    for (std::size_t k = 0; k < factor.size(); ++k) {
        for (std::size_t i = 0; i <= k; ++i) {
            subtract(product.row(i), -factor.at(k, i), factor.row(k), i + 1);
        }
    }
    return product;
}

/// Makes a singular part's operator regular, by a term as large as an eigenvalue of it, so that the
/// factorisation loses nothing.
void fix_mean(Matrix& a) {
    const auto count = static_cast<double>(a.size());
    double trace = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        trace += a.at(i, i);
    }
    const double size = trace > 0.0 ? trace / count : 1.0;  // 1 for a node alone
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < a.size(); ++j) {
            a.at(i, j) += size / count;
        }
    }
}

/// Appends the rows of a part's inverse, of which the lower half counts: first segments of all rows, then
/// second ones, so that neighbouring threads of a device read side by side.
void append_rows(const std::vector<GlobalIndex>& nodes, Matrix& inverse, DenseInverse& result) {
    constexpr std::size_t width = DenseInverse::width;
    for (std::size_t first = 0; first < nodes.size(); first += width) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            result.rows.push_back(nodes[i]);
            for (std::size_t j = first; j < first + width; ++j) {
                const bool is_there = j < nodes.size();
                result.columns.push_back(nodes[is_there ? j : i]);
                result.values.push_back(is_there ? inverse.at(std::max(i, j), std::min(i, j))
                                                 : 0.0);
            }
        }
    }
}

struct PartRow {
    std::size_t part;
    std::size_t row;
};

}  // namespace

DenseInverse invert(const WholeOperator& whole) {
    std::vector<std::vector<GlobalIndex>> nodes_of;
    std::vector<PartRow> places;
    for (std::size_t i = 0; i < whole.part.size(); ++i) {
        const auto part = static_cast<std::size_t>(whole.part[i]);
        nodes_of.resize(std::max(nodes_of.size(), part + 1));
        places.push_back({part, nodes_of[part].size()});
        nodes_of[part].push_back(static_cast<GlobalIndex>(i));
    }
    std::vector<std::vector<std::size_t>> edges_of(nodes_of.size());
    for (std::size_t e = 0; e < whole.weights.size(); ++e) {
        edges_of[places[static_cast<std::size_t>(whole.ends[2 * e])].part].push_back(e);
    }
    DenseInverse result;
    for (std::size_t part = 0; part < nodes_of.size(); ++part) {
        const std::vector<GlobalIndex>& nodes = nodes_of[part];
        Matrix a(nodes.size());
        for (const std::size_t e : edges_of[part]) {
            const std::size_t i = places[static_cast<std::size_t>(whole.ends[2 * e])].row;
            const std::size_t j = places[static_cast<std::size_t>(whole.ends[2 * e + 1])].row;
            a.at(i, i) += whole.weights[e];
            a.at(j, j) += whole.weights[e];
            a.at(i, j) -= whole.weights[e];
            a.at(j, i) -= whole.weights[e];
        }
        double diagonal = 0.0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const double value = whole.diagonal[static_cast<std::size_t>(nodes[i])];
            a.at(i, i) += value;
            diagonal += value;
        }
        if (diagonal == 0.0) {
            fix_mean(a);
        }
        if (const std::size_t rows = factorise(a); rows < a.size()) {
            DenseInverse none;
            none.bad_node = nodes[rows];
            return none;
        }
        Matrix factor = inverse_of_factor(a);
        Matrix inverse = square(factor);
        append_rows(nodes, inverse, result);
    }
    return result;
}

}  // namespace halocline::linalg::setup
