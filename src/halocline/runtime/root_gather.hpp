// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The values of a dat on one rank.
#pragma once

#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// All values of a dat, (elements, dim) by global index, on rank 0; empty on the others. Rank 0 holds
/// the result and the share of one other rank at a time. Collective.
template <Element T>
[[nodiscard]] std::vector<T> rows_at_root(const Communicator& comm, const DatStoreOf<T>& store);

}  // namespace halocline
