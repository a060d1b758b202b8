// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What output cost, and how much of it lay behind computation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline::output {

/// Of one rank, or of all: then times are those of the slowest rank.
struct Account {
    std::int64_t writes = 0;         ///< pieces of work: files, steps of a series, checkpoints
    std::int64_t bytes = 0;          ///< of values, all ranks together
    double copied_s = 0.0;           ///< setting values aside, which the loop waits for
    double blocked_s = 0.0;          ///< the loop waited for memory or, in sync mode, for all of it
    double drained_s = 0.0;          ///< the last writes, behind the loop
    double written_s = 0.0;          ///< exchanging rows and writing, wherever that happened
    std::int64_t deepest_queue = 0;  ///< most pieces of work handed over and not done
    int slowest_rank = 0;            ///< the one that exchanged and wrote longest
    std::vector<std::string> files;

    /// Work that the loop did not wait for.
    [[nodiscard]] double hidden_s() const;
    /// What the slowest rank needed; `files` are rank 0's. Collective.
    [[nodiscard]] Account over_ranks(const Communicator& comm) const;
};

}  // namespace halocline::output
