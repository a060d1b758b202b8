// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The run's halo exchange: its scheme as asked for or as measured, and its part of the record.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/devices.hpp"
#include "halocline/run/options.hpp"

namespace halocline::run {

/// Who exchanges halos, and where choices are reported.
struct HaloWork {
    const Communicator& comm;
    const Options& options;
    const RankDevice& rank;
    const Console& console;
};

struct HaloSetup {
    std::unique_ptr<HaloExchange> exchange;
    record::Halo record;  ///< scheme, trials and prediction; the ledger follows at the end
};

/// The scheme that the options ask for, or `auto`: a scheme of devices when one takes part in the job.
/// Unless asked for, it is p2p on cores, peer where every rank has a GPU, none takes turns on one, and
/// they reach each other's memory, else packed. Throws UsageError with the nearest known one, and for
/// flags that exclude each other.
[[nodiscard]] std::string wanted_halo_scheme(const Options& options, const RankDevice& rank,
                                             const Console& console);

/// Makes the exchange of scheme `wanted`. Any scheme but the default of hosts is checked bit for bit
/// and copy by copy first; `auto` measures them all on what
/// one step exchanges and prints the table.
/// Throws RunError when the named scheme is wrong, EnvironmentError when it is not possible here.
/// Collective.
[[nodiscard]] HaloSetup set_up_halo(const HaloWork& work, const std::string& wanted,
                                    std::span<const HaloSample> exchanges);

/// Adds what the exchange did since `before` to its record. Collective.
void collect_ledger(const Communicator& comm, const HaloExchange& exchange,
                    const HaloLedger& before, record::Halo& record);

/// A ledger over all ranks: exchanges of one rank, counts summed, times averaged. Collective.
[[nodiscard]] record::HaloCounts sum_ledger(const Communicator& comm, const HaloLedger& ledger);

}  // namespace halocline::run
