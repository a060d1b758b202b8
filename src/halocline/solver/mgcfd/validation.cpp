// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the stored solution level by level and tells how far the state is from it.
#include "halocline/solver/mgcfd/validation.hpp"

#include <fmt/core.h>

#include "halocline/core/error.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/result_names.hpp"
#include "halocline/solver/mgcfd/difference.hpp"

namespace halocline::mgcfd {

namespace {

constexpr std::int64_t nodes_per_bad_value = 5000;

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
        result.differences.push_back(difference_of(comm, level, reference));
        console.line(words_of(result.differences.back()));
        const std::int64_t bad = result.differences.back().over;
        result.bad_values.push_back(bad);
        if (bad > level.nodes.part->global_size / nodes_per_bad_value) {
            console.line(fmt::format(
                "Validation of MG level {} failed: {} incorrect values in 'variables' array",
                level.index, bad));
            result.passed = false;
        }
    }
    console.line(result.passed ? "Result correct\nValidation passed" : "Validation failed");
    return result;
}

}  // namespace halocline::mgcfd
