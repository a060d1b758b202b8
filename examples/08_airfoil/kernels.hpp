// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// OP2's airfoil: a two-dimensional inviscid flow, one state a cell, one flux a face.
//
// M. B. Giles et al., Performance analysis and optimization of the OP2 framework on many-core
// architectures, The Computer Journal 55(2), 2012, doi:10.1093/comjnl/bxr062.
#pragma once

#include "halocline/halocline.hpp"

/// Functions that kernels call are those of the library: one source for doubles and packs. Outside a
/// namespace they would meet C functions of these names.
namespace airfoil {

using halocline::abs;
using halocline::select;
using halocline::sqrt;
using halocline::Values;

inline constexpr double gam = 1.4, cfl = 0.9, eps = 0.05;
inline constexpr double far[] = {1.0, 0.473286382647969, 0.0, 2.612};  // Mach 0.4 along x

struct SaveSoln {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 4>& q, Values<V, 4>& qold) const {
        qold = q;
    }
};

/// Area over time step of a cell: the waves that cross its four sides.
struct AdtCalc {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 2>& x3, const Values<V, 2>& x4,
                                 const Values<V, 4>& q, Values<V, 1>& adt) const {
        const V u = q[1] / q[0];
        const V v = q[2] / q[0];
        const V c = sqrt(V(gam * (gam - 1.0)) * (q[3] / q[0] - V(0.5) * (u * u + v * v)));
        const auto waves = [&](const Values<V, 2>& a, const Values<V, 2>& b) {
            const V dx = b[0] - a[0];
            const V dy = b[1] - a[1];
            return abs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
        };
        adt[0] = (waves(x1, x2) + waves(x2, x3) + waves(x3, x4) + waves(x4, x1)) / V(cfl);
    }
};

template <class V>
HALOCLINE_HD V pressure(const Values<V, 4>& q) {
    return V(gam - 1.0) * (q[3] - V(0.5) * (q[1] * q[1] + q[2] * q[2]) / q[0]);
}

/// Mean flux of two states through the face n = (dy, -dx), and `mu` times their difference.
template <class V>
HALOCLINE_HD Values<V, 4> face_flux(V dx, V dy, const Values<V, 4>& a, const Values<V, 4>& b,
                                    V mu) {
    const V speed_a = (a[1] * dy - a[2] * dx) / a[0];
    const V speed_b = (b[1] * dy - b[2] * dx) / b[0];
    const V pa = pressure(a);
    const V pb = pressure(b);
    Values<V, 4> flux;
    for (int d = 0; d < 4; ++d) {
        flux[d] = V(0.5) * (speed_a * a[d] + speed_b * b[d]) + mu * (a[d] - b[d]);
    }
    flux[1] += V(0.5) * (pa + pb) * dy;
    flux[2] -= V(0.5) * (pa + pb) * dx;
    flux[3] += V(0.5) * (speed_a * pa + speed_b * pb);
    return flux;
}

struct ResCalc {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 4>& q1, const Values<V, 4>& q2,
                                 const Values<V, 1>& adt1, const Values<V, 1>& adt2,
                                 Values<V, 4>& res1, Values<V, 4>& res2) const {
        const V mu = V(0.5 * eps) * (adt1[0] + adt2[0]);
        const Values<V, 4> flux = face_flux(x1[0] - x2[0], x1[1] - x2[1], q1, q2, mu);
        for (int d = 0; d < 4; ++d) {
            res1[d] += flux[d];
            res2[d] -= flux[d];
        }
    }
};

/// A wall has its pressure only; elsewhere the flow far away lies behind the face. `select` takes the
/// place of `if`: both sides are computed.
struct BresCalc {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 4>& q, const Values<V, 1>& adt,
                                 const Values<V, 1>& wall, Values<V, 4>& res) const {
        const V dx = x1[0] - x2[0];
        const V dy = x1[1] - x2[1];
        const Values<V, 4> outside{{V(far[0]), V(far[1]), V(far[2]), V(far[3])}};
        const Values<V, 4> open = face_flux(dx, dy, q, outside, V(eps) * adt[0]);
        const V p = pressure(q);
        const Values<V, 4> closed{{V(0.0), p * dy, -(p * dx), V(0.0)}};
        for (int d = 0; d < 4; ++d) {
            res[d] += select(wall[0] > V(0.5), closed[d], open[d]);
        }
    }
};

struct Update {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 4>& qold, Values<V, 4>& q, Values<V, 4>& res,
                                 const Values<V, 1>& adt, Values<V, 1>& rms) const {
        for (int d = 0; d < 4; ++d) {
            const V change = res[d] / adt[0];
            q[d] = qold[d] - change;
            res[d] = V(0.0);
            rms[0] += change * change;
        }
    }
};

}  // namespace airfoil
