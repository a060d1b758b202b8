// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Opens everyone's memory once; what is written there is the business of kernels.
#include "halocline/memory/peer_memory.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// The driver shares whole pages of 2 MiB: nothing else of this process may lie in them.
constexpr std::size_t shared_page = std::size_t{2} << 20;

std::size_t whole_shared_pages(std::size_t bytes) {
    return (bytes + shared_page - 1) / shared_page * shared_page;
}

constexpr std::size_t handle_words = sizeof(IpcHandle) / sizeof(std::int64_t);

}  // namespace

PeerMemory::PeerMemory(const Communicator& comm, Device& device, std::size_t bytes)
    : comm_(comm.get()), rank_(comm.rank()), device_(device) {
    IpcHandle handle;
    run_agreed(comm, [&] {
        const Capability capability = device.can_share();
        validate<EnvironmentError>(capability.possible, capability.evidence);
        own_ = SpaceBuffer(MemoryKind::device, whole_shared_pages(bytes), &device);
        const auto stream = device.make_stream();
        stream->clear(own_.data(), own_.size_bytes());
        stream->synchronize();
        handle = device.share(own_.data());
    });
    std::array<std::int64_t, handle_words> words{};
    std::memcpy(words.data(), handle.bytes.data(), sizeof handle);
    const std::vector<std::int64_t> all = comm.all_gather(std::span<const std::int64_t>(words));
    all_.assign(static_cast<std::size_t>(comm.size()), nullptr);
    all_[static_cast<std::size_t>(rank_)] = own_.data();
    try {
        run_agreed(comm, [&] {
            for (std::size_t r = 0; r < all_.size(); ++r) {
                if (all_[r] == nullptr) {
                    std::memcpy(handle.bytes.data(), &all[r * handle_words], sizeof handle);
                    all_[r] = static_cast<std::byte*>(device.open(handle));
                }
            }
        });
    } catch (const Error&) {
        close_others();
        throw;
    }
}

void PeerMemory::close_others() noexcept {
    for (std::size_t r = 0; r < all_.size(); ++r) {
        if (static_cast<int>(r) != rank_ && all_[r] != nullptr) {
            device_.close(all_[r]);
        }
    }
}

PeerMemory::~PeerMemory() {
    close_others();
    if (may_free_collectively()) {
        MPI_Barrier(comm_);
    }
}

Capability find_peer_access(const Communicator& comm, Device* device) {
    const bool all_have_one = comm.min(std::int64_t{device == nullptr ? 0 : 1}) == 1;
    if (device == nullptr || !all_have_one) {
        return {false, "some ranks of this job have no device"};
    }
    if (!comm.is_on_one_host()) {
        return {false, "the ranks are on several hosts"};
    }
    try {
        const PeerMemory tried(comm, *device, 1);
        return {true, "every rank opened the memory of every other one's device"};
    } catch (const Error& error) {
        return {false, error.what()};
    }
}

}  // namespace halocline
