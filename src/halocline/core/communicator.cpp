// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checked MPI calls behind Communicator.
#include "halocline/core/communicator.hpp"

#include <algorithm>
#include <array>
#include <exception>

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

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

void Communicator::barrier() const { check_mpi(MPI_Barrier(comm_), "MPI_Barrier"); }

namespace {

template <class T>
T all_reduce(T value, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    T result{};
    check_mpi(MPI_Allreduce(&value, &result, 1, type, op, comm), "MPI_Allreduce");
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

double Communicator::min(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_MIN, comm_);
}
double Communicator::max(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_MAX, comm_);
}
double Communicator::sum(double value) const {
    return all_reduce(value, MPI_DOUBLE, MPI_SUM, comm_);
}
std::int64_t Communicator::sum(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_SUM, comm_);
}
std::int64_t Communicator::max(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_MAX, comm_);
}
std::int64_t Communicator::min(std::int64_t value) const {
    return all_reduce(value, MPI_INT64_T, MPI_MIN, comm_);
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

std::string Communicator::broadcast(const std::string& text) const {
    std::int64_t length = static_cast<std::int64_t>(text.size());
    check_mpi(MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm_), "MPI_Bcast");
    std::string result = text;
    result.resize(static_cast<std::size_t>(length));
    check_mpi(MPI_Bcast(result.data(), static_cast<int>(length), MPI_CHAR, 0, comm_), "MPI_Bcast");
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
    check_mpi(MPI_Bcast(header.data(), 2, MPI_INT64_T, root, comm_), "MPI_Bcast");
    std::string text = message;
    text.resize(static_cast<std::size_t>(header[1]));
    check_mpi(MPI_Bcast(text.data(), static_cast<int>(header[1]), MPI_CHAR, root, comm_),
              "MPI_Bcast");
    throw Error(static_cast<ExitCode>(header[0]), text);
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
