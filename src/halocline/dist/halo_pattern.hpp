// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pairs of send and receive lists from what each rank holds as halo.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/dist/local_order.hpp"

namespace halocline::dist {

/// Each rank tells the owners which elements it holds as halo; owners answer by listing them to
/// send. `final_index` is the final by provisional index. Collective.
[[nodiscard]] HaloPattern build_halo_pattern(const Communicator& comm, const LocalIds& ids,
                                             const HaloOwners& halo,
                                             const Buffer<LocalIndex>& final_index);

}  // namespace halocline::dist
