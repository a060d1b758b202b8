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

/// "host", "pinned" or "device".
[[nodiscard]] std::string_view memory_kind_name(MemoryKind kind) noexcept;

/// Between which memories a copy goes.
enum class CopyDirection { to_device, to_host, on_device };

/// Copies that a device was asked for, by direction; counted when they are submitted.
struct TransferCounts {
    std::int64_t to_device_copies = 0;  ///< copies from host to device
    std::int64_t to_device_bytes = 0;   ///< bytes in them
    std::int64_t to_host_copies = 0;    ///< copies from device to host
    std::int64_t to_host_bytes = 0;     ///< bytes in them
    std::int64_t on_device_copies = 0;  ///< copies within the device
    std::int64_t on_device_bytes = 0;   ///< bytes in them

    /// Copies over the link between host and device, both directions.
    [[nodiscard]] std::int64_t link_copies() const { return to_device_copies + to_host_copies; }
    /// Bytes over the link between host and device, both directions.
    [[nodiscard]] std::int64_t link_bytes() const { return to_device_bytes + to_host_bytes; }
};

/// Counts of a device that several streams add to.
class TransferCounter {
public:
    /// Counts one copy. Any thread.
    void add(CopyDirection direction, std::size_t bytes) noexcept;
    /// The counts so far. Any thread.
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
    /// Blocks the host until all work before the point has finished.
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
    /// Places `event` behind the work submitted so far.
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
    /// Submits the recorded work to `stream`, behind what is there.
    virtual void launch(Stream& stream) = 0;
    /// Kernels and copies in it.
    [[nodiscard]] virtual int size() const = 0;
};

/// Time that work takes on the device, between two points of a stream.
class StreamTimer {
public:
    virtual ~StreamTimer() = default;
    /// Places the first point behind the work submitted so far.
    virtual void start(Stream& stream) = 0;
    /// Places the second point.
    virtual void stop(Stream& stream) = 0;
    /// Waits for the second point.
    [[nodiscard]] virtual double seconds() = 0;
};

/// Names memory of a device for another process on the same host.
struct IpcHandle {
    std::array<std::byte, 64> bytes{};  ///< what the device's driver calls the memory
};

/// Whether a device can do something, and why, or why not.
struct Ability {
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
    virtual ~Device() = default;
    /// What this device is.
    [[nodiscard]] virtual DeviceInfo info() const = 0;

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
    [[nodiscard]] virtual Ability can_share() const = 0;
    /// A handle by which another process of this host opens `device_memory`, the beginning of an
    /// allocation. Ask `can_share` first.
    [[nodiscard]] virtual IpcHandle share(void* device_memory) = 0;
    /// Opens memory that another process shared; valid until `close`.
    [[nodiscard]] virtual void* open(const IpcHandle& handle) = 0;
    /// Closes what `open` returned.
    virtual void close(void* opened) noexcept = 0;

    /// What this device reports about MPI reading its memory by itself (the MPI library must agree).
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

    /// Copies that this device was asked for so far. Any thread.
    [[nodiscard]] TransferCounts counts() const noexcept { return counter_.read(); }

protected:
    TransferCounter counter_;
};

/// Bytes in one kind of memory, owned. Host memory needs no device.
class SpaceBuffer {
public:
    SpaceBuffer() = default;
    /// `bytes` of memory of `kind`, uninitialised. `device` may be null for host memory alone, and
    /// must outlive the buffer. Throws ContractError without a device, EnvironmentError when memory
    /// is short.
    SpaceBuffer(MemoryKind kind, std::size_t bytes, Device* device);
    SpaceBuffer(SpaceBuffer&& other) noexcept;
    SpaceBuffer& operator=(SpaceBuffer&& other) noexcept;
    SpaceBuffer(const SpaceBuffer&) = delete;
    SpaceBuffer& operator=(const SpaceBuffer&) = delete;
    ~SpaceBuffer();

    /// Where the bytes lie.
    [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
    /// Number of bytes.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_; }
    /// First byte; null where there is none. Host code must not follow it where `kind` is `device`.
    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    MemoryKind kind_ = MemoryKind::host;
    std::size_t bytes_ = 0;
    Device* device_ = nullptr;
    std::byte* data_ = nullptr;
};

/// Copies `bytes` now; the host waits.
void copy_now(Device& device, void* to, const void* from, std::size_t bytes,
              CopyDirection direction);

}  // namespace halocline
