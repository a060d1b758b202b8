// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What an exchange of one list of items needs again and again, behind one interface.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <span>

#include "halocline/mesh/halo.hpp"

namespace halocline::dist {

/// Moves the values of one list of items, once a round: begin, progress as often as one likes, end.
/// Remembers sizes, no addresses: items may lie elsewhere from call to call.
class HaloPlan {
public:
    virtual ~HaloPlan() = default;

    /// Nothing to send or to receive on this rank.
    [[nodiscard]] virtual bool empty() const noexcept = 0;
    /// Opens the receives and starts packing and sending.
    virtual void begin(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Moves on what can move; returns whether all is done on this rank.
    virtual bool progress(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Waits for all of it; then halo values are stored, and what was sent may change.
    virtual void end(std::span<const HaloItem> items, HaloLedger& ledger) = 0;
    /// Adds what one round sends, as `begin` does, and does nothing else. Of plans that are queued.
    virtual void count(HaloLedger& /*ledger*/) const {}
};

/// Makes the plan of one list of items. Called by all ranks together.
using HaloPlanMaker =
    std::function<std::unique_ptr<HaloPlan>(MPI_Comm comm, std::span<const HaloItem> items)>;

}  // namespace halocline::dist
