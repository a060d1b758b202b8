// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// File and dataset names of MG-CFD's results.
#pragma once

#include <cstdint>
#include <string>

namespace halocline {

/// `<prefix><quantity>.L<l>.cycles=<n>.h5`, the state after the last cycle; quantity is variables,
/// fluxes or step_factors. The prefix is put in front as it stands: "out/" is a folder, "a" is not.
[[nodiscard]] inline std::string result_path(const std::string& prefix, const std::string& quantity,
                                             int level, std::int64_t cycles) {
    return prefix + quantity + ".L" + std::to_string(level) + ".cycles=" + std::to_string(cycles) +
           ".h5";
}

/// `p_<quantity>_result_L<l>`.
[[nodiscard]] inline std::string result_dataset(const std::string& quantity, int level) {
    return "p_" + quantity + "_result_L" + std::to_string(level);
}

/// `<prefix>variables.L0.cycle=<i>.h5`, the flow while the run goes on; dataset `p_variables`.
[[nodiscard]] inline std::string flow_path(const std::string& prefix, std::int64_t cycle) {
    return prefix + "variables.L0.cycle=" + std::to_string(cycle) + ".h5";
}
inline constexpr const char* flow_dataset = "p_variables";

/// What `--validate-result` compares with: `solution.variables.L<l>.cycles=<n>.h5` beside the input.
[[nodiscard]] inline std::string solution_path(const std::string& directory, int level,
                                               std::int64_t cycles) {
    return result_path(directory.empty() ? "solution." : directory + "/solution.", "variables",
                       level, cycles);
}

/// `<prefix>.<name>`, or `<prefix><name>` when the prefix is a folder or at most one character.
[[nodiscard]] inline std::string side_path(const std::string& prefix, const std::string& name) {
    return prefix + (prefix.size() > 1 && prefix.back() != '/' ? "." : "") + name;
}

/// MG-CFD's table of output times.
[[nodiscard]] inline std::string file_io_times_path(const std::string& prefix) {
    return side_path(prefix, "P=0.FileIoTimes.csv");
}

}  // namespace halocline
