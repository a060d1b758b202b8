// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop as the code sees it that chooses back ends and variants: data, and the functions that its type
// compiles. That code is compiled once, not with every loop.
#pragma once

#include "halocline/backend/openmp/loop_binding.hpp"
#include "halocline/backend/openmp/strategy.hpp"

namespace halocline::detail {

/// In which of several ways to run a loop by packs.
struct VectorWay {
    LargeWrites large_writes = LargeWrites::past_caches;
    bool one_by_one = false;  ///< elements of ranges of targets
};

/// The functions that a type of loops compiles. `loop` is of that type.
struct LoopWays {
    /// Element by element on compact rows: the serial back end.
    void (*run_serial)(Context& context, const void* loop);
    /// Element by element on dats as they lie; the same function where they are compact rows and nothing is
    /// shared. Null: two-ended loops have none, as most gain from packs, and each would compile two more.
    void (*run_elements)(Context& context, const void* loop);
    StrategyChoice (*run_vector)(Context& context, const void* loop, VectorWay way);
    void (*run_checked)(Context& context, const void* loop);
    const ArgBinding* bindings;  ///< of its arguments
    /// Whether ranges of targets may take their elements one by one.
    bool may_take_one_by_one;
};

/// One call of a loop.
struct LoopCall {
    LoopData data;
    const LoopWays& ways;
    const void* loop;
};

}  // namespace halocline::detail
