// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Constants of the airfoil test and the flow far away.
//
// The test case: M. B. Giles, G. R. Mudalige, Z. Sharif, G. Markall, P. H. J. Kelly, Performance
// analysis and optimization of the OP2 framework on many-core architectures, The Computer Journal
// 55(2), 2012, doi:10.1093/comjnl/bxr062.
#pragma once

#include <array>
#include <cmath>

namespace halocline::benchmarks::airfoil {

inline constexpr double gam = 1.4;
inline constexpr double gm1 = gam - 1.0;
inline constexpr double cfl = 0.9;
inline constexpr double eps = 0.05;
inline constexpr double mach = 0.4;

/// Conserved variables of a flow along x with density 1 and pressure 1.
inline std::array<double, 4> far_state() {
    const double speed = std::sqrt(gam) * mach;
    const double energy = 1.0 / gm1 + 0.5 * speed * speed;
    return {1.0, speed, 0.0, energy};
}

}  // namespace halocline::benchmarks::airfoil
