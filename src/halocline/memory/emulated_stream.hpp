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

#include "halocline/memory/emulated_device.hpp"

namespace halocline::detail {

/// How far a stream has come; events outlive streams, so it is shared.
struct StreamProgress {
    std::atomic<std::uint64_t> finished{0};
};

class EmulatedEvent final : public Event {
public:
    [[nodiscard]] bool done() override;
    void wait() override;
    void place(std::shared_ptr<StreamProgress> progress, std::uint64_t target);

private:
    std::shared_ptr<StreamProgress> progress_;
    std::uint64_t target_ = 0;
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

    struct Work {
        std::function<void()> body;
        double ends_at_s = 0.0;  // modelled; 0: when the body is done
    };
    void begin_capture();
    [[nodiscard]] std::vector<Work> end_capture();
    void submit(Work work);

private:
    void run();

    EmulatedDevice& device_;
    LinkClock& clock_;
    TransferCounter& counter_;
    std::shared_ptr<StreamProgress> progress_ = std::make_shared<StreamProgress>();
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Work> queue_;
    std::uint64_t submitted_ = 0;
    bool closing_ = false;
    bool capturing_ = false;
    std::vector<Work> captured_;
    std::thread worker_;
};

}  // namespace halocline::detail
