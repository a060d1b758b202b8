// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halos of the check back end: what counts as up to date is proved to be.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"

namespace halocline::detail {

/// Brings the halos of `stores` up to date for a loop. Halos that count as up to date travel like the
/// others, and what comes must be what is there: who changed values behind the library's back left
/// them old. Throws on all ranks, naming loop, dat and element. Collective.
void exchange_checked(Context& context, const LoopName& loop, std::vector<DatStore*> stores);

}  // namespace halocline::detail
