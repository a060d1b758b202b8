// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every device offers, real or emulated: memory apart from the host's, streams of copies, counts.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace halocline {

/// Where memory lies: ordinary host memory, host memory pinned for copies, memory of the device.
enum class MemoryKind { host, pinned, device };

[[nodiscard]] std::string_view memory_kind_name(MemoryKind kind) noexcept;

enum class CopyDirection { to_device, to_host, on_device };

/// Copies that a device was asked for, by direction; counted when they are submitted.
struct TransferCounts {
    std::int64_t to_device_copies = 0;
    std::int64_t to_device_bytes = 0;
    std::int64_t to_host_copies = 0;
    std::int64_t to_host_bytes = 0;
    std::int64_t on_device_copies = 0;
    std::int64_t on_device_bytes = 0;

    /// Copies over the link between host and device, both directions.
    [[nodiscard]] std::int64_t link_copies() const { return to_device_copies + to_host_copies; }
    [[nodiscard]] std::int64_t link_bytes() const { return to_device_bytes + to_host_bytes; }
};

/// Counts of a device that several streams add to.
class TransferCounter {
public:
    void add(CopyDirection direction, std::size_t bytes) noexcept;
    [[nodiscard]] TransferCounts read() const noexcept;

private:
    struct Account {
        std::atomic<std::int64_t> copies{0};
        std::atomic<std::int64_t> bytes{0};
    };
    std::array<Account, 3> accounts_;
};

/// A point in the work of a stream; `Stream::record` places it.
class Event {
public:
    virtual ~Event() = default;
    /// True when all work before the point has finished; true too when it was never placed.
    [[nodiscard]] virtual bool done() = 0;
    virtual void wait() = 0;
};

/// Work in order of submission, concurrent with the host and with other streams.
class Stream {
public:
    virtual ~Stream() = default;
    /// Queues a copy. Host memory that takes part stays untouched until an event says it is done.
    virtual void copy(void* to, const void* from, std::size_t bytes, CopyDirection direction) = 0;
    /// Sets device memory to zero bytes.
    virtual void clear(void* device_memory, std::size_t bytes) = 0;
    virtual void record(Event& event) = 0;
    /// Holds later work of this stream back until the event's point is reached; the host goes on.
    virtual void wait(Event& event) = 0;
    /// Returns when everything submitted so far has finished.
    virtual void synchronize() = 0;
    /// What the device's own programming interface calls this stream; null where there is none.
    [[nodiscard]] virtual void* native() { return nullptr; }
};

/// Work of a stream, recorded once to be submitted many times in one call.
class Graph {
public:
    virtual ~Graph() = default;
    virtual void launch(Stream& stream) = 0;
    /// Kernels and copies in it.
    [[nodiscard]] virtual int size() const = 0;
};

/// Time that work takes on the device, between two points of a stream.
class StreamTimer {
public:
    virtual ~StreamTimer() = default;
    virtual void start(Stream& stream) = 0;
    virtual void stop(Stream& stream) = 0;
    /// Waits for the second point.
    [[nodiscard]] virtual double seconds() = 0;
};

/// Names memory of a device for another process on the same host.
struct IpcHandle {
    std::array<std::byte, 64> bytes{};
};

/// Whether a device can do something, and why, or why not.
struct Ability {
    bool possible = false;
    std::string evidence;
};

struct DeviceInfo {
    std::string kind;  ///< "cuda" or "emulated"
    std::string name;
    int index = 0;
    std::string pci_bus_id;  ///< as in /sys/bus/pci/devices; empty when the device is no PCI device
    std::int64_t memory_bytes = 0;
    double pcie_bytes_per_s = 0.0;  ///< one direction, from link speed and width; 0: unknown
    std::string details;            ///< one line for people: model, driver, link
};

/// A device with memory of its own.
class Device {
public:
    virtual ~Device() = default;
    [[nodiscard]] virtual DeviceInfo info() const = 0;
    /// Whether host code stands for its kernels, and hidden host memory for its own.
    [[nodiscard]] virtual bool is_emulated() const noexcept { return false; }

    /// Memory of kind `pinned` or `device`. Throws EnvironmentError naming sizes when there is none.
    [[nodiscard]] virtual void* allocate(MemoryKind kind, std::size_t bytes) = 0;
    virtual void release(MemoryKind kind, void* memory, std::size_t bytes) noexcept = 0;

    [[nodiscard]] virtual std::unique_ptr<Stream> make_stream() = 0;
    [[nodiscard]] virtual std::unique_ptr<Event> make_event() = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamTimer> make_timer() = 0;

    /// From here on work given to `stream` is recorded instead of done.
    virtual void begin_capture(Stream& stream) = 0;
    [[nodiscard]] virtual std::unique_ptr<Graph> end_capture(Stream& stream) = 0;

    /// Whether processes of one host may open each other's memory on this device.
    [[nodiscard]] virtual Ability can_share() const = 0;
    [[nodiscard]] virtual IpcHandle share(void* device_memory) = 0;
    /// Opens memory that another process shared; valid until `close`.
    [[nodiscard]] virtual void* open(const IpcHandle& handle) = 0;
    virtual void close(void* opened) noexcept = 0;

    /// What this device tells about MPI reading its memory by itself (the MPI library has its say too).
    [[nodiscard]] virtual Ability can_pass_to_mpi() const = 0;
    /// The address to give to MPI for `device_memory`.
    [[nodiscard]] virtual void* mpi_address(void* device_memory) = 0;

    /// Whether a network card may read this device's memory (GPUDirect RDMA).
    [[nodiscard]] virtual Ability supports_rdma() const = 0;

    /// Whether kernels of several processes run on this device at the same time. Else they take turns,
    /// and a turn costs more than most halo exchanges.
    [[nodiscard]] virtual Ability runs_processes_together() const = 0;

    /// Makes the device current for the calling thread; needed once in every new thread.
    virtual void use() = 0;

    [[nodiscard]] TransferCounts counts() const noexcept { return counter_.read(); }

protected:
    TransferCounter counter_;
};

/// Bytes in one kind of memory, owned. Host memory needs no device.
class SpaceBuffer {
public:
    SpaceBuffer() = default;
    SpaceBuffer(MemoryKind kind, std::size_t bytes, Device* device);
    SpaceBuffer(SpaceBuffer&& other) noexcept;
    SpaceBuffer& operator=(SpaceBuffer&& other) noexcept;
    SpaceBuffer(const SpaceBuffer&) = delete;
    SpaceBuffer& operator=(const SpaceBuffer&) = delete;
    ~SpaceBuffer();

    [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    MemoryKind kind_ = MemoryKind::host;
    std::size_t bytes_ = 0;
    Device* device_ = nullptr;
    std::byte* data_ = nullptr;
};

/// What the device's own programming interface calls a stream (a cudaStream_t), for code that launches
/// kernels. Throws ContractError when it has no such interface.
[[nodiscard]] void* native_stream(Stream& stream);

/// Copies `bytes` now; the host waits.
void copy_now(Device& device, void* to, const void* from, std::size_t bytes,
              CopyDirection direction);

}  // namespace halocline
