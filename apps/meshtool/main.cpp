// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-meshtool: divides meshes and reports; see docs/partitioning.md.
#include "halocline/core/output_file.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/machine/affinity.hpp"
#include "options.hpp"
#include "partition.hpp"
#include "partition_json.hpp"

namespace {

using halocline::Communicator;

void write_text(const Communicator& comm, const std::string& path, const std::string& text) {
    halocline::run_agreed(comm, [&] {
        if (comm.is_root()) {
            halocline::replace_file(path, text);
        }
    });
}

int run_program(const Communicator& comm, const halocline::Affinity& /*affinity*/, int argc,
                char** argv) {
    using namespace halocline::meshtool;
    const auto options = parse_command(comm, argc, argv);
    if (!options) {
        return 0;
    }
    const PartitionReport report = run_partition(comm, *options);
    if (!options->pattern_file.empty()) {
        write_text(comm, options->pattern_file,
                   pattern_text(report.ways.front(), *options, report.mesh.input.path));
    }
    const std::string text = report_text(report, *options, comm.size());
    if (!options->json_file.empty()) {
        write_text(comm, options->json_file, text);
    } else if (comm.is_root()) {
        halocline::say("{}", text);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    return halocline::run_placed_program(argc, argv, "halocline-meshtool", {}, run_program);
}
