// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Worker threads: each has a slot with a task, handed over under the slot's lock.
#include "collectives/workers.hpp"

#include <signal.h>

#include <utility>

namespace halocline::endpoints {

Workers::Workers(const std::vector<cpu_set_t>& places, std::function<void()> enter)
    : enter_(std::move(enter)) {
    for (const cpu_set_t& cpus : places) {
        auto slot = std::make_unique<Slot>();
        slot->index = static_cast<int>(slots_.size()) + 1;
        slot->places = cpus;
        slot->owner = this;
        start(*slot);
        slots_.push_back(std::move(slot));
    }
}

// The program's signal handlers expect the program's threads, so workers take no signals.
void Workers::start(Slot& slot) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&slot.thread, nullptr, &Workers::serve, &slot);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
        slot.owner = nullptr;  // no thread: run() does its share here
        return;
    }
    if (CPU_COUNT(&slot.places) > 0) {
        pthread_setaffinity_np(slot.thread, sizeof(slot.places), &slot.places);
    }
    pthread_setname_np(slot.thread, "mep-worker");
}

Workers::~Workers() {
    for (auto& slot : slots_) {
        if (slot->owner == nullptr) {
            continue;
        }
        {
            const std::lock_guard lock(slot->mutex);
            slot->stop = true;
        }
        slot->changed.notify_all();
        pthread_join(slot->thread, nullptr);
    }
}

bool Workers::run(const std::function<void(int)>& task) {
    const std::unique_lock busy(busy_, std::try_to_lock);
    if (!busy.owns_lock()) {
        return false;
    }
    for (auto& slot : slots_) {
        if (slot->owner == nullptr) {
            continue;
        }
        {
            const std::lock_guard lock(slot->mutex);
            slot->task = &task;
        }
        slot->changed.notify_all();
    }
    task(0);
    for (auto& slot : slots_) {
        if (slot->owner == nullptr) {
            task(slot->index);
        } else {
            wait_idle(*slot);
        }
    }
    return true;
}

void Workers::wait_idle(Slot& slot) {
    std::unique_lock lock(slot.mutex);
    slot.changed.wait(lock, [&slot] { return slot.task == nullptr; });
}

void* Workers::serve(void* argument) {
    Slot& slot = *static_cast<Slot*>(argument);
    slot.owner->enter_();
    std::unique_lock lock(slot.mutex);
    while (true) {
        slot.changed.wait(lock, [&slot] { return slot.stop || slot.task != nullptr; });
        if (slot.stop) {
            return nullptr;
        }
        const std::function<void(int)>& task = *slot.task;
        lock.unlock();
        task(slot.index);
        lock.lock();
        slot.task = nullptr;
        slot.changed.notify_all();
    }
}

}  // namespace halocline::endpoints
