// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the stored solution level by level and counts values out of tolerance.
#include "halocline/solver/mgcfd/validation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "halocline/core/error.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/result_names.hpp"

namespace halocline::mgcfd {

namespace {

constexpr double relative_tolerance = 10.0e-8;
constexpr double absolute_tolerance = 3.0e-19;
constexpr std::int64_t nodes_per_bad_value = 5000;

std::int64_t count_bad_values(const Communicator& comm, const Level& level,
                              const LaneDat& reference) {
    std::int64_t bad = 0;
    for (LocalIndex i = 0; i < level.nodes.part->owned; ++i) {
        for (int d = 0; d < variables; ++d) {
            const double expected = reference.store().at(i, d);
            const double difference = std::fabs(level.q.store().at(i, d) - expected);
            const double tolerance =
                std::max(relative_tolerance * std::fabs(expected), absolute_tolerance);
            bad += difference <= tolerance ? 0 : 1;  // a NaN is bad
        }
    }
    return comm.sum(bad);
}

}  // namespace

void require_solutions(const Communicator& comm, const Options& options, int levels) {
    for (int l = 0; l < levels; ++l) {
        const std::string path = solution_path(options.input_directory, l, options.steps);
        validate<InputError>(file_exists(comm, path),
                             path +
                                 ": missing (it is the solution that -v compares with). Write it "
                                 "with -o solution. --output-variables, or leave -v out.");
    }
}

record::Validation validate_result(const Communicator& comm, const Options& options,
                                   const Mesh& mesh, std::vector<Level>& levels,
                                   const run::Console& console) {
    record::Validation result;
    result.passed = true;
    result.reference = solution_path(options.input_directory, 0, options.steps);
    console.line("Validating result against solution ...");
    for (Level& level : levels) {
        const std::string path = solution_path(options.input_directory, level.index, options.steps);
        LaneDat reference =
            mesh.make_dat<Node, double, variables, LaneStorage>(level.nodes, "reference");
        read_fields(comm, path, {{result_dataset("variables", level.index), reference}});
        const std::int64_t bad = count_bad_values(comm, level, reference);
        result.bad_values.push_back(bad);
        if (bad > level.nodes.part->global_size / nodes_per_bad_value) {
            console.line(fmt::format(
                "Validation of MG level {} failed: {} incorrect values in 'variables' array",
                level.index, bad));
            result.passed = false;
            break;
        }
    }
    console.line(result.passed ? "Result correct\nValidation passed" : "Validation failed");
    return result;
}

}  // namespace halocline::mgcfd
