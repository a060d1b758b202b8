// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_parts/report_heading.hpp"

#include "halocline/core/build_info.hpp"

namespace halocline::bench_parts {

nlohmann::ordered_json report_heading(const std::string& format, int version) {
    return {{"format", format},
            {"version", version},
            {"code", {{"version", build_info::version}, {"git", build_info::git_describe}}}};
}

}  // namespace halocline::bench_parts
