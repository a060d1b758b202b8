// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Scheme neighbor: one MPI_Ineighbor_alltoallv over a graph of the ranks that share elements.
#include <limits>
#include <numeric>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/halo_transport.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

namespace {

/// One direction as the collective wants it.
struct Side {
    std::vector<int> ranks;
    std::vector<int> counts;
    std::vector<int> displacements;

    explicit Side(std::span<const WireMessage> messages) {
        for (const WireMessage& message : messages) {
            validate<ContractError>(
                message.offset + message.count <= std::numeric_limits<int>::max(),
                "halo scheme 'neighbor' cannot send more than 2147483647 values from one rank (MPI "
                "counts them in 32 bits). Use more ranks or --halo-scheme p2p.");
            ranks.push_back(message.rank);
            counts.push_back(static_cast<int>(message.count));
            displacements.push_back(static_cast<int>(message.offset));
        }
    }
    [[nodiscard]] int degree() const { return static_cast<int>(ranks.size()); }
};

class NeighborTransport final : public HaloTransport {
public:
    explicit NeighborTransport(const WirePlan& plan)
        : send_buffer_(plan.send_buffer),
          sends_(plan.sends),
          receives_(plan.receives),
          buffer_(plan.receive_size) {
        check_mpi(
            MPI_Dist_graph_create_adjacent(plan.comm, receives_.degree(), receives_.ranks.data(),
                                           MPI_UNWEIGHTED, sends_.degree(), sends_.ranks.data(),
                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph_),
            "MPI_Dist_graph_create_adjacent");
    }

    ~NeighborTransport() override {
        if (may_free_collectively()) {
            MPI_Comm_free(&graph_);
        }
    }
    NeighborTransport(const NeighborTransport&) = delete;
    NeighborTransport& operator=(const NeighborTransport&) = delete;

    [[nodiscard]] const double* receive_buffer() const override { return buffer_.data(); }

    void open() override {}
    void send(std::size_t) override {}

    void close() override {
        check_mpi(
            MPI_Ineighbor_alltoallv(send_buffer_, sends_.counts.data(), sends_.displacements.data(),
                                    MPI_DOUBLE, buffer_.data(), receives_.counts.data(),
                                    receives_.displacements.data(), MPI_DOUBLE, graph_, &request_),
            "MPI_Ineighbor_alltoallv");
    }

    bool poll(Wait wait, std::vector<int>& arrived) override {
        if (request_ == MPI_REQUEST_NULL) {
            return true;
        }
        int done = 1;
        if (wait == Wait::yes) {
            check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
        } else {
            check_mpi(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
        }
        if (done == 0) {
            return false;
        }
        const std::size_t first = arrived.size();
        arrived.resize(first + receives_.ranks.size());
        std::iota(arrived.begin() + static_cast<std::ptrdiff_t>(first), arrived.end(), 0);
        return true;
    }

    /// A rank that only sends has nothing to poll for.
    void finish() override { check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

private:
    const double* send_buffer_;
    Side sends_;
    Side receives_;
    Buffer<double> buffer_;
    MPI_Comm graph_ = MPI_COMM_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

std::unique_ptr<HaloTransport> make_neighbor_transport(const WirePlan& plan) {
    return std::make_unique<NeighborTransport>(plan);
}

}  // namespace halocline::dist
