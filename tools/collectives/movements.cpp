// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Bcast, MPI_Allgather and MPI_Alltoall in pieces of bytes.
#include "collectives/byte_types.hpp"
#include "collectives/calls.hpp"

namespace halocline::endpoints {

namespace {

/// Counts may differ between ranks where types do, so thresholds of these calls count 8 bytes each.
constexpr std::size_t bytes_of_element = 8;

int rank_in(MPI_Comm communicator) {
    int rank = 0;
    real().Comm_rank(communicator, &rank);
    return rank;
}

class Bcast final : public Collective {
public:
    Bcast(Region region, int root, MPI_Comm communicator)
        : Collective(Function::bcast, communicator, region.count * size_of(region.type)),
          region_(region),
          root_(root) {}

    int plain() override {
        return plain::bcast(region_.buffer, static_cast<MPI_Count>(region_.count), region_.type,
                            root_, communicator());
    }
    void begin() override {
        is_root_ = rank_in(communicator()) == root_;
        stretch_ = Stretch(region_.buffer, region_.count, region_.type, is_root_);
    }
    void end() override {
        if (!is_root_) {
            stretch_.store();
        }
        stretch_ = {};
    }
    int piece(int index, int pieces, MPI_Comm on) override {
        const Piece cut = piece_of(stretch_.size(), pieces, index, byte_unit);
        if (cut.count == 0) {
            return MPI_SUCCESS;
        }
        const ByteType bytes(cut.count);
        return real().Bcast(stretch_.at(cut.first), bytes.count(), bytes.type(), root_, on);
    }
    [[nodiscard]] Region output() const override { return region_; }

private:
    Region region_;
    int root_;
    bool is_root_ = false;
    Stretch stretch_;
};

/// Allgather and Alltoall: `blocks` blocks of equal length are received, one or as many are sent.
class BlockExchange final : public Collective {
public:
    BlockExchange(Function function, Region send, Region block, MPI_Comm communicator)
        : Collective(function, communicator, block.count * size_of(block.type)),
          send_(send),
          block_(block) {
        int ranks = 1;
        real().Comm_size(communicator, &ranks);
        ranks_ = static_cast<std::size_t>(ranks);
    }

    int plain() override {
        const auto call = all_to_all() ? plain::alltoall : plain::allgather;
        return call(send_.buffer, static_cast<MPI_Count>(send_.count), send_.type, block_.buffer,
                    static_cast<MPI_Count>(block_.count), block_.type, communicator());
    }
    void begin() override {
        received_ = Stretch(block_.buffer, block_.count * ranks_, block_.type, in_place());
        if (!in_place()) {
            const std::size_t blocks = all_to_all() ? ranks_ : 1;
            sent_ = Stretch(send_.buffer, send_.count * blocks, send_.type, true);
        }
    }
    void end() override {
        received_.store();
        received_ = {};
        sent_ = {};
    }
    int piece(int index, int pieces, MPI_Comm on) override {
        const Piece cut = piece_of(bytes(), pieces, index, byte_unit);
        if (cut.count == 0) {
            return MPI_SUCCESS;
        }
        const ByteType strided(cut.count, bytes());
        const auto call = all_to_all() ? real().Alltoall : real().Allgather;
        const void* from = in_place() ? MPI_IN_PLACE : sent_.at(cut.first);
        return call(from, strided.count(), strided.type(), received_.at(cut.first), strided.count(),
                    strided.type(), on);
    }
    [[nodiscard]] Region output() const override {
        return {block_.buffer, block_.count * ranks_, block_.type};
    }

private:
    [[nodiscard]] bool in_place() const { return send_.buffer == MPI_IN_PLACE; }
    [[nodiscard]] bool all_to_all() const { return kind().function == Function::alltoall; }

    Region send_;
    Region block_;  ///< one block of the receive buffer
    std::size_t ranks_ = 1;
    Stretch sent_;
    Stretch received_;
};

bool qualifies(Function function, MPI_Count count, MPI_Datatype type, MPI_Comm communicator,
               const void* caller) {
    if (!may_split(communicator, type) || count < 0) {
        return false;
    }
    Session& session = Session::get();
    const std::size_t bytes = static_cast<std::size_t>(count) * size_of(type);
    const auto threshold = static_cast<std::size_t>(session.settings().bcast_threshold);
    if (too_short_to_watch(bytes) || bytes / bytes_of_element < threshold ||
        bytes < byte_unit * static_cast<std::size_t>(session.endpoints())) {
        session.count(function, Passed::small);
        return false;
    }
    return called_by_program(function, caller);
}

Region region(const void* buffer, MPI_Count count, MPI_Datatype type) {
    return {const_cast<void*>(buffer), static_cast<std::size_t>(count), type};
}

}  // namespace

int bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator,
          const void* caller) {
    if (!qualifies(Function::bcast, count, type, communicator, caller)) {
        return plain::bcast(buffer, count, type, root, communicator);
    }
    const Guard guard;
    Bcast call(region(buffer, count, type), root, communicator);
    return perform(call);
}

int allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
              MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm communicator,
              const void* caller) {
    if (!qualifies(Function::allgather, receive_count, receive_type, communicator, caller)) {
        return plain::allgather(send, send_count, send_type, receive, receive_count, receive_type,
                                communicator);
    }
    const Guard guard;
    BlockExchange call(Function::allgather, region(send, send_count, send_type),
                       region(receive, receive_count, receive_type), communicator);
    return perform(call);
}

int alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
             MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm communicator,
             const void* caller) {
    if (!qualifies(Function::alltoall, receive_count, receive_type, communicator, caller)) {
        return plain::alltoall(send, send_count, send_type, receive, receive_count, receive_type,
                               communicator);
    }
    const Guard guard;
    BlockExchange call(Function::alltoall, region(send, send_count, send_type),
                       region(receive, receive_count, receive_type), communicator);
    return perform(call);
}

}  // namespace halocline::endpoints
