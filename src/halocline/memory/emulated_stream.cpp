// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies run on a thread of their own and end no sooner than the modelled link allows.
#include "halocline/memory/emulated_stream.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::detail {

namespace {

thread_local bool is_stream_worker = false;

/// Sleeps until the monotonic clock shows `time_s`: a spinning wait would take the core that
/// sends messages meanwhile.
void sleep_until(double time_s) {
    if (wall_seconds() >= time_s) {
        return;
    }
    timespec until{};
    const double whole_s = std::floor(time_s);
    until.tv_sec = static_cast<time_t>(whole_s);
    until.tv_nsec = static_cast<long>((time_s - whole_s) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
    }
}

EmulatedEvent& own_event(Event& event) {
    auto* own = dynamic_cast<EmulatedEvent*>(&event);
    validate<ContractError>(own != nullptr,
                            "an event of another device was used (streams and events belong to one "
                            "device). Make it with the same device.");
    return *own;
}

void require_not_recorded(const std::shared_ptr<EmulatedCapture>& capture) {
    validate<ContractError>(capture == nullptr,
                            "the host asks for a point that was recorded (it is reached when the "
                            "graph runs, not now). End the recording first.");
}

}  // namespace

bool on_stream_worker() noexcept { return is_stream_worker; }

void StreamProgress::wait_for(std::uint64_t target) const {
    // The value that was judged is the one to wait on: a second read could miss the last change.
    std::uint64_t now = finished.load(std::memory_order_acquire);
    while (now < target) {
        finished.wait(now, std::memory_order_acquire);
        now = finished.load(std::memory_order_acquire);
    }
}

double LinkClock::book(CopyDirection direction, std::size_t bytes, double submitted_s) {
    const std::lock_guard lock(mutex_);
    double& free_at_s = free_at_s_[static_cast<std::size_t>(direction)];
    free_at_s = std::max(free_at_s, submitted_s) + model_.duration_s(bytes);
    return free_at_s;
}

bool EmulatedEvent::done() {
    require_not_recorded(capture_);
    return progress_ == nullptr || progress_->finished.load(std::memory_order_acquire) >= target_;
}

void EmulatedEvent::wait() {
    require_not_recorded(capture_);
    if (progress_ != nullptr) {
        progress_->wait_for(target_);
    }
}

void EmulatedEvent::place(std::shared_ptr<StreamProgress> progress, std::uint64_t target) {
    progress_ = std::move(progress);
    target_ = target;
    capture_.reset();
}

void EmulatedEvent::place(std::shared_ptr<EmulatedCapture> capture, CaptureClock point) {
    progress_.reset();
    capture_ = std::move(capture);
    captured_point_ = std::move(point);
}

EmulatedStream::EmulatedStream(EmulatedDevice& device, LinkClock& clock, TransferCounter& counter)
    : device_(device), clock_(clock), counter_(counter), worker_([this] { run(); }) {}

EmulatedStream::~EmulatedStream() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    arrived_.notify_one();
    worker_.join();
}

void EmulatedStream::copy(void* to, const void* from, std::size_t bytes, CopyDirection direction) {
    // Wrong pointers are the submitter's fault and are reported in its thread.
    void* target = direction == CopyDirection::to_host ? to : device_.kernel_address(to);
    const void* source =
        direction == CopyDirection::to_device ? from : device_.kernel_address(from);
    counter_.add(direction, bytes);
    const bool modelled = clock_.active() && direction != CopyDirection::on_device;
    const double ends_at_s = modelled ? clock_.book(direction, bytes, wall_seconds()) : 0.0;
    submit({[=] { std::memcpy(target, source, bytes); }, ends_at_s});
}

void EmulatedStream::clear(void* device_memory, std::size_t bytes) {
    void* target = device_.kernel_address(device_memory);
    submit({[=] { std::memset(target, 0, bytes); }, 0.0});
}

void EmulatedStream::launch(std::function<void()> kernel) { submit({std::move(kernel), 0.0}); }

std::shared_ptr<EmulatedCapture> EmulatedStream::capture() const {
    return capture_ != nullptr && !capture_->has_ended() ? capture_ : nullptr;
}

void EmulatedStream::record(Event& event) {
    if (const auto recording = capture()) {
        own_event(event).place(recording, recording->point(this));
        return;
    }
    const std::lock_guard lock(mutex_);
    own_event(event).place(progress_, progress_->submitted);
}

void EmulatedStream::wait(Event& event) {
    const EmulatedEvent& own = own_event(event);
    if (own.capture() != nullptr) {
        join_capture(own);
        return;
    }
    validate<ContractError>(capture() == nullptr || !own.is_placed(),
                            "a stream that is being recorded waits for a point outside the "
                            "recording. Let it wait before the recording begins.");
    // A copy: the event may be placed again before this stream gets here.
    submit({[point = own]() mutable { point.wait(); }, 0.0});
}

void EmulatedStream::join_capture(const EmulatedEvent& event) {
    const auto recording = capture();
    validate<ContractError>(!event.capture()->has_ended(),
                            "a stream waits for a point of a recording that has ended (it is "
                            "reached when the graph runs). Wait for the stream that runs it.");
    validate<ContractError>(recording == nullptr || recording == event.capture(),
                            "two recordings meet in one stream. End one of them first.");
    capture_ = event.capture();
    capture_->wait(this, event.captured_point());
}

void EmulatedStream::synchronize() {
    validate<ContractError>(capture() == nullptr,
                            "the host waits for a stream that is being recorded (nothing runs "
                            "meanwhile). End the recording first.");
    EmulatedEvent event;
    record(event);
    event.wait();
}

void EmulatedStream::begin_capture() {
    validate<ContractError>(capture() == nullptr,
                            "a stream that is being recorded is recorded again.");
    capture_ = std::make_shared<EmulatedCapture>(this);
}

std::vector<StreamWork> EmulatedStream::end_capture() { return capture_->end(); }

void EmulatedStream::submit(StreamWork work) {
    if (const auto recording = capture()) {
        recording->add(this, std::move(work));
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
        ++progress_->submitted;
    }
    arrived_.notify_one();
}

void EmulatedStream::run() {
    is_stream_worker = true;
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default would add 50 us to every wait
    while (true) {
        StreamWork work;
        {
            std::unique_lock lock(mutex_);
            arrived_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) {
                return;
            }
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        work.body();
        sleep_until(work.ends_at_s);
        progress_->finished.fetch_add(1, std::memory_order_release);
        progress_->finished.notify_all();
    }
}

}  // namespace halocline::detail
