// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The tables of communicators and windows.
#include "communicators.hpp"

#include "family.hpp"
#include "functions.hpp"
#include "groups.hpp"
#include "handle_table.hpp"
#include "hot.hpp"
#include "session.hpp"
#include "spin_lock.hpp"
#include "thread_record.hpp"

#include <cstring>

namespace halocline::snapshot {

namespace {

constexpr std::uint64_t communicator_key = 1;
constexpr std::uint64_t window_key = 2;

SpinLock table_lock;
HandleTable<Communicator*> by_handle;
Communicator* listed[listed_communicators];
std::atomic<std::uint32_t> listed_count{0};
// Raised when a handle is freed: what threads remember about handles is then worth nothing.
HALOCLINE_HOT constinit std::atomic<std::uint64_t> generation{1};
Group nobody{0, 0, nullptr, nullptr};
Communicator unknown;

Group* group_of(MPI_Comm handle, int (*ask)(MPI_Comm, MPI_Group*)) {
    MPI_Group group = predefined.no_group;
    if (ask(handle, &group) != MPI_SUCCESS) {
        return &nobody;
    }
    Group* found = intern_group(group);
    real.MPI_Group_free(&group);
    return found == nullptr ? &nobody : found;
}

void list(Communicator& communicator) {
    const std::uint32_t index = listed_count.load(std::memory_order_relaxed);
    communicator.listed = index < listed_communicators;
    communicator.index =
        static_cast<std::uint16_t>(communicator.listed ? index : listed_communicators);
    if (communicator.listed) {
        listed[index] = &communicator;
        listed_count.store(index + 1, std::memory_order_release);
    }
}

Communicator* describe(MPI_Comm handle) {
    auto* made = allocate_array<Communicator>(1);
    if (made == nullptr) {
        return nullptr;
    }
    int inter = 0;
    real.MPI_Comm_test_inter(handle, &inter);
    real.MPI_Comm_rank(handle, &made->rank);
    made->inter = inter != 0;
    made->local = group_of(handle, real.MPI_Comm_group);
    made->waits = made->inter || made->local->size > 1;
    made->peers = made->inter ? group_of(handle, real.MPI_Comm_remote_group) : made->local;
    made->peer_count = made->peers->size;
    // Both sides of an inter-communicator must come to the same number.
    const std::uint64_t members = made->local->hash + (made->inter ? made->peers->hash + 1 : 0);
    made->id = mix(members + 0x9e3779b97f4a7c15u * (next_ordinal(members) + 1));
    list(*made);
    return made;
}

Communicator& look_up(MPI_Comm handle) {
    const std::uint64_t key = key_of(handle, communicator_key);
    MpiLockGuard guard(table_lock);
    if (Communicator** known = by_handle.find(key)) {
        return **known;
    }
    Communicator* made = describe(handle);
    Communicator** place = made == nullptr ? nullptr : by_handle.insert(key);
    if (place == nullptr) {
        return unknown;
    }
    *place = made;
    return *made;
}

void forget(std::uint64_t key) {
    MpiLockGuard guard(table_lock);
    by_handle.erase(key);
    generation.fetch_add(1, std::memory_order_release);
}

}  // namespace

bool start_communicators(bool has_world) {
    unknown.local = unknown.peers = &nobody;
    unknown.index = listed_communicators;
    if (!start_groups()) {
        return false;
    }
    if (has_world) {
        look_up(predefined.world);
        look_up(predefined.self);
        std::strcpy(listed[0]->name, "MPI_COMM_WORLD");
        std::strcpy(listed[1]->name, "MPI_COMM_SELF");
    }
    return true;
}

Communicator& find_communicator(ThreadRecord& record, MPI_Comm handle) {
    const std::uint64_t now = generation.load(std::memory_order_acquire);
    auto& recent = record.recent_communicators;
    if (record.recent_generation != now) {
        recent[0] = recent[1] = {};
        record.recent_generation = now;
    }
    for (const RecentCommunicator& each : recent) {
        if (each.handle == handle && each.communicator != nullptr) {
            return *each.communicator;
        }
    }
    Communicator& found = handle == predefined.no_comm ? unknown : look_up(handle);
    recent[1] = recent[0];
    recent[0] = {handle, &found};
    return found;
}

void forget_communicator(MPI_Comm handle) {
    if (session.active.load(std::memory_order_relaxed) && handle != predefined.no_comm) {
        forget(key_of(handle, communicator_key));
    }
}

Communicator* find_window(MPI_Win window) {
    MpiLockGuard guard(table_lock);
    Communicator** known = by_handle.find(key_of(window, window_key));
    return known == nullptr ? nullptr : *known;
}

void add_window(MPI_Win window, Communicator& communicator) {
    MpiLockGuard guard(table_lock);
    if (Communicator** place = by_handle.insert(key_of(window, window_key))) {
        *place = &communicator;
    }
}

void forget_window(MPI_Win window) {
    if (session.active.load(std::memory_order_relaxed)) {
        forget(key_of(window, window_key));
    }
}

std::uint32_t communicator_count() { return listed_count.load(std::memory_order_acquire); }
Communicator* communicator_at(std::uint32_t index) { return listed[index]; }

}  // namespace halocline::snapshot
