// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The order of a set's owned elements before core elements are moved to the front.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/migration/migration.hpp"
#include "halocline/dist/order/renumbering.hpp"

namespace halocline::dist {

/// Provisional indices. `owned` is the set's route to its owners, `maps` hold provisional
/// targets, or final ones of sets that have their order, and the declaration still holds the coordinates.
/// `near_halo`: by provisional index, whether it is no core element. Collective.
[[nodiscard]] SetOrder order_owned(const Communicator& comm, const MeshDeclaration& declaration,
                                   const SetRenumbering& renumbering, const Route& owned,
                                   const std::vector<MapPart>& maps,
                                   const std::vector<std::uint8_t>& near_halo);

}  // namespace halocline::dist
