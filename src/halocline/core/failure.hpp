// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a program ends when something goes wrong: one message, the right exit code, all ranks down.
#pragma once

#include <functional>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Initialises MPI, calls `program(comm, argc, argv)` on MPI_COMM_WORLD and returns its exit code.
///
/// An error that all ranks meet is printed once, by rank 0, and every rank returns its code. An error
/// that only some ranks meet would leave the others waiting: the rank prints it and aborts the job
/// when the others have not joined it within two seconds. Call `guard_streams` (print.hpp) first.
int run_mpi_program(int argc, char** argv, int thread_level, const char* name,
                    const std::function<int(const Communicator&, int, char**)>& program);

}  // namespace halocline
