// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks over threads, the halo exchange hidden behind core blocks; the same code for all loops.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/function_ref.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::detail {

/// Blocks that follow each other, and the number of the thread that runs them; 0 is the one that calls.
struct BlockRun {
    LocalIndex begin;
    LocalIndex end;
    int thread;
};

/// What a loop does with some of its blocks. Threads call it beside each other.
using BlockWork = FunctionRef<void(const BlockRun& run)>;

/// All blocks of the first `elements` of `set` in ranges of `grain`; blocks of core elements run while
/// stale halos travel. Collective.
void run_overlapped(Context& context, const SetPart& set, LocalIndex elements, LocalIndex grain,
                    const std::vector<DatStore*>& halo_reads, BlockWork work);

}  // namespace halocline::detail
