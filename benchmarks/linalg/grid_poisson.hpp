// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a square or a box of points, as all solvers that are compared get it: natural
// boundary conditions, all weights 1. One function measures what each of them leaves.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace halocline::bench {

/// A value in [-1, 1) that only the node decides.
inline double value_of(std::int64_t node) {
    auto bits = static_cast<std::uint64_t>(node) + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1.0;
}

/// Points in natural order: x runs fastest.
struct PointGrid {
    int dimensions = 3;
    int side = 64;

    [[nodiscard]] std::int64_t nodes() const {
        std::int64_t count = 1;
        for (int d = 0; d < dimensions; ++d) {
            count *= side;
        }
        return count;
    }

    /// Calls `visit(neighbour)` for each of a node's neighbours.
    template <class Visit>
    void each_neighbour(std::int64_t node, Visit&& visit) const {
        std::int64_t stride = 1;
        for (int d = 0; d < dimensions; ++d, stride *= side) {
            const std::int64_t place = node / stride % side;
            if (place > 0) {
                visit(node - stride);
            }
            if (place + 1 < side) {
                visit(node + stride);
            }
        }
    }
};

/// `value_of` each node without its mean, which no solution can have.
inline std::vector<double> load_of(const PointGrid& grid) {
    std::vector<double> load(static_cast<std::size_t>(grid.nodes()));
    double sum = 0.0;
    for (std::size_t i = 0; i < load.size(); ++i) {
        load[i] = value_of(static_cast<std::int64_t>(i));
        sum += load[i];
    }
    for (double& value : load) {
        value -= sum / static_cast<double>(load.size());
    }
    return load;
}

/// |b - A x| / |b|, by the definition of A.
inline double true_residual(const PointGrid& grid, const std::vector<double>& x) {
    const std::vector<double> load = load_of(grid);
    double left = 0.0, all = 0.0;
    for (std::size_t i = 0; i < load.size(); ++i) {
        double residual = load[i];
        grid.each_neighbour(static_cast<std::int64_t>(i), [&](std::int64_t neighbour) {
            residual -= x[i] - x[static_cast<std::size_t>(neighbour)];
        });
        left += residual * residual;
        all += load[i] * load[i];
    }
    return std::sqrt(left / all);
}

}  // namespace halocline::bench
