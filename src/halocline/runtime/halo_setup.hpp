// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The halo exchange of ranks on cores and on devices: which schemes there are, and which is usual.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/runtime/rank_device.hpp"

namespace halocline {

/// What moves halos best between these ranks, without a measurement: p2p on cores, peer where every rank
/// has a GPU, none takes turns on one, and they reach each other's memory, else packed.
[[nodiscard]] std::string usual_halo_scheme(const RankDevice& rank);

/// Throws UsageError with the nearest name unless these ranks know the scheme, or "auto".
void check_halo_scheme_name(const RankDevice& rank, const std::string& name);

/// The schemes that these ranks can use, and what their MPI library can do.
struct HaloCandidates {
    std::vector<HaloCandidate> schemes;    ///< the first is the default
    Capability mpi_takes_device_pointers;  ///< asked for where a rank has a device

    /// The scheme of this name. Throws EnvironmentError when `rank` cannot use it.
    [[nodiscard]] const HaloCandidate& find(const std::string& name, const RankDevice& rank) const;
};

/// `comm` outlives what the candidates make. Collective.
[[nodiscard]] HaloCandidates halo_candidates(
    const Communicator& comm, const RankDevice& rank,
    const std::optional<NetworkModel>& network = std::nullopt);

/// The scheme that HALOCLINE_HALO names, else the usual one. Throws UsageError for a name that is none,
/// EnvironmentError for a scheme that these ranks cannot use. Collective.
[[nodiscard]] HaloCandidate halo_of_environment(const Communicator& comm, const RankDevice& rank);

/// Throws RunError when the scheme brings other values than the default one of hosts, or other bytes
/// than predicted; `instead` is the scheme to choose then. Collective.
void require_correct(const Communicator& comm, std::span<const HaloSample> samples,
                     const HaloCandidate& candidate, const std::string& instead,
                     const OptionSpellings& words);

}  // namespace halocline
