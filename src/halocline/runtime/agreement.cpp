// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A minimum of a hash and of its negative shows whether all are equal.
#include "halocline/runtime/agreement.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// FNV-1a, without the sign: its negative exists.
std::int64_t hash_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return static_cast<std::int64_t>(hash >> 1U);
}

}  // namespace

CollectiveAgreement::CollectiveAgreement(const Communicator& comm, double patience_s)
    : CallListener(comm), patience_s_(patience_s) {
    check_mpi(MPI_Comm_dup(comm.get(), &comm_), "MPI_Comm_dup");
}

CollectiveAgreement::~CollectiveAgreement() {
    if (gave_up_) {
        static_cast<void>(words_.release());
    } else if (may_free_collectively()) {
        MPI_Comm_free(&comm_);
    }
}

double CollectiveAgreement::patience_on(Backend backend) {
#if defined(HALOCLINE_DEBUG)
    constexpr bool is_developer_build = true;
#else
    constexpr bool is_developer_build = false;
#endif
    return is_developer_build || backend == Backend::check ? 30.0 : 0.0;
}

void CollectiveAgreement::await(MPI_Request& request, const std::string& call) {
    if (patience_s_ <= 0.0) {
        check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        return;
    }
    int done = 0;
    for (const double start_s = wall_seconds(); wall_seconds() - start_s < patience_s_;) {
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done != 0) {
            return;
        }
        usleep(100);
    }
    gave_up_ = true;
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    throw ContractError("rank " + std::to_string(rank) + " " + call +
                        " and waits for ranks that do not come (all ranks have to, in the same "
                        "order). Call it on every rank.");
}

void CollectiveAgreement::enter(const std::string& call) {
    const std::int64_t hash = hash_of(call);
    words_->mine = {hash, -hash};
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(words_->mine.data(), words_->lowest.data(), 2, MPI_INT64_T, MPI_MIN,
                             comm_, &request),
              "MPI_Iallreduce");
    await(request, call);
    if (words_->lowest[0] != -words_->lowest[1]) {
        report(call);
    }
}

void CollectiveAgreement::report(const std::string& call) const {
    constexpr std::size_t length = 120;
    const Communicator comm(comm_);
    std::string mine = call.substr(0, length - 1);
    mine.resize(length, '\0');
    std::vector<char> all(length * static_cast<std::size_t>(comm.size()));
    check_mpi(MPI_Allgather(mine.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, comm_),
              "MPI_Allgather");
    const std::string first(all.data());
    int other = 1;
    while (other + 1 < comm.size() && first == &all[length * static_cast<std::size_t>(other)]) {
        ++other;
    }
    throw ContractError("ranks entered different calls (rank 0 " + first + ", rank " +
                        std::to_string(other) + " " +
                        &all[length * static_cast<std::size_t>(other)] +
                        "; each waits for all). Call both on every rank, in the same order.");
}

}  // namespace halocline
