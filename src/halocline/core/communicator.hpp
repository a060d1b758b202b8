// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI with checked calls: the environment, communicators and the few collectives we need.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halocline {

/// Throws `RunError` naming the call, MPI's text and the rank, unless `status` is MPI_SUCCESS.
void check_mpi(int status, const char* call);

/// The level to ask of MPI for a process whose threads, this many, leave MPI to the first one. One
/// thread asks for MPI_THREAD_SINGLE: from FUNNELED on, small messages of Open MPI 4.1 cost 12 to 33 %
/// more (docs/decisions/0037-one-thread-asks-for-single.md).
[[nodiscard]] inline int thread_level_for(int threads) {
    return threads > 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
}

/// MPI_Init_thread … MPI_Finalize as an object; lives in main only.
class MpiEnvironment {
public:
    /// Starts MPI with `required_thread_level`, MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE. Throws
    /// EnvironmentError where the library offers less. Collective over MPI_COMM_WORLD.
    MpiEnvironment(int& argc, char**& argv, int required_thread_level);
    ~MpiEnvironment();
    MpiEnvironment(const MpiEnvironment&) = delete;
    MpiEnvironment& operator=(const MpiEnvironment&) = delete;
};

/// How a thread waits for other ranks: at once awake, or without taking a core from those that compute.
enum class Waiting { awake, asleep };

/// A communicator, borrowed. All member functions but rank/size are collective. On one rank none of
/// them calls MPI, so that any thread may use them whatever the thread level.
class Communicator {
public:
    /// Borrows `comm`; errors of MPI become exceptions. `asleep` counts for what threads beside the
    /// main one need: barrier, agree, broadcast, min, max, sum, wait_all.
    explicit Communicator(MPI_Comm comm, Waiting waiting = Waiting::awake);

    /// This process, 0 to size() - 1. Not collective.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// Number of processes. Not collective.
    [[nodiscard]] int size() const noexcept { return size_; }
    /// Whether this is rank 0, which prints and writes. Not collective.
    [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
    /// The communicator as MPI knows it. Not collective.
    [[nodiscard]] MPI_Comm get() const noexcept { return comm_; }

    /// Returns when all ranks have entered. Collective, as all that follows to `broadcast`.
    void barrier() const;
    /// Smallest value of all ranks, on every rank. Collective.
    [[nodiscard]] double min(double value) const;
    /// Largest value of all ranks, on every rank. Collective.
    [[nodiscard]] double max(double value) const;
    /// Sum over all ranks, in an order that MPI chooses: rounding may differ between runs.
    /// Collective.
    [[nodiscard]] double sum(double value) const;
    /// Exact sum over all ranks, on every rank. Collective.
    [[nodiscard]] std::int64_t sum(std::int64_t value) const;
    /// Largest value of all ranks, on every rank. Collective.
    [[nodiscard]] std::int64_t max(std::int64_t value) const;
    /// Smallest value of all ranks, on every rank. Collective.
    [[nodiscard]] std::int64_t min(std::int64_t value) const;
    /// Sum over the ranks before this one (0 on rank 0).
    [[nodiscard]] std::int64_t exclusive_sum(std::int64_t value) const;

    /// Every rank's values, concatenated by rank; all ranks give the same count.
    [[nodiscard]] std::vector<std::int64_t> all_gather(std::span<const std::int64_t> values) const;
    /// The same for doubles. Collective.
    [[nodiscard]] std::vector<double> all_gather(std::span<const double> values) const;

    /// Block `r` of `values`, all of one length, goes to rank r; returns what the ranks sent, by rank.
    [[nodiscard]] std::vector<std::int64_t> all_to_all(std::span<const std::int64_t> values) const;

    /// Whether all ranks share memory.
    [[nodiscard]] bool is_on_one_host() const;

    /// Rank 0's text on every rank.
    [[nodiscard]] std::string broadcast(const std::string& text) const;

    /// Throws the same error on every rank when any rank passes one (the lowest such rank's message).
    /// `code` 0 means this rank has nothing to report.
    void agree(int code, const std::string& message) const;

    /// Completes requests on this communicator. Not collective.
    void wait_all(std::span<MPI_Request> requests) const;

private:
    void broadcast_bytes(void* bytes, std::size_t size, int root) const;

    Waiting waiting_ = Waiting::awake;
    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 1;
};

/// A duplicate of a communicator, freed with the object unless an error is on its way out.
class OwnedCommunicator {
public:
    /// Collective.
    OwnedCommunicator(const Communicator& original, Waiting waiting);
    ~OwnedCommunicator();
    OwnedCommunicator(const OwnedCommunicator&) = delete;
    OwnedCommunicator& operator=(const OwnedCommunicator&) = delete;
    /// The duplicate, valid as long as this object.
    [[nodiscard]] const Communicator& get() const noexcept { return comm_; }

private:
    MPI_Comm raw_;
    Communicator comm_;
};

/// Half-open range [begin, end) of a block distribution.
struct BlockRange {
    std::int64_t begin = 0;  ///< first element
    std::int64_t end = 0;    ///< one past the last element
    /// Number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return end - begin; }
};

/// Rank's share of `total` elements: sizes differ by one at most, larger ones first.
[[nodiscard]] BlockRange block_range(std::int64_t total, int rank, int size) noexcept;

/// The rank whose block holds element `index` of `total`.
[[nodiscard]] int block_owner(std::int64_t index, std::int64_t total, int size) noexcept;

/// Whether MPI objects may be freed now: MPI is up, and no error is on its way out. Freeing windows and
/// communicators may wait for the other ranks, which have not failed.
[[nodiscard]] bool may_free_collectively();

/// Runs `work` and lets all ranks agree on its outcome: if it threw on any rank, every rank throws
/// that error. Collective; `work` itself must not be.
template <class Work>
void run_agreed(const Communicator& comm, Work&& work);

}  // namespace halocline

#include "halocline/core/communicator_impl.hpp"
