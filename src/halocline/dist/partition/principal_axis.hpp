// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The direction in which a cloud of points extends most.
#pragma once

#include <array>

namespace halocline::dist {

/// Sums over a cloud of points of (x - c)(x - c)^T, c the centroid: xx, xy, xz, yy, yz, zz.
using SecondMoments = std::array<double, 6>;

/// Unit eigenvector of the largest eigenvalue, by Jacobi rotations; its component of largest
/// magnitude is positive. The x axis when all moments vanish.
[[nodiscard]] std::array<double, 3> principal_axis(const SecondMoments& moments);

}  // namespace halocline::dist
