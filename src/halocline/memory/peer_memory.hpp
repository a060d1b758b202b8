// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device memory that the devices of other ranks write to by themselves, over NVLink or PCIe.
#pragma once

#include <mpi.h>

#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/memory/device.hpp"

namespace halocline {

/// Memory of this rank's device and, opened here, that of every other rank of a communicator.
class PeerMemory {
public:
    /// `bytes` of this rank's device, set to zero; ranks may differ in how many they want. Throws the
    /// same error on all ranks when one of them cannot open the memory of another. Collective; `device`
    /// outlives the memory.
    PeerMemory(const Communicator& comm, Device& device, std::size_t bytes);
    /// After all work that uses it. Waits for the other ranks, which may still write here.
    ~PeerMemory();
    PeerMemory(const PeerMemory&) = delete;
    PeerMemory& operator=(const PeerMemory&) = delete;

    /// The memory of this rank's device.
    [[nodiscard]] std::byte* own() const { return own_.data(); }
    /// Where kernels of this rank's device find the memory of `rank`.
    [[nodiscard]] std::byte* of(int rank) const { return all_[static_cast<std::size_t>(rank)]; }

private:
    void close_others() noexcept;

    MPI_Comm comm_;
    int rank_;
    Device& device_;
    SpaceBuffer own_;
    std::vector<std::byte*> all_;  ///< by rank; null: not opened
};

/// Whether the devices of all ranks can write to each other's memory, found out by opening some.
/// `device` is null on ranks without one. Collective.
[[nodiscard]] Capability find_peer_access(const Communicator& comm, Device* device);

}  // namespace halocline
