// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Perfect gas and Euler fluxes at a point, for scalars and packs, host and device.
#pragma once

#include "halocline/core/math.hpp"
#include "halocline/core/values.hpp"

namespace halocline::euler {

/// Ratio of specific heats, and gamma - 1 as double arithmetic gives it.
inline constexpr double gamma = 1.4;
inline constexpr double gamma_minus_one = 1.4 - 1.0;  ///< gamma - 1 as double arithmetic gives it

/// Conserved variables: density, momentum (3), total energy per volume.
inline constexpr int variables = 5;

/// Whether component `i` of the conserved variables is one of momentum.
[[nodiscard]] HALOCLINE_HD constexpr bool is_momentum(int i) { return i >= 1 && i <= 3; }

/// Positions of what `GasState` appends to the conserved variables.
inline constexpr int inverse_density = 5;
inline constexpr int pressure = 6;    ///< place of p
inline constexpr int wave_speed = 7;  ///< place of |u| + c

/// 1/rho, p = (gamma - 1)(E - rho |u|^2 / 2), and |u| + c with c = sqrt(gamma p / rho).
struct GasState {
    static constexpr int size = 3;  ///< values that it appends

    /// From q (5), conserved variables, to the three values. Needs positive density and pressure.
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, variables>& q, Values<V, size>& state) const {
        const V inverse = V(1.0) / q[0];
        const V u = q[1] * inverse;
        const V v = q[2] * inverse;
        const V w = q[3] * inverse;
        const V speed_squared = multiply_add(w, w, multiply_add(v, v, u * u));
        const V p = V(gamma_minus_one) * multiply_add(V(-0.5) * q[0], speed_squared, q[4]);
        state[0] = inverse;
        state[1] = p;
        state[2] = sqrt(speed_squared) + sqrt(V(gamma) * p * inverse);
    }
};

/// n . F(q): flux of the conserved variables through the area vector n, from the extended state.
template <class V>
HALOCLINE_HD Values<V, variables> flux_through(const Values<V, 8>& q, V nx, V ny, V nz) {
    const V mass = multiply_add(nz, q[3], multiply_add(ny, q[2], nx * q[1]));
    const V volume = mass * q[inverse_density];
    const V p = q[pressure];
    return {mass, multiply_add(volume, q[1], p * nx), multiply_add(volume, q[2], p * ny),
            multiply_add(volume, q[3], p * nz), volume * (q[4] + p)};
}

}  // namespace halocline::euler
