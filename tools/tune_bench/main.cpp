// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-tune-bench: `describe OUT` or `measure JOB OUT`, started by `halocline tune`.
#include "describe.hpp"
#include "measure.hpp"

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace halocline::tune_bench;

constexpr int usage_error = 2, input_error = 3;

/// Rank 0 reads: other hosts may not see the file.
std::string read_everywhere(const std::string& path, int rank) {
    std::string text;
    long long size = -1;
    if (rank == 0) {
        std::ifstream file(path);
        if (file) {
            text.assign(std::istreambuf_iterator<char>(file), {});
            size = static_cast<long long>(text.size());
        }
    }
    MPI_Bcast(&size, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    if (size < 0) {
        throw std::runtime_error(path + ": cannot be read. Use halocline tune.");
    }
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
}

int run(int argc, char** argv, int rank) {
    const std::string verb = argc > 1 ? argv[1] : "";
    try {
        if (verb == "describe" && argc == 3) {
            Output output(rank == 0 ? argv[2] : "");
            describe(output);
            return 0;
        }
        if (verb == "measure" && argc == 4) {
            const Job job = parse_job(read_everywhere(argv[2], rank));
            Output output(rank == 0 ? argv[3] : "");
            measure(job, output);
            return 0;
        }
    } catch (const std::exception& error) {
        if (rank == 0) {
            std::fprintf(stderr, "halocline-tune-bench: %s\n", error.what());
        }
        return input_error;
    }
    if (rank == 0) {
        std::fputs("usage: halocline-tune-bench describe OUT | measure JOB OUT\n", stderr);
    }
    return usage_error;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    MPI_Init(&argc, &argv);
    // Within MPI: Open MPI 4.1 crashes at the end where the tools interface outlives it.
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int code = run(argc, argv, rank);
    if (code == input_error) {
        MPI_Abort(MPI_COMM_WORLD, code);  // an error of one rank may leave others waiting
    }
    MPI_T_finalize();
    MPI_Finalize();
    return code;
}
