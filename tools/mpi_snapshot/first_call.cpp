// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finding the functions of the MPI library, and meeting each thread for the first time.
#include "call.hpp"
#include "hot.hpp"
#include "preload/mpi_library.hpp"
#include "real_functions.hpp"
#include "spin_lock.hpp"

#include <pthread.h>

#include <atomic>

namespace halocline::snapshot {

thread_local constinit ThreadState thread_state{0, nullptr};
HALOCLINE_HOT constinit std::atomic<bool> threads_call_at_once{false};

namespace {

std::atomic<bool> found_functions{false};
SpinLock find_lock;
pthread_key_t thread_end_key;

void end_of_thread(void* record) {
    thread_state.record = nullptr;
    detach_thread(static_cast<ThreadRecord*>(record));
}

}  // namespace

void ensure_real_functions() {
    if (found_functions.load(std::memory_order_acquire)) {
        return;
    }
    find_lock.lock();
    if (!found_functions.load(std::memory_order_relaxed)) {
        find_real_functions(preload::find_mpi_function);
        pthread_key_create(&thread_end_key, end_of_thread);
        found_functions.store(true, std::memory_order_release);
    }
    find_lock.unlock();
}

Origin find_origin(ThreadRecord& record, Function function, Frame frame) {
    RecentSites& recent = record.recent[static_cast<int>(function)];
    if (function_kinds[static_cast<int>(function)] == Kind::local &&
        recent.glue_caller != frame.address && is_helper_call(function, frame.address)) {
        return {nullptr, true};
    }
    Site* site = session.settings.sites ? find_site(record, recent, function, frame) : nullptr;
    return {site, false};
}

void first_call_of_thread() {
    ensure_real_functions();
    if (!session.active.load(std::memory_order_acquire) || thread_state.depth != 0) {
        return;
    }
    thread_state.record = attach_thread();
    pthread_setspecific(thread_end_key, thread_state.record);
}

}  // namespace halocline::snapshot
