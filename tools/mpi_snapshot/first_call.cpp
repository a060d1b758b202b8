// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finding the MPI library behind this one, and meeting each thread for the first time.
#include "call.hpp"
#include "family.hpp"
#include "hot.hpp"
#include "modules.hpp"
#include "real_functions.hpp"
#include "spin_lock.hpp"

#include <dlfcn.h>
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

/// The MPI library where it was loaded out of sight of RTLD_NEXT: by dlopen, as mpi4py does.
void* hidden_library() {
    static void* library = [] {
        for (const char* name : {"libmpi.so", "libmpich.so"}) {
            const char* path = loaded_file(name);
            void* handle = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
            if (handle != nullptr) {
                return handle;
            }
        }
        return static_cast<void*>(nullptr);
    }();
    return library;
}

}  // namespace

namespace {

void* find_from(void* first, const char* name) {
    if (void* found = dlsym(first, name)) {
        return found;
    }
    void* library = hidden_library();
    return library == nullptr ? nullptr : dlsym(library, name);
}

}  // namespace

void* find_mpi_function(const char* name) { return find_from(RTLD_NEXT, name); }

// The linker may have copied the library's data into the program: everyone then uses the copy.
void* find_mpi_data(const char* name) { return find_from(RTLD_DEFAULT, name); }

void ensure_real_functions() {
    if (found_functions.load(std::memory_order_acquire)) {
        return;
    }
    find_lock.lock();
    if (!found_functions.load(std::memory_order_relaxed)) {
        find_real_functions(find_mpi_function);
        pthread_key_create(&thread_end_key, end_of_thread);
        found_functions.store(true, std::memory_order_release);
    }
    find_lock.unlock();
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
