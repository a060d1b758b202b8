// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Queues of work on a device: copies and kernels in order, points to wait for, recordings, times.
#pragma once

#include <cstddef>

#include "halocline/memory/transfer_counts.hpp"

namespace halocline {

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

}  // namespace halocline
