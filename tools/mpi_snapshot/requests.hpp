// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Requests whose message is counted only when it has arrived: receives, and persistent operations.
#pragma once

#include "communicators.hpp"
#include "family.hpp"
#include "functions.hpp"
#include "thread_record.hpp"

#include <mpi.h>

#include <cstdint>

namespace halocline::snapshot {

struct TrackedRequest {
    Group* group;          // of the source rank in the status
    std::uint64_t bytes;   // of a persistent send
    std::uint32_t serial;  // tells a request from a later one with the same handle
    std::int32_t peer;     // world rank of a persistent send, -1: none
    Function function;     // gets the bytes
    bool receives;
    bool persistent;
    bool active;
    bool device;
};

void track_request(MPI_Request request, TrackedRequest entry);
/// Copies the entry of a request; false when it is not tracked.
bool find_request(MPI_Request request, TrackedRequest& entry);
void activate_request(MPI_Request request, Function starter);
void forget_request(MPI_Request request);
/// Everything: what completed while recording was off was not seen.
void forget_all_requests();

void track_message(MPI_Message message, Group* group);
/// The group of a matched message, which is then forgotten; null when unknown.
Group* take_message(MPI_Message message);

/// A tracked request of a Wait or Test, found before the call: MPI overwrites the handle.
struct TrackedEntry {
    int index;
    std::uint64_t key;
    TrackedRequest request;
};

class Call;

/// Requests that a Wait or Test is about to complete.
class Completion {
public:
    explicit Completion(MPI_Request request);
    Completion(int count, const MPI_Request* requests);
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;

    int tracked() const { return count_; }
    void completed(Call& call, int index, const MPI_Status& status);
    void completed_all(Call& call, const MPI_Status* statuses);
    void completed_some(Call& call, int count, const int* indices, const MPI_Status* statuses);

private:
    void finish(Call& call, const TrackedEntry& entry, const MPI_Status& status);
    void look(int index, MPI_Request request);

    TrackedEntry single_;
    TrackedEntry* entries_ = &single_;
    int count_ = 0;
};

/// The caller's status, or one of our own under MPI_STATUS_IGNORE.
class OwnStatus {
public:
    explicit OwnStatus(MPI_Status* status)
        : pointer_(status == MPI_STATUS_IGNORE ? &own_ : status) {}
    OwnStatus(const OwnStatus&) = delete;
    OwnStatus& operator=(const OwnStatus&) = delete;
    MPI_Status* pointer() { return pointer_; }
    const MPI_Status& value() const { return *pointer_; }

private:
    MPI_Status own_{};
    MPI_Status* pointer_;
};

/// The same for arrays; under MPI_STATUSES_IGNORE only where something is tracked.
class OwnStatuses {
public:
    OwnStatuses(Completion& completion, int count, MPI_Status* statuses);
    MPI_Status* pointer() { return pointer_; }

private:
    MPI_Status* pointer_;
};

}  // namespace halocline::snapshot
