// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A quantity that results have at every point, made from a row of a solver's state.
#pragma once

#include <string>

namespace halocline::run {

struct OutputField {
    std::string name;
    std::string unit;  ///< "1" where it has none
    int components = 1;
    bool is_usual = true;  ///< written where no fields are named
    /// From the components of the state at a point to those of the field.
    void (*evaluate)(const double* state, double* field) = nullptr;
};

}  // namespace halocline::run
