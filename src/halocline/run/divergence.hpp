// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The error of a run whose numbers are no state any more.
#pragma once

#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"

namespace halocline::run {

/// The same on every rank.
struct DivergenceError final : Error {
    int step = 0;
    int level = 0;
    const char* loop = "";
    GlobalIndex node = 0;  ///< first bad node, counted from 0
    double coordinates[3] = {};

    using Error::Error;
};

}  // namespace halocline::run
