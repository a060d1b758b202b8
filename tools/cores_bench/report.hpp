// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What was measured, for programs and for people.
#pragma once

#include <string>

#include "measure.hpp"

namespace halocline::cores {

/// Keys in the order of docs/cores.md.
[[nodiscard]] std::string to_json_text(const Report& report);

/// A table: a line a kind of work and size, a column a number of busy cores.
[[nodiscard]] std::string table_text(const Report& report);

}  // namespace halocline::cores
