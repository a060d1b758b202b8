// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names, counting and ownership shared by all devices.
#include "halocline/memory/device.hpp"

#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline {

std::string_view memory_kind_name(MemoryKind kind) noexcept {
    switch (kind) {
        case MemoryKind::host:
            return "host";
        case MemoryKind::pinned:
            return "pinned";
        case MemoryKind::device:
            return "device";
    }
    return "unknown";
}

void TransferCounter::add(CopyDirection direction, std::size_t bytes) noexcept {
    Account& account = accounts_[static_cast<std::size_t>(direction)];
    account.copies.fetch_add(1, std::memory_order_relaxed);
    account.bytes.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

TransferCounts TransferCounter::read() const noexcept {
    const auto& [in, out, inside] = accounts_;
    return {in.copies, in.bytes,      out.copies,  //
            out.bytes, inside.copies, inside.bytes};
}

SpaceBuffer::SpaceBuffer(MemoryKind kind, std::size_t bytes, Device* device)
    : kind_(kind), bytes_(bytes), device_(device) {
    validate<ContractError>(kind == MemoryKind::host || device != nullptr,
                            std::string(memory_kind_name(kind)) +
                                " memory needs a device (none was given). Open one first.");
    if (bytes == 0) {
        return;
    }
    void* memory =
        kind == MemoryKind::host ? detail::allocate_host(bytes) : device->allocate(kind, bytes);
    data_ = static_cast<std::byte*>(memory);
    if (device != nullptr) {
        device_alive_ = device->watch();
    }
}

SpaceBuffer::SpaceBuffer(SpaceBuffer&& other) noexcept
    : kind_(other.kind_),
      bytes_(std::exchange(other.bytes_, 0)),
      device_(other.device_),
      device_alive_(other.device_alive_),
      data_(std::exchange(other.data_, nullptr)) {}

SpaceBuffer& SpaceBuffer::operator=(SpaceBuffer&& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(bytes_, other.bytes_);
    std::swap(device_, other.device_);
    std::swap(device_alive_, other.device_alive_);
    std::swap(data_, other.data_);
    return *this;
}

SpaceBuffer::~SpaceBuffer() {
    if (data_ == nullptr) {
        return;
    }
    if (kind_ == MemoryKind::host) {
        detail::free_host(data_, bytes_);
    } else if (!device_alive_.expired()) {
        device_->release(kind_, data_, bytes_);
    }
}

void* native_stream(Stream& stream) {
    void* const native = stream.native();
    validate<ContractError>(
        native != nullptr,
        "a kernel was launched on a stream of another device (streams belong to "
        "one device). Make the stream with the same device.");
    return native;
}

void copy_now(Device& device, void* to, const void* from, std::size_t bytes,
              CopyDirection direction) {
    const std::unique_ptr<Stream> stream = device.make_stream();
    stream->copy(to, from, bytes, direction);
    stream->synchronize();
}

}  // namespace halocline
