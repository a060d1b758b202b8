// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What this process runs on: threads it may use, its host, its MPI library.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.hpp"

namespace halocline::run {

/// Threads of a rank, the same on every rank that has them.
struct Threads {
    int asked = 1;
    int given = 1;  ///< no more than OpenMP's limit; on a busy machine loops may still get fewer
};

/// Threads for this rank; by default OMP_NUM_THREADS, else the rank's share of the cores it is
/// bound to; one for back ends without threads, whose ranks need one core each. The smallest number of
/// all ranks with threads. Collective.
[[nodiscard]] Threads choose_threads(const Communicator& comm, int requested,
                                     bool threaded_backend);

/// Threads for the set-up of a rank whose loops run on a device: its share of the cores it is bound to, no
/// more than `requested` or OMP_NUM_THREADS where they say so. Collective.
[[nodiscard]] int choose_set_up_threads(const Communicator& comm, int requested);

/// Hosts of all ranks, in rank order. Collective.
[[nodiscard]] std::vector<record::Host> describe_hosts(const Communicator& comm);

[[nodiscard]] record::Mpi describe_mpi();

/// STREAM triad a = b + s c on all threads of all ranks at once, in 1e9 bytes a second (24 bytes an
/// element). The three arrays of a rank are four times its share of the last-level caches: they come
/// from main memory and fit into what a run that is long enough to measure has given back. Best of ten.
/// Collective.
[[nodiscard]] double measure_triad(const Communicator& comm, int threads);

}  // namespace halocline::run
