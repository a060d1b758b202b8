// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the MG-CFD mini-app: edge-based Euler fluxes, Runge-Kutta stages, grid transfer.
// What they compute is the MG-CFD specification in docs/theory/mgcfd.md; section numbers refer to it.
#pragma once

#include "halocline/numerics/euler.hpp"

namespace halocline::mgcfd {

using euler::variables;

inline constexpr int stages = 3;
inline constexpr double mach = 1.2;
inline constexpr double damping = 1e-7;
/// 0.2 as MG-CFD stores it: rounded to float first (section 3).
inline constexpr double smoothing = static_cast<double>(0.2F);

/// Free stream (section 3): rho 1.4, p 1, c 1, Mach 1.2 along x.
struct FreeStream {
    static constexpr double density = 1.4;
    static constexpr double pressure = 1.0;
    double velocity;
    double energy;

    FreeStream()
        : velocity(mach * sqrt(euler::gamma * pressure / density)),
          energy(density * (0.5 * (velocity * velocity)) + pressure / euler::gamma_minus_one) {}

    [[nodiscard]] Values<double, variables> conserved() const {
        return {density, density * velocity, 0.0, 0.0, energy};
    }
    /// Conserved variables with 1/rho, the exact pressure and |u| + c.
    [[nodiscard]] Values<double, 8> state() const {
        return {density,  density * velocity,
                0.0,      0.0,
                energy,   1.0 / density,
                pressure, velocity + sqrt(euler::gamma * pressure / density)};
    }
};

/// Dual volume from edges (section 5): each end gets |d| |w| / 6. Same value from both ends.
struct EdgeVolume {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb,
                                 const Values<V, 3>& weight, Values<V, 1>& volume_a,
                                 Values<V, 1>& volume_b) const {
        const V dx = xb[0] - xa[0];
        const V dy = xb[1] - xa[1];
        const V dz = xb[2] - xa[2];
        const V length = sqrt(dx * dx + dy * dy + dz * dz);
        const V area = sqrt(weight[0] * weight[0] + weight[1] * weight[1] + weight[2] * weight[2]);
        const V share = V(1.0 / 3.0) * V(0.5) * length * area;
        volume_a[0] += share;
        volume_b[0] += share;
    }
};

/// Factor from a damped weight to what the flux kernel wants, n = -w / 2: exact, so no bit changes.
inline constexpr double half_normal = -0.5;

/// Turns a weight into the edge's direction with magnitude |w| / |d| (section 5), damps it and
/// leaves n = -w / 2; also finds the shortest edge.
struct EdgeWeight {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb,
                                 Values<V, 3>& weight, Values<V, 1>& shortest) const {
        const Values<V, 3> d{xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2]};
        const V length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const V area = sqrt(weight[0] * weight[0] + weight[1] * weight[1] + weight[2] * weight[2]);
        for (int i = 0; i < 3; ++i) {
            weight[i] = d[i] / length * area / length * V(damping) * V(half_normal);
        }
        shortest[0] = min(shortest[0], length);
    }
};

/// Damps weights (section 5); `scale` is `half_normal` for edges in legacy mode, 1 for boundaries.
struct DampWeight {
    double scale = 1.0;

    template <class V>
    HALOCLINE_HD void operator()(Values<V, 3>& weight) const {
        for (int i = 0; i < 3; ++i) {
            weight[i] = weight[i] * V(damping) * V(scale);
        }
    }
};

/// Flux along an edge (section 7.1): Rusanov-like smoothing and the mean of both ends' fluxes, with
/// n = -w / 2:
///   f = -s |n| (lambda_a + lambda_b) (q_a - q_b) + n . F(q_a) + n . F(q_b).
/// Every sum of two ends is one addition, so looking from the other end (ends swapped, n negated)
/// negates every term exactly. Grouped for few multiplications: they are what bounds this kernel.
struct EdgeFlux {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 8>& a, const Values<V, 8>& b,
                                 const Values<V, 3>& n, Values<V, variables>& flux_a,
                                 Values<V, variables>& flux_b) const {
        const V area = sqrt(multiply_add(n[2], n[2], multiply_add(n[1], n[1], n[0] * n[0])));
        const V smooth = area * V(-smoothing) * (a[euler::wave_speed] + b[euler::wave_speed]);
        const V mass_a = multiply_add(n[2], a[3], multiply_add(n[1], a[2], n[0] * a[1]));
        const V mass_b = multiply_add(n[2], b[3], multiply_add(n[1], b[2], n[0] * b[1]));
        const V volume_a = mass_a * a[euler::inverse_density];
        const V volume_b = mass_b * b[euler::inverse_density];
        const V pressures = a[euler::pressure] + b[euler::pressure];

        Values<V, variables> flux;
        flux[0] = mass_a + mass_b;
        for (int i = 0; i < 3; ++i) {
            flux[i + 1] = multiply_add(pressures, n[i], volume_a * a[i + 1] + volume_b * b[i + 1]);
        }
        flux[4] = volume_a * (a[4] + a[euler::pressure]) + volume_b * (b[4] + b[euler::pressure]);
        for (int i = 0; i < variables; ++i) {
            const V total = multiply_add(smooth, a[i] - b[i], flux[i]);
            flux_a[i] += total;
            flux_b[i] -= total;
        }
    }
};

/// The traffic of `EdgeFlux` with next to no arithmetic: what the flux would cost if memory alone
/// counted. MG-CFD calls it unstructured_stream.
struct StreamEdge {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 8>& a, const Values<V, 8>& b,
                                 const Values<V, 3>& weight, Values<V, variables>& sum_a,
                                 Values<V, variables>& sum_b) const {
        const V along = weight[0] + weight[1] + weight[2];
        for (int i = 0; i < variables; ++i) {
            const V value = (a[i] - b[i]) + along;
            sum_a[i] += value;
            sum_b[i] -= value;
        }
    }
};

/// Flux through a boundary entry (section 7.2): groups up to 2 are walls (pressure only), 3 to 7 far
/// field (mean of free stream and interior), above 7 nothing.
struct BoundaryFlux {
    Values<double, 8> free_stream = FreeStream().state();

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 8>& state, const Values<V, 1>& group,
                                 const Values<V, 3>& weight, Values<V, variables>& flux) const {
        Values<V, 8> outside;
        for (int i = 0; i < 8; ++i) {
            outside[i] = V(free_stream[i]);
        }
        const V nx = V(0.5) * weight[0];
        const V ny = V(0.5) * weight[1];
        const V nz = V(0.5) * weight[2];
        const Values<V, variables> far = euler::flux_through(outside, nx, ny, nz);
        const Values<V, variables> near = euler::flux_through(state, nx, ny, nz);
        const V p = state[euler::pressure];
        const Values<V, variables> wall{V(0.0), weight[0] * p, weight[1] * p, weight[2] * p,
                                        V(0.0)};
        for (int i = 0; i < variables; ++i) {
            flux[i] += select(group[0] <= V(2.0), wall[i],
                              select(group[0] <= V(7.0), far[i] + near[i], V(0.0)));
        }
    }
};

/// Time step a node allows (section 6): 0.5 h / (|u| + c) with h = cbrt(V), stored inverted; the
/// level takes the smallest.
struct TimeStepLimit {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 8>& state, const Values<V, 1>& inverse_length,
                                 Values<V, 1>& time_step) const {
        time_step[0] = min(time_step[0], V(0.5) / (inverse_length[0] * state[euler::wave_speed]));
    }
};

template <class V>
HALOCLINE_HD V cube(V a) {
    return a * a * a;
}

/// Takes over the time step that the level's state allows and deals it out to the stages of a visit:
/// dt / (4 - k) for k = 0, 1, 2. Where an earlier visit of the cycle left bad nodes, the stages hold
/// the state instead: whoever looks after the cycle finds the nodes that were counted.
struct BeginVisit {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& allowed, const Values<V, 1>& bad_nodes,
                                 Values<V, 1>& time_step, Values<V, stages>& stage_times) const {
        time_step[0] = allowed[0];
        for (int k = 0; k < stages; ++k) {
            stage_times[k] = select(bad_nodes[0] > V(0.0), V(-1.0),
                                    allowed[0] / V(static_cast<double>(stages + 1 - k)));
        }
    }
};

/// (dt / V) / (4 - k), what stage k multiplies the flux with (section 6), from h^-1 = V^(-1/3): the
/// step limit needs the length, so that alone is stored, and inverted, which saves two divisions a
/// node and stage. Its cube is 1 / V to three roundings.
template <int k, class V>
HALOCLINE_HD V stage_factor(const Values<V, stages>& stage_times, V inverse_length) {
    return stage_times[k] * cube(inverse_length);
}

/// Momenta smaller than this are zero. Damping makes what a disturbance brings to nodes further away smaller
/// by powers of ten for each edge; after some dozen edges it would be subnormal numbers, with which
/// processors compute up to a hundred times as slowly. Squares and fluxes of what is left are normal.
inline constexpr double negligible_momentum = 1e-130;

/// U0 + factor R; U0 where the stages hold the state, whose times are negative then. Not by a factor
/// of zero: R may be infinite.
template <class V>
HALOCLINE_HD Values<V, variables> advanced(V time, const Values<V, variables>& start, V factor,
                                           const Values<V, variables>& flux) {
    Values<V, variables> next;
    for (int i = 0; i < variables; ++i) {
        V moved = start[i] + factor * flux[i];
        if (euler::is_momentum(i)) {
            moved = select(abs(moved) < V(negligible_momentum), V(0.0), moved);
        }
        next[i] = select(time < V(0.0), start[i], moved);
    }
    return next;
}

/// First stage: also keeps the state the visit starts from.
struct FirstStage {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, stages>& times, const Values<V, variables>& q,
                                 const Values<V, 1>& inverse_length,
                                 const Values<V, variables>& flux, Values<V, variables>& start,
                                 Values<V, variables>& next) const {
        const V factor = stage_factor<0>(times, inverse_length[0]);
        start = q;
        next = advanced(times[0], q, factor, flux);
    }
};

struct MiddleStage {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, stages>& times, const Values<V, variables>& start,
                                 const Values<V, 1>& inverse_length,
                                 const Values<V, variables>& flux,
                                 Values<V, variables>& next) const {
        const V factor = stage_factor<1>(times, inverse_length[0]);
        next = advanced(times[1], start, factor, flux);
    }
};

/// Last stage: leaves the visit's change R = U - U0 where U0 was, adds up sum R^2 and counts nodes
/// whose state is no state any more (infinite, NaN, density not positive).
struct LastStage {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, stages>& times,
                                 Values<V, variables>& start_then_change,
                                 const Values<V, 1>& inverse_length,
                                 const Values<V, variables>& flux, Values<V, variables>& next,
                                 Values<V, 1>& change_squared, Values<V, 1>& bad_nodes) const {
        const V factor = stage_factor<2>(times, inverse_length[0]);
        V squares(0.0);
        V size(0.0);
        next = advanced(times[2], start_then_change, factor, flux);
        for (int i = 0; i < variables; ++i) {
            const V change = next[i] - start_then_change[i];
            start_then_change[i] = change;
            squares = squares + change * change;
            size = size + abs(next[i]);
        }
        change_squared[0] += squares;
        bad_nodes[0] += select(is_finite(size), select(next[0] > V(0.0), V(0.0), V(1.0)), V(1.0));
    }
};

/// Sum over a coarse node's children (section 8, up).
struct SumChildren {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, variables>& fine,
                                 Values<V, variables>& sum) const {
        for (int i = 0; i < variables; ++i) {
            sum[i] += fine[i];
        }
    }
};

/// Mean over the children; a coarse node without children keeps its state.
struct MeanOfChildren {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, variables>& sum,
                                 const Values<V, 1>& inverse_children,
                                 Values<V, variables>& coarse) const {
        for (int i = 0; i < variables; ++i) {
            coarse[i] =
                select(inverse_children[0] > V(0.0), sum[i] * inverse_children[0], coarse[i]);
        }
    }
};

/// R and coordinates of a coarse node side by side, for its children to read.
struct PackCorrection {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, variables>& change, const Values<V, 3>& x,
                                 Values<V, variables + 3>& correction) const {
        for (int i = 0; i < variables; ++i) {
            correction[i] = change[i];
        }
        for (int i = 0; i < 3; ++i) {
            correction[variables + i] = x[i];
        }
    }
};

/// Correction of a fine node by the change of its parent (section 8, down). A state with bad nodes
/// stays as it is, as in `BeginVisit`.
struct ApplyCorrection {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& bad_nodes,
                                 const Values<V, variables + 3>& parent, const Values<V, 3>& x,
                                 const Values<V, variables>& change,
                                 Values<V, variables>& q) const {
        const V dx = abs(x[0] - parent[variables]);
        const V dy = abs(x[1] - parent[variables + 1]);
        const V dz = abs(x[2] - parent[variables + 2]);
        const V distance = sqrt(dx * dx + dy * dy + dz * dz);
        const V scale[variables] = {distance, dx, dy, dz, distance};
        for (int i = 0; i < variables; ++i) {
            const V corrected = q[i] - scale[i] * (parent[i] - change[i]);
            q[i] = select(bad_nodes[0] > V(0.0), q[i], corrected);
        }
    }
};

/// Number of children of a coarse node, and its inverse.
struct CountChild {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 1>& count) const {
        count[0] += V(1.0);
    }
};

struct InvertCount {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 1>& count) const {
        count[0] = select(count[0] > V(0.0), V(1.0) / count[0], V(0.0));
    }
};

/// 1 / cbrt(V): the inverse of a dual cell's length.
struct InverseLength {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& volume, Values<V, 1>& inverse_length) const {
        inverse_length[0] = V(1.0) / cbrt(volume[0]);
    }
};

/// Step factor dt / V (section 6), for output.
struct StepFactor {
    double time_step;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& inverse_length, Values<V, 1>& factor) const {
        factor[0] = V(time_step) * cube(inverse_length[0]);
    }
};

}  // namespace halocline::mgcfd
