// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/runtime/halo_setup.hpp"

#include <algorithm>
#include <cstdlib>

#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/machine/mpi_transport.hpp"

namespace halocline {

namespace {

/// Why a scheme is not among the candidates, and what to do.
std::string explain_absence(const std::string& name, const RankDevice& rank,
                            const Capability& mpi) {
    const std::string start = "halo scheme '" + name + "' cannot be used (";
    if (name == "peer") {
        return start + rank.peer_access.evidence + "). Choose packed.";
    }
    return start +
           (mpi.possible ? "a device of this job does not let MPI read its memory" : mpi.evidence) +
           "). Choose packed, use an MPI library that takes device pointers, or give " +
           rank.words.assume_gpu_aware + " if you know better.";
}

/// Whether MPI takes device pointers, and how that is known.
Capability ask_mpi(const Communicator& comm, const RankDevice& rank) {
    if (rank.assume_gpu_aware) {
        return {true, rank.words.assume_gpu_aware};
    }
    const GpuAwareness found = query_gpu_awareness(describe_transport(comm));
    return {found.aware, found.evidence};
}

}  // namespace

std::string usual_halo_scheme(const RankDevice& rank) {
    if (!rank.any()) {
        return "p2p";
    }
    const bool at_once = rank.ranks > 1 && run_at_once(rank.gpus);
    return at_once && rank.peer_access.possible ? "peer" : "packed";
}

void check_halo_scheme_name(const RankDevice& rank, const std::string& name) {
    if (rank.any()) {
        check_device_halo_scheme_name(name);
    } else {
        halocline::check_halo_scheme_name(name);
    }
}

HaloCandidates halo_candidates(const Communicator& comm, const RankDevice& rank,
                               const std::optional<NetworkModel>& network) {
    if (!rank.any()) {
        return {host_candidates(comm, network), {}};
    }
    DeviceHaloOptions options;
    if (rank.mixed()) {
        options.blocks = whole_messages();
    }
    options.mpi_takes_device_pointers = ask_mpi(comm, rank);
    options.peer_access = rank.peer_access;
    return {device_candidates(comm, rank.device.get(), rank.compute.get(), options),
            options.mpi_takes_device_pointers};
}

const HaloCandidate& HaloCandidates::find(const std::string& name, const RankDevice& rank) const {
    const auto found =
        std::find_if(schemes.begin(), schemes.end(),
                     [&](const HaloCandidate& candidate) { return candidate.name == name; });
    if (found == schemes.end()) {
        throw EnvironmentError(explain_absence(name, rank, mpi_takes_device_pointers));
    }
    return *found;
}

HaloCandidate halo_of_environment(const Communicator& comm, const RankDevice& rank) {
    const char* const text = std::getenv("HALOCLINE_HALO");
    const std::string wanted = text == nullptr ? "" : text;
    const std::string name = wanted.empty() || wanted == "auto" ? usual_halo_scheme(rank) : wanted;
    check_halo_scheme_name(rank, name);
    return halo_candidates(comm, rank).find(name, rank);
}

void require_correct(const Communicator& comm, std::span<const HaloSample> samples,
                     const HaloCandidate& candidate, const std::string& instead,
                     const OptionSpellings& words) {
    const std::string defect = find_halo_defect(comm, samples, candidate);
    validate<RunError>(defect.empty(), "halo scheme '" + candidate.name +
                                           "' fails its check on this mesh and MPI library (" +
                                           defect + "). Run with " + words.halo_scheme + instead +
                                           ".");
}

}  // namespace halocline
