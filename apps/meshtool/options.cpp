// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags by CLI11.
#include "options.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/dist/distribute.hpp"

namespace halocline::meshtool {

namespace {

constexpr const char* description =
    "Tools for MG-CFD's mesh files that need more than one process.";

constexpr const char* examples = R"(
Examples:
  mpirun -n 2 halocline-meshtool partition -d rotor37 -n 64 -m ptscotch
  mpirun -n 2 halocline-meshtool partition -d rotor37 -n 64 --compare --json compare.json
  halocline-meshtool partition -d rotor37 -n 16 -m sfc --output rotor37.part.16

The number of parts does not depend on the number of ranks. Prints JSON; for tables:
halocline mesh partition.

Exit codes: 0 ok, 2 usage, 3 invalid mesh or input, 4 environment, 5 failed.)";

void add_flags(CLI::App& app, PartitionOptions& options, std::vector<double>& link) {
    app.add_option("-i,--input-file", options.input_file, "input.dat of the mesh")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("-d,--input-directory", options.input_directory, "Folder of the input file")
        ->type_name("DIR");
    app.add_flag("-l,--legacy-mode", options.legacy_mode, "Legacy names of datasets");
    app.add_option("-n,--parts", options.parts, "Parts to make")
        ->check(CLI::Range(1, 1 << 24))
        ->required();
    app.add_option("-m,--partitioner", options.partitioner, alternatives(partitioner_names()))
        ->capture_default_str();
    app.add_option("-r,--partitioner-method", options.method,
                   alternatives(partition_method_names()))
        ->capture_default_str();
    app.add_flag("--compare", options.compare, "All partitioners and methods of this build");
    app.add_option("--weights", options.weights, "Target weights of the parts, as 1,1,2.5")
        ->delimiter(',');
    app.add_option("--partition-file", options.partition_file,
                   "Partition of the partitioner 'file': one part number a line, or HDF5")
        ->type_name("FILE");
    app.add_option("--json", options.json_file, "Write the report there (default: standard output)")
        ->type_name("FILE");
    app.add_flag("--per-part", options.per_part,
                 "List sizes, halos and messages of every part of every level in the report");
    app.add_flag("--pressure-levels", options.pressure_levels,
                 "Make the coarse levels of the mesh's Laplacian and report them, too");
    app.add_option("--pattern", options.pattern_file,
                   "Write who sends how much to whom (docs/formats/exchange-pattern.md)")
        ->type_name("FILE");
    app.add_option("--output", options.output_file,
                   "Write the partition, one part number a line, for the partitioner 'file'")
        ->type_name("FILE");
    app.add_option("--link", link,
                   "Latency [us] and bandwidth [GB/s] for predicted times, as 1.5,12 (default: "
                   "measured between ranks)")
        ->delimiter(',')
        ->expected(2);
}

}  // namespace

std::optional<PartitionOptions> parse_command(const Communicator& comm, int argc, char** argv) {
    PartitionOptions options;
    std::vector<double> link;
    CLI::App app{description, "halocline-meshtool"};
    app.footer(examples);
    app.require_subcommand(1);
    app.set_version_flag("--version", "halocline " + std::string(build_info::version));
    CLI::App* partition =
        app.add_subcommand("partition", "Divide a mesh and report what the division will cost");
    add_flags(*partition, options, link);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& stop) {
        if (comm.is_root()) {
            app.exit(stop);
        }
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) +
                         ". halocline-meshtool --help lists all flags.");
    }
    if (!link.empty()) {
        validate<UsageError>(
            link[0] >= 0.0 && link[1] > 0.0,
            "--link is not a network (latency is 0 us or more, bandwidth above 0). "
            "Give e.g. --link 1.5,12.");
        options.link = dist::LinkSpeed{1e-6 * link[0], 1e9 * link[1]};
    }
    validate<UsageError>(
        !options.compare || (options.pattern_file.empty() && options.output_file.empty()),
        "--compare makes many partitions (--pattern and --output write one). Run "
        "again with -m and -r of your choice.");
    for (int i = 0; i < argc; ++i) {
        options.command += (i == 0 ? "" : " ") + std::string(argv[i]);
    }
    return options;
}

}  // namespace halocline::meshtool
