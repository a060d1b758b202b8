// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Agreement on failure by a barrier that does not wait for ever.
#include "halocline/core/failure.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/launcher.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"

namespace halocline {

namespace {

constexpr double patience_s = 2.0;

struct Failure {
    int code = 0;
    std::string message;
};

Failure call(const Communicator& comm, int argc, char** argv,
             const std::function<int(const Communicator&, int, char**)>& program) {
    const int failed = static_cast<int>(ExitCode::run_failed);
    try {
        return {program(comm, argc, argv), ""};
    } catch (const Error& error) {
        return {static_cast<int>(error.code()), error.what()};
    } catch (const std::bad_alloc&) {
        return {
            static_cast<int>(ExitCode::environment),
            "out of memory (this rank's share does not fit). Use more ranks or a larger machine."};
    } catch (const std::exception& error) {
        return {failed, error.what()};
    } catch (...) {
        return {failed,
                "the program threw what is no exception (its type does not derive from "
                "std::exception, so that nothing more is known). Throw one that does."};
    }
}

/// True when every rank of `comm` arrived within the patience.
bool all_arrive(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Ibarrier(comm, &request) != MPI_SUCCESS) {
        return false;
    }
    int done = 0;
    for (const double start_s = wall_seconds(); wall_seconds() - start_s < patience_s;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) {
            return true;
        }
        usleep(1000);
    }
    return false;
}

}  // namespace

int run_mpi_program(int argc, char** argv, int thread_level, const char* name,
                    const std::function<int(const Communicator&, int, char**)>& program) {
    end_with_launcher();
    try {
        const MpiEnvironment environment(argc, argv, thread_level);
        const Communicator comm(MPI_COMM_WORLD);
        MPI_Comm failure_comm = MPI_COMM_NULL;
        check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &failure_comm), "MPI_Comm_dup");
        const Failure failure = call(comm, argc, argv, program);
        if (!failure.message.empty()) {
            const bool together = all_arrive(failure_comm);
            if (!together || comm.is_root()) {
                std::fflush(stdout);
                print(stderr, "{}: {}\n", name, failure.message);
            }
            if (!together) {
                MPI_Abort(MPI_COMM_WORLD, failure.code);
            }
        }
        MPI_Comm_free(&failure_comm);
        return finish_output(name, failure.code);
    } catch (const Error& error) {
        print(stderr, "{}: {}\n", name, error.what());
        return static_cast<int>(error.code());
    }
}

}  // namespace halocline
