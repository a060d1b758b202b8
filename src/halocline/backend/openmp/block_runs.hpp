// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks over threads, the halo exchange hidden behind core blocks; the same code for all loops.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/function_ref.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::detail {

/// A contiguous part of the blocks. Parts are numbered; part 0 is run by the thread that calls.
struct BlockRun {
    LocalIndex begin;
    LocalIndex end;
    int part;
    Context* messages = nullptr;  ///< whose messages fly; this part's thread progresses them
};

/// What a loop does with some of its blocks. Threads call it beside each other.
using BlockWork = FunctionRef<void(const BlockRun& run)>;

/// All blocks of the first `elements` of `set` in ranges of `grain`; blocks of core elements run while
/// stale halos travel. Collective.
void run_overlapped(Context& context, const SetPart& set, LocalIndex elements, LocalIndex grain,
                    const std::vector<DatStore*>& halo_reads, BlockWork work);

}  // namespace halocline::detail
