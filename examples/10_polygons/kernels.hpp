// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The heat of bricks: their shape, what flows between them and through walls.
#pragma once

#include "mesh.hpp"

namespace math = halocline::math;
using halocline::Integer;
using halocline::Rows;
using halocline::Values;

/// Area and centre of a polygon from its first `count` corners; counts those of eight.
struct Measure {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& count,
                                 const Rows<V, most_corners, 2>& x, Values<V, 1>& area,
                                 Values<V, 2>& centre, Values<Integer<V>, 1>& largest) const {
        V sums[3] = {V(0.0), V(0.0), V(0.0)};
        for (int k = 0; k < most_corners; ++k) {
            const auto& next = x[k + 1 < most_corners ? k + 1 : 0];
            const V nx = math::select(count[0] > k + 1, next[0], x[0][0]);
            const V ny = math::select(count[0] > k + 1, next[1], x[0][1]);
            const V twice = math::select(count[0] > k, x[k][0] * ny - nx * x[k][1], V(0.0));
            sums[0] += twice;
            sums[1] += twice * (x[k][0] + nx);
            sums[2] += twice * (x[k][1] + ny);
        }
        area[0] = V(0.5) * sums[0];
        centre[0] = sums[1] / (V(3.0) * sums[0]);
        centre[1] = sums[2] / (V(3.0) * sums[0]);
        largest[0] += math::select(count[0] == most_corners, Integer<V>(1), 0);
    }
};

/// Length over the distance of the bricks, or of a brick and the wall, across the edge.
struct Conductance {
    template <class V>
    HALOCLINE_HD void operator()(const Rows<V, 2, 2>& x, const Rows<V, 2, 2>& centre,
                                 const Values<Integer<V>, 1>& group, Values<V, 1>& k) const {
        const auto beyond = [&](int d) {
            return math::select(group[0] == inner, centre[1][d], V(0.5) * (x[0][d] + x[1][d]));
        };
        const V along[] = {x[1][0] - x[0][0], x[1][1] - x[0][1]};
        const V step[] = {beyond(0) - centre[0][0], beyond(1) - centre[0][1]};
        const V square = along[0] * along[0] + along[1] * along[1];
        k[0] = math::select(group[0] == closed, V(0.0),
                            square / math::abs(along[0] * step[1] - along[1] * step[0]));
    }
};

struct Flow {
    template <class V>
    HALOCLINE_HD void operator()(const Values<Integer<V>, 1>& group, const Values<V, 1>& k,
                                 const Rows<V, 2, 1>& t, Rows<V, 2, 1>& gain) const {
        const V beyond = math::select(group[0] == warm, V(1.0), t[1][0]);
        const V flow = k[0] * (beyond - t[0][0]);
        gain[0][0] += flow;
        gain[1][0] -= flow;  // goes nowhere where there is no brick
    }
};

struct Step {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& area, Values<V, 1>& t,
                                 Values<V, 1>& gain) const {
        t[0] += V(0.2) * gain[0] / area[0];
        gain[0] = V(0.0);
    }
};

struct Through {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& k, const Values<V, 1>& t,
                                 const Values<V, 1>& wall, Values<V, 1>& sum) const {
        sum[0] += k[0] * (wall[0] - t[0]);
    }
};
