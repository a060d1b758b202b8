// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of tracked requests and what happens when they complete.
#include "requests.hpp"

#include "call.hpp"
#include "handle_table.hpp"
#include "spin_lock.hpp"

namespace halocline::snapshot {

namespace {

constexpr std::uint64_t request_key = 3;
constexpr std::uint64_t message_key = 4;
constexpr int shard_count = 16;

struct Shard {
    SpinLock lock;
    HandleTable<TrackedRequest> requests;
};
Shard shards[shard_count];
SpinLock messages_lock;
HandleTable<Group*> messages;
std::atomic<std::uint32_t> last_serial{0};
// Programs that only send never pay for look-ups.
std::atomic<bool> anything_tracked{false};

Shard& shard_of(std::uint64_t key) { return shards[(mix(key) >> 40) % shard_count]; }

bool find_by_key(std::uint64_t key, TrackedRequest& entry) {
    Shard& shard = shard_of(key);
    MpiLockGuard guard(shard.lock);
    const TrackedRequest* found = shard.requests.find(key);
    if (found != nullptr) {
        entry = *found;
    }
    return found != nullptr;
}

/// A request is gone, or at rest if it is persistent; unless the handle already names a later one.
void retire(const TrackedEntry& entry) {
    Shard& shard = shard_of(entry.key);
    MpiLockGuard guard(shard.lock);
    TrackedRequest* found = shard.requests.find(entry.key);
    if (found == nullptr || found->serial != entry.request.serial) {
        return;
    }
    if (found->persistent) {
        found->active = false;
    } else {
        shard.requests.erase(entry.key);
    }
}

}  // namespace

void track_request(MPI_Request request, TrackedRequest entry) {
    if (request == predefined.no_request) {
        return;
    }
    entry.serial = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::uint64_t key = key_of(request, request_key);
    Shard& shard = shard_of(key);
    MpiLockGuard guard(shard.lock);
    if (TrackedRequest* place = shard.requests.insert(key)) {
        *place = entry;
    }
    anything_tracked.store(true, std::memory_order_relaxed);
}

bool find_request(MPI_Request request, TrackedRequest& entry) {
    return anything_tracked.load(std::memory_order_relaxed) &&
           find_by_key(key_of(request, request_key), entry);
}

void activate_request(MPI_Request request, Function starter) {
    const std::uint64_t key = key_of(request, request_key);
    Shard& shard = shard_of(key);
    MpiLockGuard guard(shard.lock);
    if (TrackedRequest* found = shard.requests.find(key)) {
        found->active = true;
        found->function = starter;
    }
}

void forget_request(MPI_Request request) {
    if (anything_tracked.load(std::memory_order_relaxed)) {
        const std::uint64_t key = key_of(request, request_key);
        Shard& shard = shard_of(key);
        MpiLockGuard guard(shard.lock);
        shard.requests.erase(key);
    }
}

void forget_all_requests() {
    for (Shard& shard : shards) {
        MpiLockGuard guard(shard.lock);
        shard.requests.clear();
    }
}

void track_message(MPI_Message message, Group* group) {
    MpiLockGuard guard(messages_lock);
    if (Group** place = messages.insert(key_of(message, message_key))) {
        *place = group;
    }
}

Group* take_message(MPI_Message message) {
    const std::uint64_t key = key_of(message, message_key);
    MpiLockGuard guard(messages_lock);
    Group** found = messages.find(key);
    Group* group = found == nullptr ? nullptr : *found;
    messages.erase(key);
    return group;
}

void Completion::look(int index, MPI_Request request) {
    TrackedEntry& entry = entries_[count_];
    if (request == predefined.no_request || !find_request(request, entry.request)) {
        return;
    }
    entry.index = index;
    entry.key = key_of(request, request_key);
    count_ += entry.request.persistent && !entry.request.active ? 0 : 1;
}

Completion::Completion(MPI_Request request) { look(0, request); }

Completion::Completion(int count, const MPI_Request* requests) {
    if (count <= 0 || !anything_tracked.load(std::memory_order_relaxed)) {
        return;
    }
    entries_ = thread_state.record->entries.at_least(static_cast<std::size_t>(count));
    for (int i = 0; entries_ != nullptr && i < count; ++i) {
        look(i, requests[i]);
    }
}

void Completion::finish(Call& call, const TrackedEntry& entry, const MPI_Status& status) {
    retire(entry);
    const TrackedRequest& request = entry.request;
    if (!request.receives || is_cancelled(status)) {
        return;
    }
    const std::uint64_t bytes = bytes_in(status);
    call.add_completed(bytes);
    FunctionStats* stats = call.record().stats(request.function);
    if (stats == nullptr) {
        return;
    }
    stats->received_bytes.add(bytes);
    Bin& bin = stats->bins[bin_of(bytes)];
    bin.calls.add(1);
    bin.bytes.add(bytes);
    stats->late_calls.add(1);
    if (request.device) {
        stats->device_calls.add(1);
        stats->device_bytes.add(bytes);
    }
    if (status.MPI_SOURCE == MPI_PROC_NULL) {
        return;
    }
    const int source = request.group == nullptr ? -1 : request.group->world_rank(status.MPI_SOURCE);
    if (Peer* peer = call.record().peer(source)) {
        peer->received_messages.add(1);
        peer->received_bytes.add(bytes);
    } else {
        call.record().unknown_peer_bytes.add(bytes);
        call.record().unknown_peer_received_bytes.add(bytes);
    }
}

void Completion::completed(Call& call, int index, const MPI_Status& status) {
    // Entries are in ascending order of their index.
    int low = 0, high = count_;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (entries_[middle].index < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < count_ && entries_[low].index == index) {
        finish(call, entries_[low], status);
    }
}

void Completion::completed_all(Call& call, const MPI_Status* statuses) {
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count_; ++i) {
        finish(call, entries_[i], statuses[entries_[i].index]);
    }
}

void Completion::completed_some(Call& call, int count, const int* indices,
                                const MPI_Status* statuses) {
    if (count == MPI_UNDEFINED || count_ == 0 || statuses == MPI_STATUSES_IGNORE) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        completed(call, indices[i], statuses[i]);
    }
}

OwnStatuses::OwnStatuses(Completion& completion, int count, MPI_Status* statuses)
    : pointer_(statuses) {
    if (statuses == MPI_STATUSES_IGNORE && completion.tracked() > 0) {
        MPI_Status* own = thread_state.record->statuses.at_least(static_cast<std::size_t>(count));
        pointer_ = own == nullptr ? MPI_STATUSES_IGNORE : own;
    }
}

}  // namespace halocline::snapshot
