// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A quantity that results have at every point, made from a row of a solver's state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/io/results_file.hpp"

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

}  // namespace halocline::run
