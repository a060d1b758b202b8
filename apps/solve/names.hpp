// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The words that a case file chooses by, as the library has them.
#pragma once

#include <string>

namespace halocline::solve {

/// JSON: for each key of a case file that takes names from a list in the library, these names. The
/// Python package has a copy (python/halocline/case/names.json), from which the schema is made; a test
/// compares both.
[[nodiscard]] std::string names_text();

}  // namespace halocline::solve
