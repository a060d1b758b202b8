// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From a loop or a chain to the back end of the context; the same for all kernels.
#pragma once

#include <span>

#include "halocline/backend/device/launch/dispatch.hpp"
#include "halocline/backend/loop_call.hpp"
#include "halocline/core/function_ref.hpp"

namespace halocline::detail {

/// Runs a loop by itself. `form` and `loops`: what `device::run_form` takes. Collective.
void run_loop(Context& context, const LoopCall& call, device::FormSlot& form, const void* loops);

/// Runs loops one after the other, or fused by `fused`. Collective.
void run_loops(Context& context, const LoopName& name, const SetPart& set,
               std::span<const LoopCall> calls, device::FormSlot& form, const void* loops,
               FunctionRef<void()> fused);

/// Whether an update of globals was done on the context's device, or need not be done now; if not, it finds
/// all it needs on the host. `form` and `update`: what `device::run_form` takes.
[[nodiscard]] bool update_on_device(Context& context, const LoopName& name, ArgUses uses,
                                    device::FormSlot& form, const void* update);

}  // namespace halocline::detail
