// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the machine can do at best: memory, link between host and device, network card.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::p2p {

/// Bytes a second of the parts that a message passes, measured in this run.
struct Limits {
    double triad_bytes_per_s = 0.0;                    ///< 24 bytes an element, one rank
    std::map<std::size_t, double> memcpy_bytes_per_s;  ///< by size, one rank, repeated
    double to_host_bytes_per_s = 0.0;                  ///< device to pinned memory; 0: no device
    double to_device_bytes_per_s = 0.0;
    double on_device_bytes_per_s = 0.0;
    std::optional<double> network_bytes_per_s;  ///< rate of the card, when ranks are on hosts
    std::string network_evidence;
};

[[nodiscard]] double measure_memcpy(std::size_t bytes, double time_s);
[[nodiscard]] double measure_triad();
/// Best of copies of 1 to 64 MiB, each with a wait.
[[nodiscard]] double measure_copy(Device& device, CopyDirection direction);

/// The limit of a path for messages of `bytes`, and its name for people.
struct Ceiling {
    double bytes_per_s = 0.0;  ///< 0: unknown
    std::string name;
};
[[nodiscard]] Ceiling ceiling_of(const std::string& path, std::size_t bytes, const Limits& limits,
                                 bool one_host);

}  // namespace halocline::p2p
