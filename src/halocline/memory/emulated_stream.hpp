// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The worker thread behind a stream of the emulated device.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "halocline/memory/emulated_capture.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::detail {

/// How far a stream has come; events outlive streams, so it is shared.
struct StreamProgress {
    std::atomic<std::uint64_t> submitted{0};
    std::atomic<std::uint64_t> finished{0};

    /// Returns when `target` pieces of work have finished.
    void wait_for(std::uint64_t target) const;
};

/// Whether the calling thread does the work of a stream.
[[nodiscard]] bool on_stream_worker() noexcept;

class EmulatedEvent final : public Event {
public:
    [[nodiscard]] bool done() override;
    void wait() override;
    void place(std::shared_ptr<StreamProgress> progress, std::uint64_t target);
    void place(std::shared_ptr<EmulatedCapture> capture, CaptureClock point);
    /// The recording that the point belongs to; null outside.
    [[nodiscard]] const std::shared_ptr<EmulatedCapture>& capture() const { return capture_; }
    [[nodiscard]] const CaptureClock& captured_point() const { return captured_point_; }
    [[nodiscard]] bool is_placed() const { return progress_ != nullptr || capture_ != nullptr; }

private:
    std::shared_ptr<StreamProgress> progress_;
    std::uint64_t target_ = 0;
    std::shared_ptr<EmulatedCapture> capture_;
    CaptureClock captured_point_;
};

class EmulatedStream final : public Stream {
public:
    EmulatedStream(EmulatedDevice& device, LinkClock& clock, TransferCounter& counter);
    ~EmulatedStream() override;

    void copy(void* to, const void* from, std::size_t bytes, CopyDirection direction) override;
    void clear(void* device_memory, std::size_t bytes) override;
    void record(Event& event) override;
    void wait(Event& event) override;
    void synchronize() override;
    void launch(std::function<void()> kernel);

    void begin_capture();
    [[nodiscard]] std::vector<StreamWork> end_capture();
    void submit(StreamWork work);
    [[nodiscard]] const std::shared_ptr<StreamProgress>& progress() const { return progress_; }

private:
    void run();
    /// The recording under way that this stream is part of; null when there is none.
    [[nodiscard]] std::shared_ptr<EmulatedCapture> capture() const;
    /// Waits for a point of a recording; this stream is part of it afterwards.
    void join_capture(const EmulatedEvent& event);

    EmulatedDevice& device_;
    LinkClock& clock_;
    TransferCounter& counter_;
    std::shared_ptr<StreamProgress> progress_ = std::make_shared<StreamProgress>();
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<StreamWork> queue_;
    bool closing_ = false;
    std::shared_ptr<EmulatedCapture> capture_;  ///< the last one; see `capture`
    std::thread worker_;
};

}  // namespace halocline::detail
