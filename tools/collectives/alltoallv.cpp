// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallv and MPI_Alltoallv_c in pieces: the block of each pair of ranks is cut where both of them know its length.
//
// No argument of this function is equal on all ranks, so there is no threshold: whether it is split
// depends on the number of calls alone, and all calls of a communicator are decided on together.
#include "collectives/byte_types.hpp"
#include "collectives/calls.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace halocline::endpoints {

namespace {

/// A side as bytes. Where elements do not follow one another, or their places do not fit MPI's
/// integers any more, the blocks are packed one after the other.
template <class Count, class Place>
class Side {
public:
    Side() = default;
    Side(const Blocks<Count, Place>& blocks, std::size_t ranks, bool load)
        : blocks_(blocks), ranks_(ranks) {
        const std::size_t size = size_of(blocks.type);
        unit_ = std::gcd(size, byte_unit);
        lengths_.resize(ranks);
        starts_.resize(ranks);
        std::size_t largest = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            lengths_[rank] = static_cast<std::size_t>(blocks.counts[rank]) * size;
            starts_[rank] =
                static_cast<std::int64_t>(blocks.places[rank]) * static_cast<std::int64_t>(size);
            const std::int64_t end = starts_[rank] + static_cast<std::int64_t>(lengths_[rank]);
            largest = std::max(largest, static_cast<std::size_t>(std::max<std::int64_t>(end, 0)));
        }
        if (size == 0 || (is_contiguous(blocks.type) && std::in_range<Place>(largest / unit_))) {
            bytes_ = static_cast<std::byte*>(blocks.buffer);
        } else {
            pack_blocks(load);
        }
    }

    /// The arguments of one piece.
    struct Cut {
        std::vector<Count> counts;
        std::vector<Place> places;
    };
    [[nodiscard]] Cut cut(int index, int pieces) const {
        Cut cut{std::vector<Count>(ranks_), std::vector<Place>(ranks_)};
        const auto unit = static_cast<std::int64_t>(unit_);
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            const Piece piece = piece_of(lengths_[rank], pieces, index, byte_unit);
            cut.counts[rank] = static_cast<Count>(piece.count / unit_);
            const std::int64_t start = starts_[rank] + static_cast<std::int64_t>(piece.first);
            cut.places[rank] = piece.count > 0 ? static_cast<Place>(start / unit) : 0;
        }
        return cut;
    }

    /// Brings packed blocks back.
    void store() const {
        if (copy_.empty()) {
            return;
        }
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            unpack(copy_.data() + starts_[rank], place_of(rank),
                   static_cast<std::size_t>(blocks_.counts[rank]), blocks_.type);
        }
    }

    [[nodiscard]] std::byte* bytes() const { return bytes_; }
    [[nodiscard]] std::size_t unit() const { return unit_; }

private:
    [[nodiscard]] std::byte* place_of(std::size_t rank) const {
        return static_cast<std::byte*>(blocks_.buffer) +
               static_cast<MPI_Aint>(blocks_.places[rank]) * extent_of(blocks_.type);
    }

    void pack_blocks(bool load) {
        std::size_t total = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            starts_[rank] = static_cast<std::int64_t>(total);
            total += lengths_[rank];
        }
        copy_.resize(total + 1);  // not empty: packed
        bytes_ = copy_.data();
        for (std::size_t rank = 0; load && rank < ranks_; ++rank) {
            pack(place_of(rank), static_cast<std::size_t>(blocks_.counts[rank]), blocks_.type,
                 bytes_ + starts_[rank]);
        }
    }

    Blocks<Count, Place> blocks_;
    std::size_t ranks_ = 0;
    std::size_t unit_ = 1;
    std::vector<std::size_t> lengths_;
    std::vector<std::int64_t> starts_;
    std::byte* bytes_ = nullptr;
    std::vector<std::byte> copy_;
};

template <class Count, class Place>
std::size_t bytes_of(const Blocks<Count, Place>& blocks, std::size_t ranks) {
    const auto elements =
        std::accumulate(blocks.counts, blocks.counts + ranks, std::size_t{0},
                        [](std::size_t sum, Count n) { return sum + static_cast<std::size_t>(n); });
    return elements * size_of(blocks.type);
}

std::size_t ranks_of(MPI_Comm communicator) {
    int ranks = 1;
    real().Comm_size(communicator, &ranks);
    return static_cast<std::size_t>(ranks);
}

template <class Count, class Place>
int pass_on(const Blocks<Count, Place>& send, const Blocks<Count, Place>& receive, MPI_Comm on) {
    return plain::alltoallv(send.buffer, send.counts, send.places, send.type, receive.buffer,
                            receive.counts, receive.places, receive.type, on);
}

template <class Count, class Place>
class Alltoallv final : public Collective {
public:
    using OneSide = Blocks<Count, Place>;

    Alltoallv(const OneSide& send, const OneSide& receive, MPI_Comm communicator)
        : Collective(Function::alltoallv, communicator, bytes_of(receive, ranks_of(communicator))),
          send_(send),
          receive_(receive),
          ranks_(ranks_of(communicator)) {}

    int plain() override { return pass_on(send_, receive_, communicator()); }
    void begin() override {
        received_ = {receive_, ranks_, in_place()};
        if (!in_place()) {
            sent_ = {send_, ranks_, true};
        }
    }
    void end() override {
        received_.store();
        received_ = {};
        sent_ = {};
    }
    int piece(int index, int pieces, MPI_Comm on) override {
        const auto to = received_.cut(index, pieces);
        const ByteType to_unit(received_.unit(), received_.unit());
        const OneSide into{received_.bytes(), to.counts.data(), to.places.data(), to_unit.type()};
        if (in_place()) {
            return pass_on(OneSide{MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL}, into, on);
        }
        const auto from = sent_.cut(index, pieces);
        const ByteType from_unit(sent_.unit(), sent_.unit());
        const OneSide out{sent_.bytes(), from.counts.data(), from.places.data(), from_unit.type()};
        return pass_on(out, into, on);
    }
    /// The stretch from the first block to the end of the last.
    [[nodiscard]] Region output() const override {
        std::int64_t first = INT64_MAX;
        std::int64_t end = INT64_MIN;
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            if (receive_.counts[rank] > 0) {
                const std::int64_t place = receive_.places[rank];
                first = std::min(first, place);
                end = std::max(end, place + receive_.counts[rank]);
            }
        }
        if (first >= end) {
            return {};
        }
        auto* start = static_cast<std::byte*>(receive_.buffer) + first * extent_of(receive_.type);
        return {start, static_cast<std::size_t>(end - first), receive_.type};
    }

private:
    [[nodiscard]] bool in_place() const { return send_.buffer == MPI_IN_PLACE; }

    OneSide send_;
    OneSide receive_;
    std::size_t ranks_;
    Side<Count, Place> sent_;
    Side<Count, Place> received_;
};

}  // namespace

template <class Count, class Place>
int alltoallv(const Blocks<Count, Place>& send, const Blocks<Count, Place>& receive,
              MPI_Comm communicator, const void* caller) {
    const bool splits = may_split(communicator, receive.type) && receive.counts != nullptr &&
                        receive.places != nullptr && called_by_program(Function::alltoallv, caller);
    Endpoints* const endpoints = splits ? Communicators::get().of(communicator) : nullptr;
    if (endpoints == nullptr || !endpoints->splittable() ||
        too_short_to_watch(bytes_of(receive, static_cast<std::size_t>(endpoints->size())))) {
        return pass_on(send, receive, communicator);
    }
    const Guard guard;
    Alltoallv<Count, Place> call(send, receive, communicator);
    return perform(call);
}

template int alltoallv(const Blocks<int, int>&, const Blocks<int, int>&, MPI_Comm, const void*);
#if MPI_VERSION >= 4
template int alltoallv(const Blocks<MPI_Count, MPI_Aint>&, const Blocks<MPI_Count, MPI_Aint>&,
                       MPI_Comm, const void*);
#endif

}  // namespace halocline::endpoints
