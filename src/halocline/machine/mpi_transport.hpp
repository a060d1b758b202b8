// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How MPI really moves the bytes, as far as the library and the kernel report it, and how that is known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// One thing found out about the machine and its libraries.
struct Evidence {
    std::string what;    ///< what it is about
    std::string value;   ///< what was found
    std::string source;  ///< how it is known
};

/// Library, its communication components, their settings. Of rank 0, the same on all.
[[nodiscard]] std::vector<Evidence> describe_transport(const Communicator& comm);

/// Components of Open MPI or UCX named in a listing of loaded files (/proc/self/maps).
[[nodiscard]] std::vector<std::string> components_in(const std::string& maps,
                                                     const std::string& framework);

/// Bytes sent by each network interface of this host, InfiniBand ports too.
[[nodiscard]] std::map<std::string, std::int64_t> bytes_sent_by_interface();

/// Sentence on what the interfaces did while `payload_bytes` travelled.
[[nodiscard]] std::string traffic_sentence(const std::map<std::string, std::int64_t>& before,
                                           const std::map<std::string, std::int64_t>& after,
                                           std::int64_t payload_bytes);

/// Whether MPI says or shows that it takes device pointers; `evidence` says how.
struct GpuAwareness {
    bool aware = false;    ///< whether MPI takes device pointers
    std::string evidence;  ///< how that is known
};
/// `transport` is what `describe_transport` found.
[[nodiscard]] GpuAwareness query_gpu_awareness(const std::vector<Evidence>& transport);

/// GPUDirect RDMA piece by piece: driver module, network card, GDRCopy.
[[nodiscard]] std::vector<Evidence> rdma_evidence();

}  // namespace halocline
