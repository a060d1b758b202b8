// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A way for bytes to get from the memory of one rank to that of another.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/memory/transfer_blocks.hpp"
#include "transfer.hpp"

namespace halocline::p2p {

/// Implementations: host, staged, pipelined, direct, peer.
class Path {
public:
    virtual ~Path() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Where the payload lies at both ends.
    [[nodiscard]] virtual MemoryKind memory() const = 0;
    /// Called before a new plan runs: makes staging memory and opens memory of peers, out of the
    /// timed part. `receive_base` is the allocation that all receives of the plan lie in.
    /// Collective over all ranks.
    virtual void prepare(const Plan& plan, std::byte* receive_base) = 0;
    /// Moves all messages of a phase; returns when sends may be overwritten and receives read.
    virtual void move(const Phase& phase) = 0;
    /// Lets go of memory of peers; they may free it when all ranks have come back. Collective.
    virtual void release(const Communicator& /*comm*/) {}
};

/// What paths are made from.
struct PathContext {
    const Communicator* comm = nullptr;
    Device* device = nullptr;      ///< none: only `host` can be
    TransferBlocks blocks;         ///< for `pipelined`
    std::string mpi_gpu_refusal;   ///< why MPI is not given device pointers; empty: it is
    std::string one_host_refusal;  ///< why ranks cannot open each other's memory; empty: they can
};

/// Every path by name, in the order in which people want to read them.
[[nodiscard]] std::span<const std::string_view> path_names();

/// Why `name` cannot be used here; empty when it can. The same on every rank.
[[nodiscard]] std::string path_refusal(const std::string& name, const PathContext& context);

[[nodiscard]] std::unique_ptr<Path> make_path(const std::string& name, const PathContext& context);

/// Runs one iteration: the phases in order, then the acknowledgement.
void run_plan(Path& path, const Plan& plan, const Communicator& comm);

}  // namespace halocline::p2p
