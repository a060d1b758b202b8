// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allreduce and MPI_Reduce in pieces of elements: count, type and operation are equal everywhere.
#include "collectives/calls.hpp"

#include "collectives/byte_types.hpp"

#include <array>
#include <cstdint>

namespace halocline::endpoints {

namespace {

/// Predefined operations work element by element and commute; of others nothing is known.
bool is_predefined(MPI_Op op) {
    const std::array<MPI_Op, 12> known = {MPI_SUM,  MPI_MAX,  MPI_MIN,    MPI_PROD,
                                          MPI_LAND, MPI_BAND, MPI_LOR,    MPI_BOR,
                                          MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (const MPI_Op candidate : known) {
        if (candidate == op) {
            return true;
        }
    }
    return false;
}

Reduced::By kind_of(MPI_Op op) {
    if (op == MPI_SUM) {
        return Reduced::By::sum;
    }
    return op == MPI_PROD ? Reduced::By::product : Reduced::By::exactly;
}

struct Arguments {
    const void* send;
    void* receive;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
};

class Reduction : public Collective {
public:
    Reduction(Function function, const Arguments& arguments, MPI_Comm communicator)
        : Collective(function, communicator,
                     static_cast<std::size_t>(arguments.count) * size_of(arguments.type)),
          arguments_(arguments),
          extent_(extent_of(arguments.type)) {}

    [[nodiscard]] Reduced reduced() const override {
        const void* values = in_place() ? arguments_.receive : arguments_.send;
        return {kind_of(arguments_.op),
                {const_cast<void*>(values), static_cast<std::size_t>(arguments_.count),
                 arguments_.type}};
    }

protected:
    [[nodiscard]] Region whole_result() const {
        return {arguments_.receive, static_cast<std::size_t>(arguments_.count), arguments_.type};
    }
    [[nodiscard]] bool in_place() const { return arguments_.send == MPI_IN_PLACE; }
    [[nodiscard]] const Arguments& arguments() const { return arguments_; }

    /// The arguments of one piece; buffers that this rank does not have stay as they are.
    [[nodiscard]] Arguments of_piece(int index, int pieces, bool receives) const {
        const Piece piece = piece_of(static_cast<std::size_t>(arguments_.count), pieces, index);
        const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(piece.first) * extent_;
        Arguments cut = arguments_;
        cut.count = static_cast<MPI_Count>(piece.count);
        if (!in_place()) {
            cut.send = static_cast<const std::byte*>(arguments_.send) + offset;
        }
        if (receives) {
            cut.receive = static_cast<std::byte*>(arguments_.receive) + offset;
        }
        return cut;
    }

private:
    Arguments arguments_;
    MPI_Aint extent_;
};

class Allreduce final : public Reduction {
public:
    Allreduce(const Arguments& arguments, MPI_Comm communicator)
        : Reduction(Function::allreduce, arguments, communicator) {}

    int plain() override { return call(arguments(), communicator()); }
    int piece(int index, int pieces, MPI_Comm on) override {
        return call(of_piece(index, pieces, true), on);
    }
    [[nodiscard]] Region output() const override { return whole_result(); }

private:
    static int call(const Arguments& a, MPI_Comm on) {
        return plain::allreduce(a.send, a.receive, a.count, a.type, a.op, on);
    }
};

class Reduce final : public Reduction {
public:
    Reduce(const Arguments& arguments, int root, MPI_Comm communicator)
        : Reduction(Function::reduce, arguments, communicator), root_(root) {
        int rank = 0;
        real().Comm_rank(communicator, &rank);
        is_root_ = rank == root;
    }

    int plain() override { return call(arguments(), communicator()); }
    int piece(int index, int pieces, MPI_Comm on) override {
        return call(of_piece(index, pieces, is_root_), on);
    }
    [[nodiscard]] Region output() const override { return is_root_ ? whole_result() : Region{}; }

private:
    [[nodiscard]] int call(const Arguments& a, MPI_Comm on) const {
        return plain::reduce(a.send, a.receive, a.count, a.type, a.op, root_, on);
    }

    int root_;
    bool is_root_ = false;
};

/// Whether a reduction that is long enough goes on to be split; counts it where it does not.
bool qualifies(Function function, const Arguments& arguments, MPI_Comm communicator,
               const void* caller) {
    if (!may_split(communicator, arguments.type)) {
        return false;
    }
    Session& session = Session::get();
    if (arguments.count < 0 ||
        too_short_to_watch(static_cast<std::size_t>(arguments.count) * size_of(arguments.type))) {
        session.count(function, Passed::small);
        return false;
    }
    if (!is_predefined(arguments.op)) {
        session.count(function, Passed::user_operation);
        return false;
    }
    return called_by_program(function, caller);
}

}  // namespace

int allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
              MPI_Comm communicator, const void* caller) {
    const Arguments arguments{send, receive, count, type, op};
    if (!qualifies(Function::allreduce, arguments, communicator, caller)) {
        return plain::allreduce(send, receive, count, type, op, communicator);
    }
    const Guard guard;
    Allreduce call(arguments, communicator);
    return perform(call);
}

int reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm communicator, const void* caller) {
    const Arguments arguments{send, receive, count, type, op};
    if (!qualifies(Function::reduce, arguments, communicator, caller)) {
        return plain::reduce(send, receive, count, type, op, root, communicator);
    }
    const Guard guard;
    Reduce call(arguments, root, communicator);
    return perform(call);
}

}  // namespace halocline::endpoints
