// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-cores: what busy cores of a host do to each other; see docs/cores.md.
#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "report.hpp"

namespace {

int run_program(const halocline::Communicator& comm, int argc, char** argv) {
    using namespace halocline::cores;
    const ParsedOptions parsed = parse_options(argc, argv);
    if (!parsed.options) {
        halocline::say("{}", parsed.text);
        return 0;
    }
    halocline::validate<halocline::UsageError>(comm.size() == 1,
                                               "halocline-cores is one process that keeps cores of "
                                               "its host busy. Start it without mpirun, "
                                               "or with one rank that is bound to no core.");
    const Report report = measure(*parsed.options);
    if (!parsed.options->quiet) {
        halocline::say("{}", table_text(report));
    }
    if (!parsed.options->json_file.empty()) {
        halocline::replace_file(parsed.options->json_file, to_json_text(report));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    // Without mpirun Open MPI 4 starts a daemon beside the program, for MPI_Comm_spawn alone.
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "halocline-cores",
                                      run_program);
}
