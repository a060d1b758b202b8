// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Worker threads of a rank: asleep on a condition variable unless a collective is being split.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace halocline::endpoints {

class Workers {
public:
    /// @param places  CPUs of each worker; an empty set leaves a worker where the process may run
    /// @param enter   runs once in each new thread
    explicit Workers(const std::vector<cpu_set_t>& places, std::function<void()> enter);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Ends the threads; none may be at work.
    ~Workers();

    [[nodiscard]] int count() const { return static_cast<int>(slots_.size()); }

    /// Runs task(0) here and task(1) … task(count()) in the workers; returns when all are done.
    ///
    /// @returns false, having done nothing, when another thread's task is at work
    [[nodiscard]] bool run(const std::function<void(int)>& task);

private:
    struct Slot {
        std::mutex mutex;
        std::condition_variable changed;
        const std::function<void(int)>* task = nullptr;
        bool stop = false;
        int index = 0;
        cpu_set_t places{};
        Workers* owner = nullptr;
        pthread_t thread{};
    };

    void start(Slot& slot);
    static void* serve(void* slot);
    static void wait_idle(Slot& slot);

    std::vector<std::unique_ptr<Slot>> slots_;
    std::function<void()> enter_;
    std::mutex busy_;
};

}  // namespace halocline::endpoints
