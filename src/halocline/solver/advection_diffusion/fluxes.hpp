// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Advective fluxes through a dual face, from the values that both ends have there. A new one is a
// struct here and its name in `Fluxes`.
#pragma once

#include <string_view>

#include "halocline/core/named_types.hpp"
#include "halocline/loop/pack_math.hpp"

namespace halocline::advection_diffusion {

/// What comes from upwind. `volume_flux`: u . n; `left` and `right`: phi at the face as the first and
/// the second end extrapolate it. Exchanging the ends and negating u . n negates the result exactly.
struct Upwind {
    static constexpr std::string_view name = "upwind";
    template <class V>
    [[nodiscard]] HALOCLINE_HD static V through(const V& volume_flux, const V& left,
                                                const V& right) {
        return V(0.5) * (volume_flux * (left + right) - abs(volume_flux) * (right - left));
    }
};

/// The mean of both: no numerical diffusion, so that waves which the mesh does not resolve stay.
struct Central {
    static constexpr std::string_view name = "central";
    template <class V>
    [[nodiscard]] HALOCLINE_HD static V through(const V& volume_flux, const V& left,
                                                const V& right) {
        return V(0.5) * (volume_flux * (left + right));
    }
};

using Fluxes = NamedTypes<Upwind, Central>;

}  // namespace halocline::advection_diffusion
