// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chunks of elements that scatter over threads, the halo exchange hidden behind those for core targets; the
// same code for all loops.
#pragma once

#include <cstddef>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/function_ref.hpp"
#include "halocline/loop/scatter_plan.hpp"

namespace halocline::detail {

/// A chunk, and how a thread runs it.
struct ChunkRun {
    LocalIndex chunk;
    bool is_beside;     ///< the chunk before it may be at work
    double* kept;       ///< room for what waits; null where nothing does
    Context* messages;  ///< whose messages fly; this thread progresses them; or null
};

/// What a loop does with its chunks. Threads call it beside each other.
struct ChunkWork {
    /// Doubles that a chunk keeps for an element that may have to wait.
    std::size_t kept_doubles;
    /// Runs the chunk's elements.
    FunctionRef<void(const ChunkRun& run)> change;
    /// Adds what the chunk kept: `is_far` for the targets that lead far, or for the others.
    FunctionRef<void(const ChunkRun& run, bool is_far)> add_kept;
};

/// All chunks of a plan; those for core targets run while stale halos travel. Collective.
void run_chunks(Context& context, const ScatterPlan& plan, const std::vector<DatStore*>& halo_reads,
                const ChunkWork& work);

}  // namespace halocline::detail
