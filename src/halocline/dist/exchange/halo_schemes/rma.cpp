// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Scheme rma: each rank puts its values into its neighbours' windows, between post, start, complete
// and wait.
#include <numeric>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"

namespace halocline::dist {

namespace {

constexpr int offset_tag = 7303;

/// Windows are whole cache lines: MPICH 4.0.2 rounds sizes itself but not the places of the others'
/// windows in shared memory, so that puts land beside their goal where sizes are odd and differ.
constexpr std::size_t values_a_line = 8;

std::vector<int> ranks_of(std::span<const WireMessage> messages) {
    std::vector<int> ranks;
    for (const WireMessage& message : messages) {
        ranks.push_back(message.rank);
    }
    return ranks;
}

/// Ranks of a communicator as a group.
class Group {
public:
    Group(MPI_Comm comm, const std::vector<int>& ranks) {
        MPI_Group all = MPI_GROUP_NULL;
        check_mpi(MPI_Comm_group(comm, &all), "MPI_Comm_group");
        check_mpi(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &group_),
                  "MPI_Group_incl");
        MPI_Group_free(&all);
    }
    ~Group() {
        if (may_free_collectively() && group_ != MPI_GROUP_EMPTY) {
            MPI_Group_free(&group_);
        }
    }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    [[nodiscard]] MPI_Group get() const { return group_; }

private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

/// Where in each neighbour's window this rank's message belongs: the receiver tells.
std::vector<MPI_Aint> exchange_offsets(const WirePlan& plan) {
    std::vector<std::int64_t> theirs(plan.sends.size());
    std::vector<std::int64_t> mine;
    for (const WireMessage& message : plan.receives) {
        mine.push_back(static_cast<std::int64_t>(message.offset));
    }
    std::vector<MPI_Request> requests;
    for (std::size_t m = 0; m < plan.sends.size(); ++m) {
        requests.push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Irecv(&theirs[m], 1, MPI_INT64_T, plan.sends[m].rank, offset_tag, plan.comm,
                            &requests.back()),
                  "MPI_Irecv");
    }
    for (std::size_t m = 0; m < plan.receives.size(); ++m) {
        requests.push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Isend(&mine[m], 1, MPI_INT64_T, plan.receives[m].rank, offset_tag, plan.comm,
                            &requests.back()),
                  "MPI_Isend");
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    return {theirs.begin(), theirs.end()};
}

class RmaTransport final : public HaloTransport {
public:
    explicit RmaTransport(const WirePlan& plan)
        : sends_(plan.sends.begin(), plan.sends.end()),
          send_buffer_(plan.send_buffer),
          receives_(static_cast<int>(plan.receives.size())),
          sources_(plan.comm, ranks_of(plan.receives)),
          targets_(plan.comm, ranks_of(plan.sends)),
          offsets_(exchange_offsets(plan)) {
        const std::size_t lines = (plan.receive_size + values_a_line - 1) / values_a_line;
        const auto bytes = static_cast<MPI_Aint>(lines * values_a_line * sizeof(double));
        check_mpi(MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, plan.comm,
                                   static_cast<void*>(&buffer_), &window_),
                  "MPI_Win_allocate");
        MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
    }

    ~RmaTransport() override {
        if (may_free_collectively()) {
            MPI_Win_free(&window_);
        }
    }
    RmaTransport(const RmaTransport&) = delete;
    RmaTransport& operator=(const RmaTransport&) = delete;

    [[nodiscard]] const double* receive_buffer() const override { return buffer_; }

    void open() override {
        if (receives_ > 0) {  // MPI libraries differ on empty groups
            check_mpi(MPI_Win_post(sources_.get(), 0, window_), "MPI_Win_post");
            exposed_ = true;
        }
    }

    /// Starting waits for the targets to post, which they do before they pack.
    void send(std::size_t m) override {
        if (!accessing_) {
            check_mpi(MPI_Win_start(targets_.get(), 0, window_), "MPI_Win_start");
            accessing_ = true;
        }
        const auto count = static_cast<int>(sends_[m].count);
        check_mpi(MPI_Put(send_buffer_ + sends_[m].offset, count, MPI_DOUBLE, sends_[m].rank,
                          offsets_[m], count, MPI_DOUBLE, window_),
                  "MPI_Put");
    }

    bool poll(Wait wait, std::vector<int>& arrived) override {
        finish();  // nobody's wait ends before its neighbours complete
        if (!exposed_) {
            return true;
        }
        int done = 1;
        if (wait == Wait::yes) {
            check_mpi(MPI_Win_wait(window_), "MPI_Win_wait");
        } else {
            check_mpi(MPI_Win_test(window_, &done), "MPI_Win_test");
        }
        if (done == 0) {
            return false;
        }
        exposed_ = false;
        const std::size_t first = arrived.size();
        arrived.resize(first + static_cast<std::size_t>(receives_));
        std::iota(arrived.begin() + static_cast<std::ptrdiff_t>(first), arrived.end(), 0);
        return true;
    }

    void finish() override {
        if (accessing_) {
            check_mpi(MPI_Win_complete(window_), "MPI_Win_complete");
            accessing_ = false;
        }
    }

private:
    std::vector<WireMessage> sends_;
    const double* send_buffer_;
    int receives_;
    Group sources_;
    Group targets_;
    std::vector<MPI_Aint> offsets_;
    double* buffer_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
    bool exposed_ = false;    ///< neighbours may put
    bool accessing_ = false;  ///< this rank may put
};

}  // namespace

std::unique_ptr<HaloTransport> make_rma_transport(const WirePlan& plan) {
    return std::make_unique<RmaTransport>(plan);
}

}  // namespace halocline::dist
