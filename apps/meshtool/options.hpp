// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Command line of halocline-meshtool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/link_speed.hpp"

namespace halocline::meshtool {

struct PartitionOptions {
    std::string input_file = "input.dat";
    std::string input_directory;
    bool legacy_mode = false;
    int parts = 2;
    std::string partitioner = "ptscotch";
    std::string method = "auto";
    bool compare = false;  ///< all combinations of this build
    std::vector<double> weights;
    std::string partition_file;    ///< of the partitioner `file`
    std::string json_file;         ///< empty: standard output
    bool per_part = false;         ///< the report lists what each part has
    bool pressure_levels = false;  ///< those that a pressure solver makes are divided, too
    std::string pattern_file;
    std::string output_file;
    std::optional<dist::LinkSpeed> link;  ///< unset: measured where there are two ranks
    std::string command;
};

/// The options, or nothing after a text (`--help`) was printed. Throws UsageError on every rank.
[[nodiscard]] std::optional<PartitionOptions> parse_command(const Communicator& comm, int argc,
                                                            char** argv);

}  // namespace halocline::meshtool
