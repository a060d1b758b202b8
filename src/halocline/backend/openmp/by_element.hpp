// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where packs gain less than they cost, elements run one after the other: on one thread, and in ranges of
// targets on several. On one, what is written past the caches goes through them where that is faster.
#pragma once

#include <span>

#include "halocline/backend/loop_call.hpp"
#include "halocline/core/function_ref.hpp"

namespace halocline::detail {

/// A loop by itself on this rank's threads; returns how it ran, and why so.
StrategyChoice run_on_cores(Context& context, const LoopCall& call);

/// How the loops of a chain ran together, and why so.
struct ChainChoice {
    const char* strategy;
    const char* reason;
};

/// Loops that can be fused, which `fused` does; or each of them element by element, temporaries in memory.
ChainChoice run_fused(Context& context, const LoopName& name, std::span<const LoopCall> calls,
                      FunctionRef<void()> fused);

}  // namespace halocline::detail
