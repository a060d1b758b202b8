// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags of halocline-halo.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench_parts/device_choice.hpp"
#include "halocline/core/types.hpp"

namespace halocline::halo_bench {

struct Options {
    std::vector<GlobalIndex> vertices;  ///< about that many in each mesh
    std::vector<int> fields;            ///< exchanged at once: M of the formulae
    std::vector<std::string> schemes;   ///< asked for by name; empty: all that can be
    bench_parts::DeviceChoice device;
    std::string partitioner = "inertial";
    int repetitions = 31;
    bool assume_gpu_aware = false;
    std::string json_file;
    bool quiet = false;
    std::vector<std::string> command;
};

/// Options, or a text to print instead (--help, --version). Throws UsageError.
struct ParsedOptions {
    std::optional<Options> options;
    std::string text;
};
[[nodiscard]] ParsedOptions parse_options(int argc, char** argv);

/// 500000, 500K, 0.5M: powers of 1000. Throws UsageError.
[[nodiscard]] GlobalIndex parse_count(const std::string& text);

}  // namespace halocline::halo_bench
