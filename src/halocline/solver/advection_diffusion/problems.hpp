// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Solutions of  d phi/dt + u . grad phi = kappa lap phi  in free space, for constant u and kappa.
// They are where a run starts from, what boundary nodes hold, and what results are compared with.
#pragma once

#include <array>
#include <numbers>
#include <string_view>

#include "halocline/core/named_types.hpp"
#include "halocline/loop/pack_math.hpp"
#include "halocline/solver/advection_diffusion/options.hpp"

namespace halocline::advection_diffusion {

/// a . b
template <class A, class B>
[[nodiscard]] HALOCLINE_HD auto dot(const A& a, const B& b) {
    return multiply_add(a[2], b[2], multiply_add(a[1], b[1], a[0] * b[0]));
}

/// sin(k . (x - u t)) exp(-kappa |k|^2 t), with k = 2 pi times the waves per length.
struct Wave {
    static constexpr std::string_view name = "wave";
    double wave_vector[3] = {};
    double frequency = 0.0;  ///< k . u
    double decay = 0.0;      ///< kappa |k|^2

    void set(const Options& options) {
        for (std::size_t i = 0; i < 3; ++i) {
            const double k = 2.0 * std::numbers::pi * options.waves_per_length[i];
            wave_vector[i] = k;
            frequency += k * options.velocity[i];
            decay += options.diffusivity * k * k;
        }
    }

    template <class V>
    [[nodiscard]] HALOCLINE_HD V at(const Values<V, 3>& x, const V& time) const {
        const V k[] = {V(wave_vector[0]), V(wave_vector[1]), V(wave_vector[2])};
        return math::sin(dot(k, x) - V(frequency) * time) * math::exp(V(-decay) * time);
    }
};

/// (w^2 / s)^(3/2) exp(-|x - c - u t|^2 / s), s = w^2 + 4 kappa t: a Gaussian that moves and spreads.
struct Pulse {
    static constexpr std::string_view name = "pulse";
    double centre[3] = {};
    double velocity[3] = {};
    double width_squared = 1.0;
    double spreading = 0.0;  ///< 4 kappa

    void set(const Options& options) {
        for (std::size_t i = 0; i < 3; ++i) {
            centre[i] = options.centre[i];
            velocity[i] = options.velocity[i];
        }
        width_squared = options.width * options.width;
        spreading = 4.0 * options.diffusivity;
    }

    template <class V>
    [[nodiscard]] HALOCLINE_HD V at(const Values<V, 3>& x, const V& time) const {
        V away[3];
        for (int i = 0; i < 3; ++i) {
            away[i] = x[i] - V(centre[i]) - V(velocity[i]) * time;
        }
        const V squared = V(width_squared) + V(spreading) * time;
        const V ratio = V(width_squared) / squared;
        return ratio * sqrt(ratio) * math::exp(-dot(away, away) / squared);
    }
};

using Problems = NamedTypes<Wave, Pulse>;

}  // namespace halocline::advection_diffusion
