// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags of halocline-p2p.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench_parts/device_choice.hpp"

namespace halocline::p2p {

struct Options {
    std::vector<std::string> paths;     ///< asked for by name; empty: all that can be
    std::vector<std::string> patterns;  ///< the same
    std::vector<std::size_t> sizes;
    bench_parts::DeviceChoice device;
    std::size_t block = 0;  ///< 0: from the file of this machine or the default
    int window = 64;
    bool distinct_buffers = false;  ///< a place for each message of a window, not one for all
    double time_s = 0.1;            ///< of one row
    bool sweep = false;
    std::vector<std::size_t> sweep_blocks;
    std::optional<std::string> blocks_file;  ///< where to write the best blocks
    std::string pattern_file;
    std::string json_file;
    bool assume_gpu_aware = false;
    bool quiet = false;
    bool capabilities = false;  ///< say what build and MPI can do with GPUs, and stop
    std::vector<std::string> command;
};

/// Options, or a text to print instead (--help, --version). Throws UsageError.
struct ParsedOptions {
    std::optional<Options> options;
    std::string text;
};
[[nodiscard]] ParsedOptions parse_options(int argc, char** argv);

/// 1, 64K, 4M, 1G in powers of 1024; KiB, MiB and GiB are taken too. Throws UsageError.
[[nodiscard]] std::size_t parse_size(const std::string& text);
/// A list 1,8,64K, a range 1:64M (powers of two) or 1:64M:4 (factor 4). Throws UsageError.
[[nodiscard]] std::vector<std::size_t> parse_sizes(const std::string& text);
/// 4 MiB for people.
[[nodiscard]] std::string size_text(std::size_t bytes);

}  // namespace halocline::p2p
