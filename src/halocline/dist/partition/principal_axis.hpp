// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The directions in which a cloud of points extends most and least.
#pragma once

#include <array>

namespace halocline::dist {

/// Sums over a cloud of points of (x - c)(x - c)^T, c the centroid: xx, xy, xz, yy, yz, zz.
using SecondMoments = std::array<double, 6>;

/// The three unit eigenvectors, by Jacobi rotations; in no particular order or sense.
[[nodiscard]] std::array<std::array<double, 3>, 3> principal_axes(const SecondMoments& moments);

/// Unit eigenvector of the largest eigenvalue; its component of largest
/// magnitude is positive. The x axis when all moments vanish.
[[nodiscard]] std::array<double, 3> principal_axis(const SecondMoments& moments);

}  // namespace halocline::dist
