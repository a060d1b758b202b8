// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checked MPI calls behind Communicator.
#include "halocline/core/communicator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <thread>

#include "halocline/core/error.hpp"

namespace halocline {

void check_mpi(int status, const char* call) {
    if (status == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    throw RunError(std::string(call) + " failed on rank " + std::to_string(rank) + " (" +
                   std::string(text.data(), static_cast<std::size_t>(length)) + ").");
}

MpiEnvironment::MpiEnvironment(int& argc, char**& argv, int required_thread_level) {
    int provided = 0;
    check_mpi(MPI_Init_thread(&argc, &argv, required_thread_level, &provided), "MPI_Init_thread");
    if (provided < required_thread_level) {
        MPI_Finalize();
        throw EnvironmentError(
            "the MPI library offers a lower thread level than this program needs "
            "(MPI_Init_thread). Use an MPI built with thread support.");
    }
}

MpiEnvironment::~MpiEnvironment() { MPI_Finalize(); }

Communicator::Communicator(MPI_Comm comm, Waiting waiting) : waiting_(waiting), comm_(comm) {
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

namespace {

/// Polls again after 20 microseconds at first and 1 millisecond at last.
void wait_asleep(std::span<MPI_Request> requests) {
    constexpr auto longest = std::chrono::microseconds(1000);
    auto pause = std::chrono::microseconds(20);
    const auto count = static_cast<int>(requests.size());
    for (;;) {
        int done = 0;
        check_mpi(MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
        if (done != 0) {
            return;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, longest);
    }
}

void wait_asleep(MPI_Request request) { wait_asleep(std::span(&request, 1)); }

template <class T>
T all_reduce(T value, MPI_Datatype type, MPI_Op op, const Communicator& comm, Waiting waiting) {
    if (comm.size() == 1) {
        return value;
    }
    T result{};
    if (waiting == Waiting::asleep) {
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(MPI_Iallreduce(&value, &result, 1, type, op, comm.get(), &request),
                  "MPI_Iallreduce");
        wait_asleep(request);
    } else {
        check_mpi(MPI_Allreduce(&value, &result, 1, type, op, comm.get()), "MPI_Allreduce");
    }
    return result;
}

template <class T>
std::vector<T> gather_all(std::span<const T> values, MPI_Datatype type, int size, MPI_Comm comm) {
    std::vector<T> result(values.size() * static_cast<std::size_t>(size));
    const int count = static_cast<int>(values.size());
    check_mpi(MPI_Allgather(values.data(), count, type, result.data(), count, type, comm),
              "MPI_Allgather");
    return result;
}

}  // namespace

void Communicator::barrier() const {
    if (size_ == 1) {
        return;
    }
    if (waiting_ == Waiting::asleep) {
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
        wait_asleep(request);
    } else {
        check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
    }
}

void Communicator::wait_all(std::span<MPI_Request> requests) const {
    if (requests.empty()) {
        return;
    }
    if (waiting_ == Waiting::asleep) {
        wait_asleep(requests);
    } else {
        check_mpi(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
    }
}

double Communicator::min(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_MIN, *this, waiting_);
}
double Communicator::max(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_MAX, *this, waiting_);
}
double Communicator::sum(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_SUM, *this, waiting_);
}
std::int64_t Communicator::sum(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_SUM, *this, waiting_);
}
std::int64_t Communicator::max(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_MAX, *this, waiting_);
}
std::int64_t Communicator::min(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_MIN, *this, waiting_);
}

std::int64_t Communicator::exclusive_sum(std::int64_t value) const {
    std::int64_t result = 0;
    check_mpi(MPI_Exscan(&value, &result, 1, MPI_INT64_T, MPI_SUM, comm_), "MPI_Exscan");
    return rank_ == 0 ? 0 : result;
}

std::vector<std::int64_t> Communicator::all_gather(std::span<const std::int64_t> values) const {
    return gather_all(values, MPI_INT64_T, size_, comm_);
}

std::vector<double> Communicator::all_gather(std::span<const double> values) const {
    return gather_all(values, MPI_DOUBLE, size_, comm_);
}

std::vector<std::int64_t> Communicator::all_to_all(std::span<const std::int64_t> values) const {
    std::vector<std::int64_t> received(values.size());
    const int each = static_cast<int>(values.size()) / size_;
    check_mpi(
        MPI_Alltoall(values.data(), each, MPI_INT64_T, received.data(), each, MPI_INT64_T, comm_),
        "MPI_Alltoall");
    return received;
}

bool Communicator::is_on_one_host() const {
    MPI_Comm host = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
              "MPI_Comm_split_type");
    int ranks = 1;
    MPI_Comm_size(host, &ranks);
    MPI_Comm_free(&host);
    return min(std::int64_t{ranks}) == size_;
}

void Communicator::broadcast_bytes(void* bytes, std::size_t size, int root) const {
    if (size_ == 1) {
        return;
    }
    const auto count = static_cast<int>(size);
    if (waiting_ == Waiting::asleep) {
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(MPI_Ibcast(bytes, count, MPI_BYTE, root, comm_, &request), "MPI_Ibcast");
        wait_asleep(request);
    } else {
        check_mpi(MPI_Bcast(bytes, count, MPI_BYTE, root, comm_), "MPI_Bcast");
    }
}

std::string Communicator::broadcast(const std::string& text) const {
    std::int64_t length = static_cast<std::int64_t>(text.size());
    broadcast_bytes(&length, sizeof length, 0);
    std::string result = text;
    result.resize(static_cast<std::size_t>(length));
    broadcast_bytes(result.data(), result.size(), 0);
    return result;
}

void Communicator::agree(int code, const std::string& message) const {
    const std::int64_t mine = code == 0 ? size_ : rank_;
    const std::int64_t first = min(mine);
    if (first == size_) {
        return;
    }
    const int root = static_cast<int>(first);
    std::array<std::int64_t, 2> header{code, static_cast<std::int64_t>(message.size())};
    broadcast_bytes(header.data(), sizeof header, root);
    std::string text = message;
    text.resize(static_cast<std::size_t>(header[1]));
    broadcast_bytes(text.data(), text.size(), root);
    throw Error(static_cast<ExitCode>(header[0]), text);
}

OwnedCommunicator::OwnedCommunicator(const Communicator& original, Waiting waiting)
    : raw_([&] {
          MPI_Comm copy = MPI_COMM_NULL;
          check_mpi(MPI_Comm_dup(original.get(), &copy), "MPI_Comm_dup");
          return copy;
      }()),
      comm_(raw_, waiting) {}

OwnedCommunicator::~OwnedCommunicator() {
    if (may_free_collectively()) {
        MPI_Comm_free(&raw_);
    }
}

bool may_free_collectively() {
    int finished = 0;
    MPI_Finalized(&finished);
    return finished == 0 && std::uncaught_exceptions() == 0;
}

BlockRange block_range(std::int64_t total, int rank, int size) noexcept {
    const std::int64_t share = total / size;
    const std::int64_t rest = total % size;
    const std::int64_t begin = rank * share + std::min<std::int64_t>(rank, rest);
    return {begin, begin + share + (rank < rest ? 1 : 0)};
}

int block_owner(std::int64_t index, std::int64_t total, int size) noexcept {
    const std::int64_t share = total / size;
    const std::int64_t rest = total % size;
    const std::int64_t large = rest * (share + 1);
    return static_cast<int>(index < large ? index / (share + 1) : rest + (index - large) / share);
}

}  // namespace halocline
