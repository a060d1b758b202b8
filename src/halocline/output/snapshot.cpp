// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/core/error.hpp"
#include "halocline/output/row_copy.hpp"

namespace halocline::output {

namespace {

constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

std::size_t bytes_of_rows(const DatStore& dat) {
    return static_cast<std::size_t>(dat.set->owned) * dat.row_bytes();
}

}  // namespace

void StagingBuffer::await() const {
    if (arrived != nullptr) {
        arrived->wait();
    }
}

StagingPool::StagingPool(int buffers, Device* device) : device_(device) {
    for (int b = 0; b < buffers; ++b) {
        buffers_.push_back(std::make_unique<StagingBuffer>());
        if (device != nullptr) {
            buffers_.back()->arrived = device->make_event();
        }
        free_.push_back(buffers_.back().get());
    }
}

StagingBuffer& StagingPool::acquire(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [&] { return !free_.empty(); });
    // The largest one, so that a second size does not make every buffer grow.
    const auto largest = std::max_element(free_.begin(), free_.end(), [](auto* a, auto* b) {
        return a->memory.size_bytes() < b->memory.size_bytes();
    });
    StagingBuffer& buffer = **largest;
    free_.erase(largest);
    lock.unlock();
    grow(buffer, bytes);
    return buffer;
}

void StagingPool::grow(StagingBuffer& buffer, std::size_t bytes) const {
    if (buffer.memory.size_bytes() < bytes) {
        buffer.memory = {};
        buffer.memory =
            SpaceBuffer(device_ != nullptr ? MemoryKind::pinned : MemoryKind::host, bytes, device_);
        if (device_ == nullptr && bytes > 0) {  // pages come now, not in the loop
            std::memset(buffer.memory.data(), 0, bytes);
        }
    }
}

void StagingPool::reserve(std::size_t bytes) {
    for (const auto& buffer : buffers_) {
        grow(*buffer, bytes);
    }
}

void StagingPool::release(StagingBuffer& buffer) {
    {
        const std::lock_guard lock(mutex_);
        free_.push_back(&buffer);
    }
    released_.notify_all();
}

std::size_t StagingPool::size_bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const auto& buffer : buffers_) {
        bytes += buffer->memory.size_bytes();
    }
    return bytes;
}

Snapshot::Snapshot(const char* name, Context& context, RowPatterns& patterns, StagingPool& pool,
                   std::vector<const DatStore*> dats, std::int64_t grain)
    : name_(name), context_(context), pool_(pool) {
    for (const DatStore* dat : dats) {
        parts_.push_back({dat, &patterns.of(*dat->set, grain), bytes_, {}});
        bytes_ += aligned(bytes_of_rows(*dat));
    }
    if (context.device() == nullptr) {
        return;
    }
    Device& device = context.device()->device();
    packed_ = SpaceBuffer(MemoryKind::device, bytes_, &device);
    mover_ = dist::make_row_mover(device);
    copies_ = device.make_stream();
    taken_ = device.make_event();
    left_ = device.make_event();
    for (Part& part : parts_) {
        const std::span<const LocalIndex> elements = part.pattern->elements();
        part.elements = SpaceBuffer(MemoryKind::device, elements.size_bytes(), &device);
        if (!elements.empty()) {
            copy_now(device, part.elements.data(), elements.data(), elements.size_bytes(),
                     CopyDirection::to_device);
        }
    }
}

Snapshot::~Snapshot() {
    if (current_ != nullptr) {
        pool_.release(*current_);
    }
}

void Snapshot::prepare() {
    if (mover_ == nullptr) {
        if (current_ == nullptr) {
            current_ = &pool_.acquire(bytes_);
        }
    } else if (!has_left_) {
        context_.device()->stream().wait(*left_);
        has_left_ = true;
    }
}

void Snapshot::take() {
    if (mover_ != nullptr) {
        pack(*context_.device());
        return;
    }
    for (const Part& part : parts_) {
        copy_rows(part.dat->raw(), part.pattern->elements(), current_->memory.data() + part.at,
                  context_.threads());
    }
}

void Snapshot::pack(device::Executor& executor) {
    using Segment = dist::RowSegment;
    std::vector<Segment> segments;
    device::Signature signature;
    for (const Part& part : parts_) {
        if (!part.dat->device.device_current) {
            pack_on_host(executor, part);
            continue;
        }
        Segment segment{part.dat->raw_on_device(),
                        reinterpret_cast<const LocalIndex*>(part.elements.data()),
                        part.dat->set->owned, reinterpret_cast<double*>(packed_.data() + part.at)};
        signature.push_back(reinterpret_cast<std::uintptr_t>(segment.dat.values));
        if (segment.count > 0) {
            segments.push_back(segment);
        }
    }
    const device::Launch launch{name_, device::LaunchPart::pack};
    executor.launch(launch, std::move(signature), [&](Stream& stream) {
        if (!segments.empty()) {
            mover_->gather(stream, segments);
        }
    });
}

/// Values that no loop has brought to the device yet: at the start of a run.
void Snapshot::pack_on_host(device::Executor& executor, const Part& part) {
    validate<ContractError>(executor.recorder().may_look(),
                            "dat '" + part.dat->name +
                                "' is not on the device when its values are taken by work that "
                                "repeats. Take it behind a loop that uses it.");
    const DatStore& dat = *part.dat;
    Buffer<std::byte> rows(bytes_of_rows(dat));
    copy_rows(dat.raw(), part.pattern->elements(), rows.data(), context_.threads());
    executor.stream().synchronize();
    if (!rows.empty()) {
        copy_now(executor.device(), packed_.data() + part.at, rows.data(), rows.size(),
                 CopyDirection::to_device);
    }
}

StagingBuffer& Snapshot::hand_over() {
    if (mover_ == nullptr) {
        return *std::exchange(current_, nullptr);
    }
    StagingBuffer& buffer = pool_.acquire(bytes_);
    device::Executor& executor = *context_.device();
    executor.stream().record(*taken_);
    copies_->wait(*taken_);
    if (bytes_ > 0) {
        copies_->copy(buffer.memory.data(), packed_.data(), bytes_, CopyDirection::to_host);
    }
    copies_->record(*buffer.arrived);
    copies_->record(*left_);
    has_left_ = false;
    return buffer;
}

std::vector<FieldRows> Snapshot::rows(const StagingBuffer& buffer) const {
    std::vector<FieldRows> fields;
    for (const Part& part : parts_) {
        auto* const values = reinterpret_cast<double*>(buffer.memory.data() + part.at);
        fields.push_back({"",
                          part.pattern,
                          {values, part.dat->dim, Layout::rows(part.dat->dim), part.dat->type},
                          RowOrder::by_block,
                          &pool_.exchange_memory()});
    }
    return fields;
}

}  // namespace halocline::output
