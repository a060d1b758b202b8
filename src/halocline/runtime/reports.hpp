// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a mesh was divided and where the time of loops went, for programs to read and to print.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/loop/loop_table.hpp"

namespace halocline {

/// One set over all ranks.
struct SetReport {
    std::string name;                ///< as declared
    GlobalIndex size = 0;            ///< elements over all ranks
    std::int64_t halo_elements = 0;  ///< copies on other ranks, sum over ranks
    std::int64_t largest_part = 0;   ///< owned elements of the largest part
};

/// How a mesh was divided; equal on all ranks.
struct MeshReport {
    DistributeReport division;    ///< by whom, how well, how long it took
    std::vector<SetReport> sets;  ///< as declared
};

/// One loop, or chain, over all ranks; equal on all ranks.
struct LoopReport {
    std::string name;             ///< with its grid level, where there is one
    std::string set;              ///< looped over
    std::string strategy;         ///< of rank 0's last call
    std::string reason;           ///< why that one; empty where nothing was chosen
    std::int64_t calls = 0;       ///< of each rank
    double seconds = 0.0;         ///< of the slowest rank, halo exchanges included
    std::int64_t elements = 0;    ///< over all ranks and calls
    std::int64_t bytes = 0;       ///< over all ranks and calls, by count
    std::int64_t halo_bytes = 0;  ///< sent in the exchanges that the loop began
};

/// Collective.
[[nodiscard]] MeshReport describe_mesh(const Communicator& comm, const MeshPart& part,
                                       const DistributeReport& division);

/// Slowest first. Throws ContractError on every rank when ranks ran different loops. Collective.
[[nodiscard]] std::vector<LoopReport> describe_loops(const Communicator& comm,
                                                     const LoopTable& table);

/// A few lines, each with its end.
[[nodiscard]] std::string to_text(const MeshReport& report);
/// A table, a line a loop.
[[nodiscard]] std::string to_text(const std::vector<LoopReport>& loops);

}  // namespace halocline
