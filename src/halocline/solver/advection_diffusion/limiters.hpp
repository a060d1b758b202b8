// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Limiters of the reconstruction: factors on the gradient of a node, so that no value on a face leaves
// the range of the node and its neighbours. A new one is a struct here and its name in `Limiters`.
#pragma once

#include <string_view>

#include "halocline/core/named_types.hpp"
#include "halocline/loop/pack_math.hpp"

namespace halocline::advection_diffusion {

/// Gradients as they are.
struct NoLimiter {
    static constexpr std::string_view name = "none";
};

/// min(1, room / step): T. J. Barth and D. C. Jespersen, AIAA 89-0366. `step` is what the gradient adds
/// on the way to the face, `room` what the range leaves in that direction; both have one sign.
struct BarthJespersen {
    static constexpr std::string_view name = "barth-jespersen";
    template <class V>
    [[nodiscard]] HALOCLINE_HD V factor(const V& room, const V& step, const V&) const {
        const V ratio = room / select(step == 0.0, V(1.0), step);
        return select(step == 0.0, V(1.0), min(V(1.0), ratio));
    }
};

/// A smooth function of room / step that leaves steps below (K h)^(3/2) alone, h^3 the dual volume:
/// V. Venkatakrishnan, J. Comput. Phys. 118 (1995) 120, equation 24.
struct Venkatakrishnan {
    static constexpr std::string_view name = "venkatakrishnan";
    static constexpr double threshold = 5.0;  ///< K
    template <class V>
    [[nodiscard]] HALOCLINE_HD V factor(const V& room, const V& step, const V& volume) const {
        const V small = V(threshold * threshold * threshold) * volume;
        const V both = room * step;
        const V squares = room * room + small;
        const V below = squares + V(2.0) * (step * step) + both;
        return select(below == 0.0, V(1.0),
                      (squares + V(2.0) * both) / select(below == 0.0, V(1.0), below));
    }
};

using Limiters = NamedTypes<NoLimiter, BarthJespersen, Venkatakrishnan>;

}  // namespace halocline::advection_diffusion
