// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/writer_thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <utility>

#include "halocline/core/clock.hpp"

namespace halocline::output {

namespace {

/// Signals are for the main thread: a stop request interrupts no write.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

WriterThread::WriterThread(bool concurrent) {
    if (concurrent) {
        const NoSignals none;  // the new thread inherits the mask
        thread_ = std::thread([this] { run(); });
    }
}

WriterThread::~WriterThread() {
    if (!thread_.joinable()) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void WriterThread::push(Work work) {
    if (!thread_.joinable()) {
        ++unfinished_;
        do_one(std::move(work));
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        ++unfinished_;
        queue_.push_back(std::move(work));
    }
    changed_.notify_all();
}

void WriterThread::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return unfinished_ == 0; });
}

std::size_t WriterThread::depth() const {
    const std::lock_guard lock(mutex_);
    return unfinished_;
}

bool WriterThread::has_failed() const {
    const std::lock_guard lock(mutex_);
    return failed_;
}

void WriterThread::rethrow() {
    std::exception_ptr error;
    {
        const std::lock_guard lock(mutex_);
        error = std::exchange(error_, nullptr);
    }
    if (error) {
        std::rethrow_exception(error);
    }
}

double WriterThread::seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
}

void WriterThread::run() {
    for (;;) {
        Work work;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) {
                return;
            }
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        do_one(std::move(work));
    }
}

void WriterThread::do_one(Work work) {
    const double start_s = wall_seconds();
    std::exception_ptr error;
    if (!has_failed()) {
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
    }
    work = nullptr;  // what it holds is free before anybody hears that it is done
    {
        const std::lock_guard lock(mutex_);
        seconds_ += wall_seconds() - start_s;
        error_ = error ? error : error_;
        failed_ = failed_ || error != nullptr;
        --unfinished_;
    }
    changed_.notify_all();
}

}  // namespace halocline::output
