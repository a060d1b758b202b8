// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo schemes tried out on the lists that a run will exchange: right first, then fast.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/halo_exchange.hpp"
#include "halocline/dist/halo_transport.hpp"

namespace halocline {

/// Dats of one set that travel together, and how often they do in the unit that is measured.
struct HaloSample {
    const SetPart* set = nullptr;
    int dim = 1;
    int repeats = 1;
};

/// What one scheme did with the samples; equal on all ranks.
struct HaloTrial {
    std::string scheme;
    bool correct = false;
    double seconds = 0.0;  ///< all samples with their repeats, slowest rank, median of the rounds
    double noise_s = 0.0;  ///< half the distance between the quartiles of the rounds
    HaloLedger counts;     ///< exchanges, messages and bytes of one round, sum over ranks
    std::string verdict;   ///< kept, slower, rejected and why
};

struct HaloChoice {
    std::string scheme;
    std::string reason;  ///< one sentence
    int rounds = 0;
    std::vector<HaloTrial> trials;
};

/// What one exchange of `samples` (once each) sends from this rank, from the patterns alone.
[[nodiscard]] HaloLedger predict_exchange(std::span<const HaloSample> samples);

/// Sends known bit patterns by `scheme` and compares what arrives, bit for bit, with what the default
/// scheme brings, and its ledger with the prediction. Returns what is wrong, empty when nothing is.
/// Throws RunError when the default scheme itself is wrong. Collective.
[[nodiscard]] std::string find_halo_defect(const Communicator& comm,
                                           std::span<const HaloSample> samples,
                                           const dist::HaloScheme& scheme);

/// Tries `schemes` (the first is the default) in turns and keeps the fastest right one; the default
/// where the gain is within the noise. Takes about half a second at most on a usual network.
/// Collective.
[[nodiscard]] HaloChoice choose_halo_scheme(
    const Communicator& comm, std::span<const HaloSample> samples,
    const std::optional<NetworkModel>& network = std::nullopt,
    std::span<const dist::HaloScheme> schemes = dist::halo_schemes());

}  // namespace halocline
