// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a function complains of, as text to compare.
#pragma once

#include <string>

#include "halocline/core/error.hpp"

namespace halocline::testing {

/// "<exit code>: <message>" of what `work` throws; empty when it does not.
template <class Work>
std::string error_of(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
    }
    return "";
}

}  // namespace halocline::testing
