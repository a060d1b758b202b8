// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The check back end: serial, and every kernel call is repeated to prove its access descriptors.
#pragma once

#include "halocline/backend/check/checked_kernel.hpp"
#include "halocline/backend/context.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// Each element runs several times. First with poison in what the kernel declares to write; then with
/// another value there and NaN where it declares to add; then with each sum started far away;
/// a kernel that promises to be swap_symmetric also with the ends exchanged. Results that differ,
/// poison that stays and sums that are not NaN prove a kernel that does something else than it
/// declares. Halos that are not up to date hold poison, so that a missing exchange shows; those that
/// are said to be are compared with their owners' values. Throws on all ranks, naming loop, element
/// and argument. Collective.
void run_checked(Context& context, const LoopName& name, const SetPart& set, ArgUses uses,
                 CheckedKernel& kernel);

}  // namespace halocline::detail
