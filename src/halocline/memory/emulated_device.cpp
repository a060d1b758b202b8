// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory, sharing and descriptions of the emulated device.
#include "halocline/memory/emulated_device.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/memory/emulated_stream.hpp"

namespace halocline {

namespace {

/// What an IpcHandle of the emulated device holds.
struct SharedFile {
    int process = 0;
    int descriptor = -1;
    std::size_t bytes = 0;
};
static_assert(sizeof(SharedFile) <= sizeof(IpcHandle));

std::string describe(const LinkModel& link) {
    if (!link.active()) {
        return "host memory behind protected pages, copies at memory speed";
    }
    return fmt::format(
        "host memory behind protected pages, link modelled: {:.1f} GB/s each way, {:.1f} us a copy",
        link.bytes_per_s * 1e-9, link.latency_s * 1e6);
}

}  // namespace

EmulatedDevice::EmulatedDevice(EmulatedDeviceOptions options)
    : options_(options), clock_(options.link) {}

EmulatedDevice::~EmulatedDevice() = default;

DeviceInfo EmulatedDevice::info() const {
    DeviceInfo info;
    info.kind = "emulated";
    info.name = "emulated device";
    info.index = options_.index;
    info.memory_bytes =
        options_.memory_bytes > 0
            ? options_.memory_bytes
            : static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    info.details = describe(options_.link);
    return info;
}

void EmulatedDevice::take_room(std::size_t bytes) {
    const auto wanted = static_cast<std::int64_t>(bytes);
    const std::lock_guard lock(mutex_);
    const std::int64_t room = options_.memory_bytes - used_bytes_;
    validate<EnvironmentError>(
        options_.memory_bytes == 0 || wanted <= room,
        fmt::format("out of device memory ({} KiB wanted; the emulated device has {} of {} KiB "
                    "free). Use a smaller mesh or message, more ranks, or a CPU back end.",
                    wanted >> 10, room >> 10, options_.memory_bytes >> 10));
    used_bytes_ += wanted;
}

void* EmulatedDevice::allocate(MemoryKind kind, std::size_t bytes) {
    if (kind != MemoryKind::device) {
        return detail::allocate_host(bytes);
    }
    take_room(bytes);
    ProtectedMemory made(bytes);
    std::byte* front = made.front();
    const std::lock_guard lock(mutex_);
    memory_.emplace(front, std::move(made));
    return front;
}

/// Work that was submitted before the call. Work itself may let go of memory, in the thread of its stream:
/// waiting there would be waiting for itself.
void EmulatedDevice::finish_streams() noexcept {
    if (detail::on_stream_worker()) {
        return;
    }
    std::vector<std::weak_ptr<detail::StreamProgress>> streams;
    {
        const std::lock_guard lock(mutex_);  // not held below: work asks for addresses
        streams = streams_;
    }
    for (const auto& stream : streams) {
        if (const auto progress = stream.lock()) {
            progress->wait_for(progress->submitted);
        }
    }
}

void EmulatedDevice::release(MemoryKind kind, void* memory, std::size_t bytes) noexcept {
    finish_streams();
    if (kind != MemoryKind::device) {
        detail::free_host(memory, bytes);
        return;
    }
    close(memory);
    const std::lock_guard lock(mutex_);
    used_bytes_ -= static_cast<std::int64_t>(bytes);
}

std::unique_ptr<Stream> EmulatedDevice::make_stream() {
    auto stream = std::make_unique<detail::EmulatedStream>(*this, clock_, counter_);
    const std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& other) { return other.expired(); });
    streams_.emplace_back(stream->progress());
    return stream;
}

std::unique_ptr<Event> EmulatedDevice::make_event() {
    return std::make_unique<detail::EmulatedEvent>();
}

namespace {

detail::EmulatedStream& own_stream(Stream& stream) {
    auto* own = dynamic_cast<detail::EmulatedStream*>(&stream);
    validate<ContractError>(own != nullptr,
                            "a stream of another device was used (streams belong to one device). "
                            "Make the stream with the same device.");
    return *own;
}

class EmulatedGraph final : public Graph {
public:
    explicit EmulatedGraph(std::vector<detail::StreamWork> work) : work_(std::move(work)) {}
    void launch(Stream& stream) override {
        for (const auto& piece : work_) {
            own_stream(stream).submit(piece);
        }
    }
    [[nodiscard]] int size() const override { return static_cast<int>(work_.size()); }

private:
    std::vector<detail::StreamWork> work_;
};

/// Reads the clock in the stream's own thread.
class EmulatedTimer final : public StreamTimer {
public:
    void start(Stream& stream) override {
        own_stream(stream).launch([times = times_] { times->start_s = wall_seconds(); });
    }
    void stop(Stream& stream) override {
        own_stream(stream).launch([times = times_] { times->stop_s = wall_seconds(); });
        stream.record(end_);
    }
    [[nodiscard]] double seconds() override {
        end_.wait();
        return times_->stop_s - times_->start_s;
    }

private:
    struct Times {
        double start_s = 0.0;
        double stop_s = 0.0;
    };
    std::shared_ptr<Times> times_ = std::make_shared<Times>();
    detail::EmulatedEvent end_;
};

}  // namespace

std::unique_ptr<StreamTimer> EmulatedDevice::make_timer() {
    return std::make_unique<EmulatedTimer>();
}

void EmulatedDevice::begin_capture(Stream& stream) { own_stream(stream).begin_capture(); }

std::unique_ptr<Graph> EmulatedDevice::end_capture(Stream& stream) {
    return std::make_unique<EmulatedGraph>(own_stream(stream).end_capture());
}

Capability EmulatedDevice::can_share() const {
    return {true, "emulated: ranks of one host map the same memory file"};
}

IpcHandle EmulatedDevice::share(void* device_memory) {
    const std::lock_guard lock(mutex_);
    const auto found = memory_.find(static_cast<const std::byte*>(device_memory));
    validate<ContractError>(
        found != memory_.end(),
        "only the beginning of an allocation can be shared (another pointer was "
        "given). Share the whole and pass an offset.");
    const SharedFile file{getpid(), found->second.descriptor(), found->second.size_bytes()};
    IpcHandle handle;
    std::memcpy(handle.bytes.data(), &file, sizeof file);
    return handle;
}

void* EmulatedDevice::open(const IpcHandle& handle) {
    SharedFile file;
    std::memcpy(&file, handle.bytes.data(), sizeof file);
    ProtectedMemory opened(file.process, file.descriptor, file.bytes);
    std::byte* front = opened.front();
    const std::lock_guard lock(mutex_);
    memory_.emplace(front, std::move(opened));
    return front;
}

void EmulatedDevice::close(void* opened) noexcept {
    const std::lock_guard lock(mutex_);
    memory_.erase(static_cast<const std::byte*>(opened));
}

Capability EmulatedDevice::can_pass_to_mpi() const {
    if (options_.mpi_access) {
        return {true, "emulated: MPI is given the host address of the same bytes"};
    }
    return {false,
            "MPI would read protected pages of the emulated device and fault; "
            "--emulate mpi-access pretends that it may"};
}

void* EmulatedDevice::mpi_address(void* device_memory) {
    validate<ContractError>(options_.mpi_access,
                            "the emulated device does not show its memory to MPI (it was made "
                            "without mpi_access). Stage the message through pinned memory.");
    return kernel_address(device_memory);
}

Capability EmulatedDevice::supports_rdma() const {
    return {false, "an emulated device is not a device that a network card could read"};
}

Capability EmulatedDevice::runs_processes_together() const {
    return {true, "emulated: every process has threads of its own"};
}

void* EmulatedDevice::kernel_address(const void* device_memory) const {
    const auto* wanted = static_cast<const std::byte*>(device_memory);
    const std::lock_guard lock(mutex_);
    auto found = memory_.upper_bound(wanted);
    if (found != memory_.begin()) {
        --found;
        const std::ptrdiff_t offset = wanted - found->first;
        if (offset < static_cast<std::ptrdiff_t>(found->second.size_bytes())) {
            return found->second.alias() + offset;
        }
    }
    throw ContractError(
        "a pointer that is not device memory was used as such (host and device pointers are mixed "
        "up). Check the direction of the copy.");
}

void EmulatedDevice::launch(Stream& stream, std::function<void()> kernel) {
    auto* own = dynamic_cast<detail::EmulatedStream*>(&stream);
    validate<ContractError>(
        own != nullptr,
        "a kernel was launched on a stream of another device (streams belong to "
        "one device). Make the stream with the same device.");
    own->launch(std::move(kernel));
}

}  // namespace halocline
