// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the advection-diffusion solver on median-dual cells; the theory is in
// docs/theory/advection_diffusion.md, whose sections are named.
#pragma once

#include "halocline/solver/advection_diffusion/fluxes.hpp"
#include "halocline/solver/advection_diffusion/limiters.hpp"
#include "halocline/solver/advection_diffusion/problems.hpp"

namespace halocline::advection_diffusion {

/// What faces need of a node: phi, its gradient, and the factor that limits the gradient of advection.
inline constexpr int field_components = 5;

/// Damping of the difference across a face in diffusive fluxes: with 4/3 the scheme is of fourth order
/// on uniform grids (H. Nishikawa, AIAA 2010-5093).
inline constexpr double damping = 4.0 / 3.0;

inline constexpr int stages = 3;

/// From the first end of an edge to the second.
template <class V>
struct Span {
    V d[3];
    HALOCLINE_HD Span(const Values<V, 3>& from, const Values<V, 3>& to)
        : d{to[0] - from[0], to[1] - from[1], to[2] - from[2]} {}
    HALOCLINE_HD const V& operator[](int i) const { return d[i]; }
};

/// Least squares, section 2: d d^T / |d|^2, alike from both ends. Order: xx xy xz yy yz zz.
struct Moments {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb, Values<V, 6>& at_a,
                                 Values<V, 6>& at_b) const {
        const Span<V> d(xa, xb);
        const V weight = V(1.0) / dot(d, d);
        int entry = 0;
        for (int i = 0; i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                const V moment = weight * d[i] * d[j];
                at_a[entry] += moment;
                at_b[entry] += moment;
                ++entry;
            }
        }
    }
};

/// The inverse of the moments, and how far they are from those of neighbours in one plane.
struct InvertMoments {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 6>& m, Values<V, 6>& inverse,
                                 Values<V, 1>& determinant) const {
        const V xx = m[3] * m[5] - m[4] * m[4];
        const V xy = m[2] * m[4] - m[1] * m[5];
        const V xz = m[1] * m[4] - m[2] * m[3];
        const V whole = m[0] * xx + m[1] * xy + m[2] * xz;
        determinant[0] = whole;
        inverse[0] = xx / whole;
        inverse[1] = xy / whole;
        inverse[2] = xz / whole;
        inverse[3] = (m[0] * m[5] - m[2] * m[2]) / whole;
        inverse[4] = (m[1] * m[2] - m[0] * m[4]) / whole;
        inverse[5] = (m[0] * m[3] - m[1] * m[1]) / whole;
    }
};

/// Least squares, section 2: (phi_b - phi_a) d / |d|^2, alike from both ends.
struct SumDifferences {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& phi_a, const Values<V, 1>& phi_b,
                                 const Values<V, 3>& xa, const Values<V, 3>& xb, Values<V, 3>& at_a,
                                 Values<V, 3>& at_b) const {
        const Span<V> d(xa, xb);
        const V slope = (phi_b[0] - phi_a[0]) / dot(d, d);
        for (int i = 0; i < 3; ++i) {
            at_a[i] += slope * d[i];
            at_b[i] += slope * d[i];
        }
    }
};

struct SolveGradient {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& phi, const Values<V, 3>& sum,
                                 const Values<V, 6>& inverse,
                                 Values<V, field_components>& field) const {
        field[0] = phi[0];
        field[1] = inverse[0] * sum[0] + inverse[1] * sum[1] + inverse[2] * sum[2];
        field[2] = inverse[1] * sum[0] + inverse[3] * sum[1] + inverse[4] * sum[2];
        field[3] = inverse[2] * sum[0] + inverse[4] * sum[1] + inverse[5] * sum[2];
        field[4] = V(1.0);
    }
};

/// The ranges of phi begin with the node itself. They are kept as min phi and min -phi.
struct StartRange {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& phi, Values<V, 2>& range,
                                 Values<V, 1>& factor) const {
        range[0] = phi[0];
        range[1] = -phi[0];
        factor[0] = V(1.0);
    }
};

struct WidenRange {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& phi_a, const Values<V, 1>& phi_b,
                                 Values<V, 2>& at_a, Values<V, 2>& at_b) const {
        at_a[0] = min(at_a[0], phi_b[0]);
        at_a[1] = min(at_a[1], -phi_b[0]);
        at_b[0] = min(at_b[0], phi_a[0]);
        at_b[1] = min(at_b[1], -phi_a[0]);
    }
};

/// phi at the middle of the edge less phi at an end, by that end's gradient.
template <class V, class Vector>
[[nodiscard]] HALOCLINE_HD V half_way(const Values<V, field_components>& field, const Vector& d) {
    const V gradient[] = {field[1], field[2], field[3]};
    return V(0.5) * dot(gradient, d);
}

/// Section 3: each end's factor is the smallest that one of its edges asks for.
template <class Limiter>
struct LimitEdge {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, field_components>& a,
                                 const Values<V, field_components>& b, const Values<V, 3>& xa,
                                 const Values<V, 3>& xb, const Values<V, 2>& range_a,
                                 const Values<V, 2>& range_b, const Values<V, 1>& volume_a,
                                 const Values<V, 1>& volume_b, Values<V, 1>& factor_a,
                                 Values<V, 1>& factor_b) const {
        const Span<V> d(xa, xb);
        factor_a[0] = min(factor_a[0], at_end(a, range_a, volume_a[0], half_way(a, d)));
        factor_b[0] = min(factor_b[0], at_end(b, range_b, volume_b[0], -half_way(b, d)));
    }

private:
    template <class V>
    [[nodiscard]] HALOCLINE_HD static V at_end(const Values<V, field_components>& field,
                                               const Values<V, 2>& range, const V& volume,
                                               const V& step) {
        const V room = select(step > 0.0, -range[1] - field[0], range[0] - field[0]);
        return Limiter{}.factor(room, step, volume);
    }
};

struct StoreFactor {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& factor,
                                 Values<V, field_components>& field) const {
        field[4] = factor[0];
    }
};

/// What leaves the first end's cell through a face, sections 3 and 4: advection by `Flux` of values
/// that both ends extrapolate to the middle of the edge; diffusion along the mean gradient, with
/// damping by the difference that extrapolation leaves.
template <class Flux>
struct EdgeFlux {
    static constexpr bool swap_symmetric = true;
    double velocity[3];
    double diffusivity;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, field_components>& a,
                                 const Values<V, field_components>& b, const Values<V, 3>& xa,
                                 const Values<V, 3>& xb, const Values<V, 3>& n,
                                 Values<V, 1>& gain_a, Values<V, 1>& gain_b) const {
        const Span<V> d(xa, xb);
        const V step_a = half_way(a, d);
        const V step_b = half_way(b, d);
        const V u[] = {V(velocity[0]), V(velocity[1]), V(velocity[2])};
        const V advected = Flux::through(dot(u, n), a[0] + a[4] * step_a, b[0] - b[4] * step_b);

        const V mean[] = {a[1] + b[1], a[2] + b[2], a[3] + b[3]};
        const V jump = (b[0] - step_b) - (a[0] + step_a);
        const V stiffness = V(damping) * dot(n, n) / abs(dot(d, n));
        const V diffused = V(diffusivity) * (V(0.5) * dot(mean, n) + stiffness * jump);

        const V flux = advected - diffused;
        gain_a[0] -= flux;
        gain_b[0] += flux;
    }
};

/// Section 5: half of |u . n| and the diffusive damping of each face, summed at both ends.
struct FaceRates {
    static constexpr bool swap_symmetric = true;
    double velocity[3];
    double diffusivity;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb,
                                 const Values<V, 3>& n, Values<V, 1>& at_a,
                                 Values<V, 1>& at_b) const {
        const Span<V> d(xa, xb);
        const V u[] = {V(velocity[0]), V(velocity[1]), V(velocity[2])};
        const V rate =
            V(0.5) * abs(dot(u, n)) + V(diffusivity * damping) * dot(n, n) / abs(dot(d, n));
        at_a[0] += rate;
        at_b[0] += rate;
    }
};

/// The largest time step that a cell stands, section 5; boundary nodes stand any.
struct StableStep {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& inverse_volume, const Values<V, 1>& rate,
                                 Values<V, 1>& fastest) const {
        fastest[0] = max(fastest[0], rate[0] * inverse_volume[0]);
    }
};

/// Runge-Kutta, section 5. The inverse volume of boundary nodes is zero: they do not move here.
struct FirstStage {
    double time_step;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& gain, const Values<V, 1>& inverse_volume,
                                 Values<V, 1>& start, Values<V, 1>& phi) const {
        start[0] = phi[0];
        phi[0] = phi[0] + V(time_step) * (gain[0] * inverse_volume[0]);
    }
};

struct SecondStage {
    double time_step;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& gain, const Values<V, 1>& inverse_volume,
                                 const Values<V, 1>& start, Values<V, 1>& phi) const {
        const V moved = phi[0] + V(time_step) * (gain[0] * inverse_volume[0]);
        phi[0] = V(0.75) * start[0] + V(0.25) * moved;
    }
};

struct ThirdStage {
    double time_step;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& gain, const Values<V, 1>& inverse_volume,
                                 const Values<V, 1>& start, Values<V, 1>& phi,
                                 Values<V, 1>& change_squared) const {
        const V moved = phi[0] + V(time_step) * (gain[0] * inverse_volume[0]);
        phi[0] = V(1.0 / 3.0) * start[0] + V(2.0 / 3.0) * moved;
        const V change = phi[0] - start[0];
        change_squared[0] += change * change;
    }
};

/// Times of the stages' results, from the number of steps done.
struct BeginStep {
    double time_step;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& done, Values<V, stages>& times,
                                 Values<V, 1>& then_done) const {
        times[0] = (done[0] + V(1.0)) * V(time_step);
        times[1] = (done[0] + V(0.5)) * V(time_step);
        times[2] = times[0];
        then_done[0] = done[0] + V(1.0);
    }
};

struct EndStep {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& then_done, Values<V, 1>& done) const {
        done[0] = then_done[0];
    }
};

/// The solution of `Problem` at the time of a stage.
template <class Problem>
struct ExactValue {
    Problem problem;
    int stage;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, const Values<V, stages>& times,
                                 Values<V, 1>& phi) const {
        phi[0] = problem.at(x, times[stage]);
    }
};

/// V phi, and the range of phi.
struct MeasurePhi {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& volume, const Values<V, 1>& phi,
                                 Values<V, 1>& total, Values<V, 1>& least,
                                 Values<V, 1>& largest) const {
        total[0] += volume[0] * phi[0];
        least[0] = min(least[0], phi[0]);
        largest[0] = max(largest[0], phi[0]);
    }
};

/// V (phi - exact)^2, V, and |phi - exact|.
template <class Problem>
struct ExactError {
    Problem problem;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, const Values<V, stages>& times,
                                 const Values<V, 1>& volume, const Values<V, 1>& phi,
                                 Values<V, 1>& squares, Values<V, 1>& space,
                                 Values<V, 1>& largest) const {
        const V error = phi[0] - problem.at(x, times[stages - 1]);
        squares[0] += volume[0] * (error * error);
        space[0] += volume[0];
        largest[0] = max(largest[0], abs(error));
    }
};

}  // namespace halocline::advection_diffusion
