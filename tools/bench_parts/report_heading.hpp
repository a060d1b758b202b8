// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What reports of benchmarks begin with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace halocline::bench_parts {

/// Format, version of the format, and the code that wrote it.
[[nodiscard]] nlohmann::ordered_json report_heading(const std::string& format, int version);

}  // namespace halocline::bench_parts
