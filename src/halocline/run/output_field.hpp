// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A quantity that results have at every point, made from a row of a solver's state.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "halocline/io/results_file.hpp"
#include "halocline/loop/rows.hpp"

namespace halocline::run {

struct OutputField {
    std::string name;
    std::string unit;  ///< "1" where it has none
    int components = 1;
    bool is_usual = true;              ///< written where no fields are named
    FieldFunction evaluate = nullptr;  ///< from rows of the state: see `at_points`
};

/// The known fields that are named, or the usual ones where none is. Throws UsageError with the nearest
/// name.
[[nodiscard]] std::vector<OutputField> choose_fields(const std::vector<OutputField>& known,
                                                     const std::vector<std::string>& wanted);

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
