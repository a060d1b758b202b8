// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pieces of work done one after the other: on a thread of their own, or at once.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace halocline::output {

/// All ranks hand over the same work in the same order, so that it may be collective. After a piece
/// that throws nothing more is done, and what was handed over is dropped, with all that it holds; its
/// error waits for `rethrow`.
class WriterThread {
public:
    using Work = std::function<void()>;

    /// `concurrent` false: `push` does the work before it returns.
    explicit WriterThread(bool concurrent);
    /// Does what was handed over before.
    ~WriterThread();
    WriterThread(const WriterThread&) = delete;
    WriterThread& operator=(const WriterThread&) = delete;

    void push(Work work);
    /// Returns when everything handed over is done.
    void drain();
    /// Pieces handed over and not done.
    [[nodiscard]] std::size_t depth() const;
    /// Whether a piece of work threw on this rank.
    [[nodiscard]] bool has_failed() const;
    /// Throws the error of a piece of work, once.
    void rethrow();
    /// Time that work took so far.
    [[nodiscard]] double seconds() const;

private:
    void run();
    void do_one(Work work);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Work> queue_;
    std::size_t unfinished_ = 0;
    bool closing_ = false;
    std::exception_ptr error_;
    bool failed_ = false;
    double seconds_ = 0.0;
    std::thread thread_;  ///< last: it uses all others
};

}  // namespace halocline::output
