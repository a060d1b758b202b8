// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of output fields from a formula for one point. Host compilers alone read it: packs are
// unknown to nvcc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "halocline/core/values.hpp"
#include "halocline/loop/rows.hpp"

namespace halocline::run {

/// The function of a field from `point(state, field)`, which takes the `dim` components of the state
/// at a point and sets the `components` of the field there. Inlined: one call takes many points.
///
/// A field of one component that is computed, not only picked, takes `const auto*` and `auto*`: it is
/// then called with packs, and the writer's thread needs a quarter of the time for it. Same bits.
template <int dim, int components, auto point>
void at_points(const double* states, std::int64_t count, double* values) {
    std::int64_t i = 0;
    if constexpr (components == 1 && std::is_invocable_v<decltype(point), const Pack*, Pack*>) {
        // Loads of whole vectors read beyond a row, so rows must follow.
        for (; i + 2 * pack_lanes <= count; i += pack_lanes) {
            const double* rows[pack_lanes];
            for (int lane = 0; lane < pack_lanes; ++lane) {
                rows[lane] = states + (i + lane) * dim;
            }
            const Values<Pack, dim> state = load_rows<dim>(rows);
            Pack value;
            point(&state[0], &value);
            detail::store_unaligned(values + i, value.lanes);
        }
    }
    for (; i < count; ++i) {
        point(states + i * dim, values + i * components);
    }
}

}  // namespace halocline::run
