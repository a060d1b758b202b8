// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Scheme p2p: one persistent send and one persistent receive a neighbour.
#include "halocline/core/communicator.hpp"
#include "halocline/dist/exchange/halo_transport.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

namespace {

constexpr int halo_tag = 7302;

class PersistentTransport final : public HaloTransport {
public:
    explicit PersistentTransport(const WirePlan& plan)
        : buffer_(plan.receive_buffer == nullptr ? plan.receive_size : 0),
          received_(plan.receive_buffer == nullptr ? buffer_.data() : plan.receive_buffer),
          indices_(plan.receives.size()) {
        for (const WireMessage& message : plan.receives) {
            receives_.push_back(MPI_REQUEST_NULL);
            check_mpi(
                MPI_Recv_init(received_ + message.offset, static_cast<int>(message.count),
                              MPI_DOUBLE, message.rank, halo_tag, plan.comm, &receives_.back()),
                "MPI_Recv_init");
        }
        for (const WireMessage& message : plan.sends) {
            sends_.push_back(MPI_REQUEST_NULL);
            check_mpi(
                MPI_Send_init(plan.send_buffer + message.offset, static_cast<int>(message.count),
                              MPI_DOUBLE, message.rank, halo_tag, plan.comm, &sends_.back()),
                "MPI_Send_init");
        }
    }

    ~PersistentTransport() override {
        if (!may_free_collectively()) {
            return;  // requests may be active
        }
        for (std::vector<MPI_Request>* requests : {&receives_, &sends_}) {
            for (MPI_Request& request : *requests) {
                MPI_Request_free(&request);
            }
        }
    }
    PersistentTransport(const PersistentTransport&) = delete;
    PersistentTransport& operator=(const PersistentTransport&) = delete;

    [[nodiscard]] const double* receive_buffer() const override { return received_; }

    void open() override {
        missing_ = static_cast<int>(receives_.size());
        if (missing_ > 0) {
            check_mpi(MPI_Startall(missing_, receives_.data()), "MPI_Startall");
        }
    }

    void send(std::size_t m) override { check_mpi(MPI_Start(&sends_[m]), "MPI_Start"); }

    bool poll(Wait wait, std::vector<int>& arrived) override {
        const auto count = static_cast<int>(receives_.size());
        if (missing_ > 0) {
            int done = 0;
            if (wait == Wait::yes) {
                check_mpi(MPI_Waitsome(count, receives_.data(), &done, indices_.data(),
                                       MPI_STATUSES_IGNORE),
                          "MPI_Waitsome");
            } else {
                check_mpi(MPI_Testsome(count, receives_.data(), &done, indices_.data(),
                                       MPI_STATUSES_IGNORE),
                          "MPI_Testsome");
            }
            arrived.insert(arrived.end(), indices_.begin(), indices_.begin() + done);
            missing_ -= done;
        }
        return missing_ == 0 && all_sent();
    }

    void finish() override {
        check_mpi(MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE),
                  "MPI_Waitall");
    }

private:
    bool all_sent() {
        int done = 1;
        check_mpi(
            MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &done, MPI_STATUSES_IGNORE),
            "MPI_Testall");
        return done != 0;
    }

    Buffer<double> buffer_;
    double* received_;
    std::vector<MPI_Request> receives_;
    std::vector<MPI_Request> sends_;
    std::vector<int> indices_;
    int missing_ = 0;
};

}  // namespace

std::unique_ptr<HaloTransport> make_p2p_transport(const WirePlan& plan) {
    return std::make_unique<PersistentTransport>(plan);
}

}  // namespace halocline::dist
