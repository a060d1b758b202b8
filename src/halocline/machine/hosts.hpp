// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks and their hosts: who is where, and what each has to say.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// This rank's host: its ranks, and those of them that count.
struct HostRanks {
    int rank = 0;     ///< this rank's number among them
    int size = 1;     ///< ranks of the job on this host
    int counted = 0;  ///< those of them that count
};

/// `counts`: whether this rank does. Collective.
[[nodiscard]] HostRanks ranks_on_this_host(const Communicator& comm, bool counts = true);

/// Name of this host.
[[nodiscard]] std::string host_name();

/// Model of this host's processor as the kernel names it; empty where it does not.
[[nodiscard]] std::string cpu_model();

/// Every rank's text, by rank; 255 characters of it. Collective.
[[nodiscard]] std::vector<std::string> gather_texts(const Communicator& comm,
                                                    const std::string& text);

}  // namespace halocline
