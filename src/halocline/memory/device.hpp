// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every device offers, real or emulated: memory apart from the host's, streams of copies, counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "halocline/memory/space_buffer.hpp"
#include "halocline/memory/stream.hpp"
#include "halocline/memory/transfer_counts.hpp"

namespace halocline {

/// Names memory of a device for another process on the same host.
struct IpcHandle {
    std::array<std::byte, 64> bytes{};  ///< what the device's driver calls the memory
};

/// Whether a device can do something, and why, or why not.
struct Capability {
    bool possible = false;  ///< whether it can
    std::string evidence;   ///< why, or why not: a sentence for people
};

/// What a device is.
struct DeviceInfo {
    std::string kind;        ///< "cuda" or "emulated"
    std::string name;        ///< the model, as the driver names it
    int index = 0;           ///< number of the device among those of its kind on this host
    std::string pci_bus_id;  ///< as in /sys/bus/pci/devices; empty when the device is no PCI device
    std::int64_t memory_bytes = 0;  ///< memory that the device has in all
    double pcie_bytes_per_s = 0.0;  ///< one direction, from link speed and width; 0: unknown
    std::string details;            ///< one line for people: model, driver, link
};

/// A device with memory of its own.
class Device {
public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;
    /// Expires with the device.
    [[nodiscard]] Lifetime::Watch watch() const noexcept { return lifetime_.watch(); }
    /// What this device is.
    [[nodiscard]] virtual DeviceInfo info() const = 0;
    /// Whether host code stands for its kernels, and hidden host memory for its own.
    [[nodiscard]] virtual bool is_emulated() const noexcept { return false; }

    /// Memory of kind `pinned` or `device`. Throws EnvironmentError naming sizes when there is none.
    [[nodiscard]] virtual void* allocate(MemoryKind kind, std::size_t bytes) = 0;
    /// Gives memory of `allocate` back. `bytes` is what was asked for then.
    virtual void release(MemoryKind kind, void* memory, std::size_t bytes) noexcept = 0;

    /// A new stream; work on it is concurrent with other streams.
    [[nodiscard]] virtual std::unique_ptr<Stream> make_stream() = 0;
    /// A new event, not placed yet.
    [[nodiscard]] virtual std::unique_ptr<Event> make_event() = 0;
    /// A new timer, not started yet.
    [[nodiscard]] virtual std::unique_ptr<StreamTimer> make_timer() = 0;

    /// From here on work given to `stream` is recorded instead of done.
    virtual void begin_capture(Stream& stream) = 0;
    /// Ends the recording that `begin_capture` began and returns it.
    [[nodiscard]] virtual std::unique_ptr<Graph> end_capture(Stream& stream) = 0;

    /// Whether processes of one host may open each other's memory on this device.
    [[nodiscard]] virtual Capability can_share() const = 0;
    /// A handle by which another process of this host opens `device_memory`, the beginning of an
    /// allocation. Ask `can_share` first.
    [[nodiscard]] virtual IpcHandle share(void* device_memory) = 0;
    /// Opens memory that another process shared; valid until `close`.
    [[nodiscard]] virtual void* open(const IpcHandle& handle) = 0;
    /// Closes what `open` returned.
    virtual void close(void* opened) noexcept = 0;

    /// What this device reports about MPI reading its memory by itself (the MPI library must agree).
    [[nodiscard]] virtual Capability can_pass_to_mpi() const = 0;
    /// The address to give to MPI for `device_memory`.
    [[nodiscard]] virtual void* mpi_address(void* device_memory) = 0;

    /// Whether a network card may read this device's memory (GPUDirect RDMA).
    [[nodiscard]] virtual Capability supports_rdma() const = 0;

    /// Whether kernels of several processes run on this device at the same time. Else they take turns,
    /// and a turn costs more than most halo exchanges.
    [[nodiscard]] virtual Capability runs_processes_together() const = 0;

    /// Makes the device current for the calling thread; needed once in every new thread.
    virtual void use() = 0;

    /// Copies that this device was asked for so far. Any thread.
    [[nodiscard]] TransferCounts counts() const noexcept { return counter_.read(); }

protected:
    TransferCounter counter_;

private:
    Lifetime lifetime_;
};

/// What the device's own programming interface calls a stream (a cudaStream_t), for code that launches
/// kernels. Throws ContractError when it has no such interface.
[[nodiscard]] void* native_stream(Stream& stream);

/// Copies `bytes` now; the host waits.
void copy_now(Device& device, void* to, const void* from, std::size_t bytes,
              CopyDirection direction);

}  // namespace halocline
