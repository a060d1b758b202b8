// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo schemes tried out on the lists that a run will exchange, on hosts and on devices: right first,
// then fast.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"
#include "halocline/memory/device.hpp"

namespace halocline {

/// Dats of one set that travel together, and how often they do in the unit that is measured.
struct HaloSample {
    const SetPart* set = nullptr;  ///< the set of the dats; outlives the sample
    int dim = 1;                   ///< values of an element, all dats together
    int repeats = 1;               ///< exchanges in the unit that is measured, such as a cycle
};

/// A scheme as this rank takes part in it. Ranks of one job may differ in where their values lie, not
/// in the names of what they try.
struct HaloCandidate {
    std::string name;  ///< of the scheme, as flags and records have it
    std::function<std::unique_ptr<HaloExchange>()> make;  ///< makes the exchange; collective
    /// What one exchange of these items costs this rank.
    std::function<HaloLedger(std::span<const HaloItem>)> predict;
    Device* device = nullptr;   ///< where values lie; null: on the host
    Stream* compute = nullptr;  ///< whose work sees the new values; the host does when it is done
};

/// Values on the host, over the network as it is or as modelled.
[[nodiscard]] std::vector<HaloCandidate> host_candidates(
    const Communicator& comm, const std::optional<NetworkModel>& network = std::nullopt,
    std::span<const dist::HaloScheme> schemes = dist::halo_schemes());

/// What one scheme did with the samples; equal on all ranks.
struct HaloTrial {
    std::string scheme;    ///< name of the candidate
    bool correct = false;  ///< all bits arrived, and the ledger is the predicted one
    double seconds = 0.0;  ///< all samples with their repeats, slowest rank, median of the rounds
    double noise_s = 0.0;  ///< half the distance between the quartiles of the rounds
    HaloLedger counts;     ///< exchanges, messages and bytes of one round, sum over ranks
    std::string verdict;   ///< kept, slower, rejected and why
};

/// The scheme that a run takes, and what was measured; equal on all ranks.
struct HaloChoice {
    std::string scheme;             ///< name of the candidate that was chosen
    std::string reason;             ///< why, in one sentence
    int rounds = 0;                 ///< in which all correct candidates were timed
    std::vector<HaloTrial> trials;  ///< one for each candidate, in their order
};

/// What one exchange of `samples` (once each) sends from this rank, from the patterns alone.
[[nodiscard]] HaloLedger predict_exchange(std::span<const HaloSample> samples);

/// Sends known bit patterns by a candidate and compares what arrives, bit for bit, with what the
/// default scheme of hosts brings, and its ledger with the prediction. Returns what is wrong, empty
/// when nothing is. Throws RunError when the default scheme itself is wrong. Collective.
[[nodiscard]] std::string find_halo_defect(const Communicator& comm,
                                           std::span<const HaloSample> samples,
                                           const HaloCandidate& candidate);

/// Tries the candidates (the first is the default) in turns and keeps the fastest right one; the
/// default where the gain is within the noise. Takes about half a second at most on a usual network.
/// Collective.
[[nodiscard]] HaloChoice choose_halo_scheme(const Communicator& comm,
                                            std::span<const HaloSample> samples,
                                            std::span<const HaloCandidate> candidates);

}  // namespace halocline
