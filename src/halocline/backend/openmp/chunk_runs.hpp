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

/// What the elements of a chunk contribute later, in their order, and how much there is so far.
struct KeptRows {
    double* begin = nullptr;
    double* end = nullptr;
};

/// A chunk, and how a thread runs it.
struct ChunkRun {
    LocalIndex chunk;
    bool is_beside;     ///< the chunk before it may be at work
    KeptRows& near;     ///< for targets that the chunk before and no other earlier one reaches
    KeptRows& far;      ///< for targets that lead far
    Context* messages;  ///< whose messages fly; this thread progresses them; or null
};

/// What a loop does with its chunks. Threads call it beside each other.
struct ChunkWork {
    std::size_t kept_doubles;                          ///< that an element may keep
    FunctionRef<void(const ChunkRun& run)> change;     ///< runs the chunk's elements
    FunctionRef<void(const KeptRows& rows)> add_kept;  ///< adds what they kept
};

/// All chunks of a plan; those for core targets run while stale halos travel. Collective.
void run_chunks(Context& context, const ScatterPlan& plan, const std::vector<DatStore*>& halo_reads,
                const ChunkWork& work);

}  // namespace halocline::detail
