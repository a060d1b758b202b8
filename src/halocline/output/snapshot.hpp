// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values of dats at one moment, set aside while the loops that change them go on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/dist/exchange/device_halo/row_mover.hpp"
#include "halocline/io/field_rows.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline::output {

/// Memory for one moment: pinned where values come from a device.
struct StagingBuffer {
    SpaceBuffer memory;
    std::unique_ptr<Event> arrived;  ///< null on the host

    /// Returns when values on their way from a device are there; any thread.
    void await() const;
};

/// A bounded number of staging buffers: what output may take of memory. Used by two threads.
class StagingPool {
public:
    /// @param buffers  at least 1
    StagingPool(int buffers, Device* device);

    /// Makes all buffers at least this large: pinned memory takes a tenth of a second a gigabyte, which no
    /// step should pay. Called while none is in use.
    void reserve(std::size_t bytes);
    /// An unused buffer of this size; waits until there is one.
    [[nodiscard]] StagingBuffer& acquire(std::size_t bytes);
    void release(StagingBuffer& buffer);
    [[nodiscard]] std::size_t size_bytes() const;
    /// For rows on their way into files. Of the thread that writes.
    [[nodiscard]] ExchangeMemory& exchange_memory() { return exchange_memory_; }

private:
    void grow(StagingBuffer& buffer, std::size_t bytes) const;

    Device* device_;
    mutable std::mutex mutex_;
    std::condition_variable released_;
    std::vector<std::unique_ptr<StagingBuffer>> buffers_;
    std::vector<StagingBuffer*> free_;
    ExchangeMemory exchange_memory_;
};

/// Sets aside the owned rows of the same dats again and again.
///
/// On the host `take` copies them. On a device `take` queues a kernel that packs them into memory of
/// the device, a launch that graphs record and repeat as any other; `hand_over` then queues the copy
/// to the host on a stream of its own, beside the kernels that follow.
class Snapshot {
public:
    /// @param name  of the kernel that packs, in tables; stays valid
    /// @param grain  rows that stay together in the blocks of a file, as in `RowPattern`
    /// The context, patterns, pool and dats outlive the snapshot.
    Snapshot(const char* name, Context& context, RowPatterns& patterns, StagingPool& pool,
             std::vector<const DatStore*> dats, std::int64_t grain);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    /// Before work in which `take` is called, as work that repeats on a device: what was taken before
    /// has left its memory when that work runs. On the host this waits for a staging buffer.
    void prepare();
    /// Takes the values that loops so far have computed.
    void take();
    /// What was taken, on its way to the host. Valid until the pool gets it back.
    [[nodiscard]] StagingBuffer& hand_over();

    /// Where the rows of each dat lie in a buffer, once they are there (`StagingBuffer::await`). They need
    /// neither snapshot nor dats, which may end before a thread has written them. Datasets have no
    /// names yet.
    [[nodiscard]] std::vector<FieldRows> rows(const StagingBuffer& buffer) const;
    /// Of this rank.
    [[nodiscard]] std::size_t size_bytes() const { return bytes_; }

private:
    struct Part {
        const DatStore* dat;
        const RowPattern* pattern;
        std::size_t at;        ///< offset in the buffer
        SpaceBuffer elements;  ///< on a device: owned elements in the order of the file
    };
    void pack(device::Executor& executor);
    void pack_on_host(device::Executor& executor, const Part& part);

    const char* name_;
    Context& context_;
    StagingPool& pool_;
    std::vector<Part> parts_;
    std::size_t bytes_ = 0;
    StagingBuffer* current_ = nullptr;
    // On a device:
    SpaceBuffer packed_;
    std::unique_ptr<dist::RowMover> mover_;
    std::unique_ptr<Stream> copies_;
    std::unique_ptr<Event> taken_;
    std::unique_ptr<Event> left_;
    bool has_left_ = true;
};

}  // namespace halocline::output
