// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A device made of host memory: same interface, protected pages, a modelled link. For machines
// without a GPU, and for tests that must find a missing transfer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "halocline/memory/device.hpp"
#include "halocline/memory/protected_memory.hpp"

namespace halocline {

/// Time that a copy holds one direction of the link: latency_s + bytes / bytes_per_s.
/// A bandwidth of 0 models nothing: copies take what they take.
struct LinkModel {
    double latency_s = 0.0;    ///< of a copy
    double bytes_per_s = 0.0;  ///< of one direction; 0: no limit is modelled
    /// Whether copies are held back.
    [[nodiscard]] bool active() const { return bytes_per_s > 0.0 || latency_s > 0.0; }
    /// How long a copy of `bytes` holds one direction.
    [[nodiscard]] double duration_s(std::size_t bytes) const {
        return latency_s + (bytes_per_s > 0.0 ? static_cast<double>(bytes) / bytes_per_s : 0.0);
    }
};

/// What an emulated device is to be like.
struct EmulatedDeviceOptions {
    LinkModel link;  ///< model of the link between host and device
    /// Pretend that MPI takes device pointers: MPI then gets the hidden address.
    bool mpi_access = false;
    int index = 0;  ///< number that it says it has
    /// Device memory there is; 0: as much as the host has.
    std::int64_t memory_bytes = 0;
};

namespace detail {
/// When each direction of the link is free again, in modelled time; shared by all streams.
class LinkClock {
public:
    explicit LinkClock(LinkModel model) : model_(model) {}
    /// Books a copy submitted at `submitted_s`; returns when it ends.
    double book(CopyDirection direction, std::size_t bytes, double submitted_s);
    [[nodiscard]] bool active() const { return model_.active(); }

private:
    LinkModel model_;
    std::mutex mutex_;
    std::array<double, 3> free_at_s_{};
};
}  // namespace detail

namespace detail {
struct StreamProgress;
}

/// A device made of host memory: kernels run on threads of the host, the program cannot reach
/// device memory by mistake.
class EmulatedDevice final : public Device {
public:
    /// Makes a device with memory, streams and a link of its own.
    explicit EmulatedDevice(EmulatedDeviceOptions options = {});
    ~EmulatedDevice() override;

    [[nodiscard]] DeviceInfo info() const override;
    [[nodiscard]] bool is_emulated() const noexcept override { return true; }
    [[nodiscard]] void* allocate(MemoryKind kind, std::size_t bytes) override;
    /// Waits for the work of all streams, as CUDA does: it may still use the memory.
    void release(MemoryKind kind, void* memory, std::size_t bytes) noexcept override;
    [[nodiscard]] std::unique_ptr<Stream> make_stream() override;
    [[nodiscard]] std::unique_ptr<Event> make_event() override;
    [[nodiscard]] std::unique_ptr<StreamTimer> make_timer() override;
    void begin_capture(Stream& stream) override;
    [[nodiscard]] std::unique_ptr<Graph> end_capture(Stream& stream) override;
    [[nodiscard]] Capability can_share() const override;
    [[nodiscard]] IpcHandle share(void* device_memory) override;
    [[nodiscard]] void* open(const IpcHandle& handle) override;
    void close(void* opened) noexcept override;
    [[nodiscard]] Capability can_pass_to_mpi() const override;
    [[nodiscard]] void* mpi_address(void* device_memory) override;
    [[nodiscard]] Capability supports_rdma() const override;
    [[nodiscard]] Capability runs_processes_together() const override;
    void use() override {}

    /// Where code that stands for a kernel finds `device_memory`. Throws ContractError when the
    /// pointer is not a memory of this device.
    [[nodiscard]] void* kernel_address(const void* device_memory) const;

    /// Queues host code that stands for a kernel, in order with the copies of `stream`.
    void launch(Stream& stream, std::function<void()> kernel);

private:
    /// Counts memory about to be used. Throws EnvironmentError with the sizes when there is too little.
    void take_room(std::size_t bytes);
    void finish_streams() noexcept;

    EmulatedDeviceOptions options_;
    mutable std::mutex mutex_;
    std::map<const std::byte*, ProtectedMemory> memory_;  // by front address
    std::int64_t used_bytes_ = 0;
    detail::LinkClock clock_;
    std::vector<std::weak_ptr<detail::StreamProgress>> streams_;
};

}  // namespace halocline
