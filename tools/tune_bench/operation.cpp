// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Three kinds of collectives: a barrier, those that move pieces, those that add up.
#include "operation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

namespace halocline::tune_bench {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr int root = 0;

class Barrier final : public Operation {
public:
    int run(MPI_Comm comm) override { return MPI_Barrier(comm); }
    void clear() override {}
    bool correct() const override { return true; }
};

/// Byte k of the piece that `source` has for `target`.
unsigned char moved(int source, int target, std::int64_t k) {
    return static_cast<unsigned char>(source * 31 + target * 17 + k * 7 + 3);
}

/// Which pieces a function moves: pieces of the send and of the receive buffer of this rank.
enum class Movement { bcast, gather, scatter, allgather, alltoall };

struct MovementOf {
    Movement kind;
    bool by_vectors;  // Gatherv, …: counts and displacements
};

const std::map<std::string, MovementOf> movements = {
    {"Bcast", {Movement::bcast, false}},         {"Gather", {Movement::gather, false}},
    {"Gatherv", {Movement::gather, true}},       {"Scatter", {Movement::scatter, false}},
    {"Scatterv", {Movement::scatter, true}},     {"Allgather", {Movement::allgather, false}},
    {"Allgatherv", {Movement::allgather, true}}, {"Alltoall", {Movement::alltoall, false}},
    {"Alltoallv", {Movement::alltoall, true}}};

/// Moves pieces of equal size.
class Move final : public Operation {
public:
    Move(MovementOf what, const Call& call) : what_(what), call_(call), piece_(piece_of(call)) {
        const auto members = static_cast<std::size_t>(call.members);
        counts_.assign(members, static_cast<int>(piece_));
        for (std::size_t i = 0; i < members; ++i) {
            places_.push_back(static_cast<int>(static_cast<std::int64_t>(i) * piece_));
        }
        send_.resize(static_cast<std::size_t>(piece_) * sends());
        receive_.resize(static_cast<std::size_t>(piece_) * receives());
        fill();
    }

    int run(MPI_Comm comm) override {
        return what_.by_vectors ? run_vectors(comm) : run_plain(comm);
    }

    void clear() override {
        if (what_.kind != Movement::bcast) {
            std::fill(receive_.begin(), receive_.end(), static_cast<unsigned char>(0));
        } else if (call_.rank != root) {
            std::fill(send_.begin(), send_.end(), static_cast<unsigned char>(0));
        }
    }

    bool correct() const override {
        const Bytes& found = what_.kind == Movement::bcast ? send_ : receive_;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            const int source = static_cast<int>(place / piece_);
            if (found[i] != expected(source, place % piece_)) {
                return false;
            }
        }
        return true;
    }

private:
    std::int64_t piece_of(const Call& call) const {
        const bool shared = what_.kind == Movement::alltoall;
        return std::max<std::int64_t>(shared ? call.bytes / call.members : call.bytes, 1);
    }

    bool at_root() const { return call_.rank == root; }

    std::size_t sends() const {
        const auto members = static_cast<std::size_t>(call_.members);
        switch (what_.kind) {
            case Movement::scatter:
                return at_root() ? members : 0;
            case Movement::alltoall:
                return members;
            default:
                return 1;
        }
    }

    std::size_t receives() const {
        const auto members = static_cast<std::size_t>(call_.members);
        switch (what_.kind) {
            case Movement::bcast:
                return 0;
            case Movement::scatter:
                return 1;
            case Movement::gather:
                return at_root() ? members : 0;
            default:
                return members;
        }
    }

    void fill() {
        for (std::size_t i = 0; i < send_.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            send_[i] = moved(call_.rank, static_cast<int>(place / piece_), place % piece_);
        }
    }

    /// What must stand at byte k of the piece that came from `source`.
    unsigned char expected(int source, std::int64_t k) const {
        switch (what_.kind) {
            case Movement::bcast:
                return moved(root, 0, k);
            case Movement::scatter:
                return moved(root, call_.rank, k);
            case Movement::alltoall:
                return moved(source, call_.rank, k);
            default:
                return moved(source, 0, k);
        }
    }

    int run_plain(MPI_Comm comm) {
        const int count = static_cast<int>(piece_);
        unsigned char *from = send_.data(), *to = receive_.data();
        switch (what_.kind) {
            case Movement::bcast:
                return MPI_Bcast(from, count, MPI_BYTE, root, comm);
            case Movement::gather:
                return MPI_Gather(from, count, MPI_BYTE, to, count, MPI_BYTE, root, comm);
            case Movement::scatter:
                return MPI_Scatter(from, count, MPI_BYTE, to, count, MPI_BYTE, root, comm);
            case Movement::allgather:
                return MPI_Allgather(from, count, MPI_BYTE, to, count, MPI_BYTE, comm);
            case Movement::alltoall:
                return MPI_Alltoall(from, count, MPI_BYTE, to, count, MPI_BYTE, comm);
        }
        return MPI_ERR_OTHER;
    }

    int run_vectors(MPI_Comm comm) {
        const int count = static_cast<int>(piece_);
        const int *counts = counts_.data(), *places = places_.data();
        unsigned char *from = send_.data(), *to = receive_.data();
        switch (what_.kind) {
            case Movement::gather:
                return MPI_Gatherv(from, count, MPI_BYTE, to, counts, places, MPI_BYTE, root, comm);
            case Movement::scatter:
                return MPI_Scatterv(from, counts, places, MPI_BYTE, to, count, MPI_BYTE, root,
                                    comm);
            case Movement::allgather:
                return MPI_Allgatherv(from, count, MPI_BYTE, to, counts, places, MPI_BYTE, comm);
            case Movement::alltoall:
                return MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE,
                                     comm);
            case Movement::bcast:
                break;
        }
        return MPI_ERR_OTHER;
    }

    MovementOf what_;
    Call call_;
    std::int64_t piece_;
    std::vector<int> counts_, places_;
    Bytes send_, receive_;
};

enum class Sum { reduce, allreduce, reduce_scatter, reduce_scatter_block, scan, exscan };

const std::map<std::string, Sum> sums = {{"Reduce", Sum::reduce},
                                         {"Allreduce", Sum::allreduce},
                                         {"Reduce_scatter", Sum::reduce_scatter},
                                         {"Reduce_scatter_block", Sum::reduce_scatter_block},
                                         {"Scan", Sum::scan},
                                         {"Exscan", Sum::exscan}};

template <class T>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<double>() {
    return MPI_DOUBLE;
}
template <>
MPI_Datatype type_of<int>() {
    return MPI_INT;
}
template <>
MPI_Datatype type_of<unsigned char>() {
    return MPI_UNSIGNED_CHAR;
}

/// Adds up elements; element k of rank r is r + 1 + k mod 16.
template <class T>
class Add final : public Operation {
public:
    Add(Sum what, const Call& call) : what_(what), call_(call) {
        const auto size = static_cast<std::int64_t>(sizeof(T));
        block_ = std::max<std::int64_t>(call.bytes / size / (divides() ? call.members : 1), 1);
        const std::int64_t elements = block_ * (divides() ? call.members : 1);
        for (std::int64_t k = 0; k < elements; ++k) {
            own_.push_back(static_cast<T>(call.rank + 1 + k % 16));
        }
        sum_.resize(static_cast<std::size_t>(block_));
        counts_.assign(static_cast<std::size_t>(call.members), static_cast<int>(block_));
    }

    int run(MPI_Comm comm) override {
        const int count = static_cast<int>(block_);
        const MPI_Datatype type = type_of<T>();
        const T* from = own_.data();
        T* to = sum_.data();
        switch (what_) {
            case Sum::reduce:
                return MPI_Reduce(from, to, count, type, MPI_SUM, root, comm);
            case Sum::allreduce:
                return MPI_Allreduce(from, to, count, type, MPI_SUM, comm);
            case Sum::reduce_scatter:
                return MPI_Reduce_scatter(from, to, counts_.data(), type, MPI_SUM, comm);
            case Sum::reduce_scatter_block:
                return MPI_Reduce_scatter_block(from, to, count, type, MPI_SUM, comm);
            case Sum::scan:
                return MPI_Scan(from, to, count, type, MPI_SUM, comm);
            case Sum::exscan:
                return MPI_Exscan(from, to, count, type, MPI_SUM, comm);
        }
        return MPI_ERR_OTHER;
    }

    void clear() override { std::fill(sum_.begin(), sum_.end(), T{}); }

    bool correct() const override {
        if ((what_ == Sum::reduce && call_.rank != root) ||
            (what_ == Sum::exscan && call_.rank == 0)) {
            return true;  // nothing is promised there
        }
        const std::int64_t first = divides() ? block_ * call_.rank : 0;
        for (std::int64_t k = 0; k < block_; ++k) {
            if (sum_[static_cast<std::size_t>(k)] != expected(first + k)) {
                return false;
            }
        }
        return true;
    }

private:
    bool divides() const {
        return what_ == Sum::reduce_scatter || what_ == Sum::reduce_scatter_block;
    }

    T expected(std::int64_t k) const {
        const std::int64_t ranks = what_ == Sum::scan     ? call_.rank + 1
                                   : what_ == Sum::exscan ? call_.rank
                                                          : call_.members;
        return static_cast<T>(ranks * (ranks + 1) / 2 + ranks * (k % 16));
    }

    Sum what_;
    Call call_;
    std::int64_t block_ = 1;
    std::vector<T> own_, sum_;
    std::vector<int> counts_;
};

}  // namespace

std::unique_ptr<Operation> make_operation(const std::string& function, const Call& call) {
    if (call.bytes * call.members > std::numeric_limits<int>::max()) {
        return nullptr;  // displacements are ints
    }
    if (function == "Barrier") {
        return std::make_unique<Barrier>();
    }
    if (const auto found = movements.find(function); found != movements.end()) {
        return std::make_unique<Move>(found->second, call);
    }
    const auto found = sums.find(function);
    if (found == sums.end()) {
        return nullptr;
    }
    if (call.bytes % static_cast<std::int64_t>(sizeof(double)) == 0) {
        return std::make_unique<Add<double>>(found->second, call);
    }
    if (call.bytes % static_cast<std::int64_t>(sizeof(int)) == 0) {
        return std::make_unique<Add<int>>(found->second, call);
    }
    return std::make_unique<Add<unsigned char>>(found->second, call);
}

}  // namespace halocline::tune_bench
