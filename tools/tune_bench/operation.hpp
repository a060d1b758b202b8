// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One collective with its buffers: what to call, and what must have come of it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace halocline::tune_bench {

/// The ranks that call, and with how much.
struct Call {
    int rank;            // in the communicator
    int members;         // of it
    std::int64_t bytes;  // as docs/formats/snapshot-raw.md counts them for the function
};

/// A collective call that can be repeated. Data differs by rank, piece and place; sums are of whole
/// numbers that every type holds exactly, so any order of additions gives the same.
class Operation {
public:
    virtual ~Operation() = default;

    /// The call; returns MPI's error code. Collective on `comm`.
    virtual int run(MPI_Comm comm) = 0;
    /// Forgets what an earlier call brought.
    virtual void clear() = 0;
    /// Whether the last call brought what it had to.
    virtual bool correct() const = 0;
};

/// The operation of a function without `MPI_`; null where it is not known or the message is too large.
std::unique_ptr<Operation> make_operation(const std::string& function, const Call& call);

}  // namespace halocline::tune_bench
