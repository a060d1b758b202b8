// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Cyclic Jacobi method for a symmetric 3 x 3 matrix (G. H. Golub, C. F. Van Loan, Matrix
// Computations, section 8.5).
#include "halocline/dist/partition/principal_axis.hpp"

#include <algorithm>
#include <cmath>

namespace halocline::dist {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/// Turns axes p and q so that a[p][q] vanishes; v collects the turns in its columns.
void rotate(Matrix& a, Matrix& v, std::size_t p, std::size_t q) {
    if (a[p][q] == 0.0) {
        return;
    }
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::hypot(theta, 1.0));
    const double c = 1.0 / std::hypot(t, 1.0);
    const double s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double akp = a[k][p];
        const double akq = a[k][q];
        a[k][p] = c * akp - s * akq;
        a[k][q] = s * akp + c * akq;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double apk = a[p][k];
        const double aqk = a[q][k];
        a[p][k] = c * apk - s * aqk;
        a[q][k] = s * apk + c * aqk;
        const double vkp = v[k][p];
        const double vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
    }
}

/// Turns the axes until `a` is diagonal. Returns the axes in columns.
Matrix diagonalise(Matrix& a) {
    Matrix v{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    constexpr int sweeps = 12;  // convergence is quadratic: six do for double precision
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    return v;
}

Matrix matrix_of(const SecondMoments& moments) {
    const auto& [xx, xy, xz, yy, yz, zz] = moments;
    return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

}  // namespace

std::array<std::array<double, 3>, 3> principal_axes(const SecondMoments& moments) {
    Matrix a = matrix_of(moments);
    const Matrix v = diagonalise(a);
    Matrix axes{};
    for (std::size_t k = 0; k < 3; ++k) {
        axes[k] = {v[0][k], v[1][k], v[2][k]};
    }
    return axes;
}

std::array<double, 3> principal_axis(const SecondMoments& moments) {
    Matrix a = matrix_of(moments);
    const Matrix v = diagonalise(a);
    std::size_t largest = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        largest = a[k][k] > a[largest][largest] ? k : largest;
    }
    std::array<double, 3> axis{v[0][largest], v[1][largest], v[2][largest]};
    const double* lead = std::max_element(
        axis.begin(), axis.end(), [](double l, double r) { return std::fabs(l) < std::fabs(r); });
    const double sign = std::copysign(1.0, *lead);
    for (double& component : axis) {
        component *= sign;
    }
    return axis;
}

}  // namespace halocline::dist
