// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that change dats with derived values: whether these follow at once, and who changed what.
#pragma once

#include <cstddef>

#include "halocline/core/function_ref.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// Whether derived values follow at once what a loop changes through this argument.
[[nodiscard]] bool completes_rows(const LoopName& name, const ArgUse& use);
/// Whether they do so for any argument of the loop.
[[nodiscard]] bool completes_rows(const LoopName& name, ArgUses uses);

/// After a loop: what it changed is old from now on, unless `followed(i)`, and these were its changes.
void note_derived_writes(const LoopName& name, ArgUses uses,
                         FunctionRef<bool(std::size_t i)> followed);

}  // namespace halocline::detail
