// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Messages of values alone: where they go is in the pattern.
#include "halocline/io/block_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "halocline/io/row_gather.hpp"

namespace halocline {

namespace {

constexpr int tag = 1961;  // none of a halo exchange, which may use the same communicator

/// A row as one MPI element, so that counts stay below 2^31.
class RowType {
public:
    explicit RowType(std::size_t bytes) {
        check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_),
                  "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    }
    ~RowType() { MPI_Type_free(&type_); }
    RowType(const RowType&) = delete;
    RowType& operator=(const RowType&) = delete;
    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Calls `move(place of the value in `dat`, row, offset within the row)` for the values of an element.
template <class Move>
void for_each_value(const RawDat& dat, LocalIndex element, const Move& move) {
    const std::size_t bytes = bytes_of(dat.type);
    for (int d = 0; d < dat.dim; ++d) {
        move(dat.bytes() + static_cast<std::size_t>(dat.layout.offset(element, d)) * bytes,
             static_cast<std::size_t>(d) * bytes, bytes);
    }
}

void load_row(const RawDat& dat, LocalIndex element, std::byte* row) {
    for_each_value(dat, element, [&](const std::byte* value, std::size_t at, std::size_t bytes) {
        std::memcpy(row + at, value, bytes);
    });
}

void store_row(const RawDat& dat, LocalIndex element, const std::byte* row) {
    for_each_value(dat, element, [&](std::byte* value, std::size_t at, std::size_t bytes) {
        std::memcpy(value, row + at, bytes);
    });
}

void grow(Buffer<std::byte>& buffer, std::size_t bytes) {
    if (buffer.size() < bytes) {
        buffer.release();
        buffer = Buffer<std::byte>(bytes);
    }
}

}  // namespace

BlockExchange::BlockExchange(const Communicator& comm, const RowPattern& pattern,
                             ExchangeMemory& memory, int dim, ElementType type)
    : comm_(comm),
      pattern_(pattern),
      memory_(memory),
      row_bytes_(bytes_of(type) * static_cast<std::size_t>(dim)) {}

/// Rows of this rank's own block stay where they are: `copy_rows` takes them from there.
void BlockExchange::collect(std::int64_t window, const RawDat& dat, RowOrder order) {
    window_ = window;
    dat_ = dat;
    order_ = order;
    if (comm_.size() == 1) {
        return;
    }
    const RowPattern::Window& moves = pattern_.window(window);
    const std::byte* leaving = dat.bytes() + bytes_for(first_listed());
    if (order == RowOrder::local) {
        pack_leaving(moves, pattern_.elements(window));
        leaving = memory_.leaving.data();
    }
    grow(memory_.arrived, bytes_for(rows(window).size()));
    send_rows(leaving, moves.owner_counts, moves.owner_offsets, memory_.arrived.data(),
              moves.block_counts, moves.block_offsets);
}

/// Where the window's elements begin among `RowPattern::elements()`.
std::int64_t BlockExchange::first_listed() const {
    return pattern_.elements(window_).data() - pattern_.elements().data();
}

void BlockExchange::pack_leaving(const RowPattern::Window& moves,
                                 std::span<const LocalIndex> elements) {
    grow(memory_.leaving, bytes_for(static_cast<std::int64_t>(elements.size())));
    const auto own = static_cast<std::size_t>(moves.owner_offsets[self()]);
    const std::size_t behind = own + static_cast<std::size_t>(moves.owner_counts[self()]);
    const auto gather = [&](std::span<const LocalIndex> some, std::byte* to) {
        gather_rows(dat_, some, some.subspan(std::min(rows_ahead, some.size())), to);
    };
    gather(elements.first(own), memory_.leaving.data());
    gather(elements.subspan(behind), memory_.leaving.data() + behind * row_bytes_);
}

void BlockExchange::copy_rows(std::int64_t first, std::int64_t count, std::byte* to) const {
    const RowPattern::Window& moves = pattern_.window(window_);
    const std::int32_t* const arrivals = moves.arrivals.data() + first;
    const auto own_begin = static_cast<std::uint32_t>(moves.block_offsets[self()]);
    const auto own_count = static_cast<std::uint32_t>(moves.block_counts[self()]);
    const std::span<const LocalIndex> own = pattern_.elements(window_).subspan(
        static_cast<std::size_t>(moves.owner_offsets[self()]), own_count);
    const std::byte* const listed =
        dat_.bytes() + bytes_for(first_listed() + moves.owner_offsets[self()]);
    const std::byte* const arrived = memory_.arrived.data();
    const auto stride = static_cast<std::size_t>(dat_.layout.block_stride) * bytes_of(dat_.type);
    const bool by_block = order_ == RowOrder::by_block;
    const bool whole = by_block || has_whole_rows(dat_);
    with_row_size(row_bytes_, [&](auto bytes) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto arrival = static_cast<std::uint32_t>(arrivals[i]);
            const std::uint32_t k = arrival - own_begin;  // wraps for rows before this rank's own
            std::byte* const row = to + static_cast<std::size_t>(i) * bytes;
            if (k >= own_count) {
                std::memcpy(row, arrived + std::size_t{arrival} * bytes, bytes);
            } else if (by_block) {
                std::memcpy(row, listed + std::size_t{k} * bytes, bytes);
            } else if (whole) {
                const std::size_t ahead = std::min<std::size_t>(k + rows_ahead, own_count - 1);
                __builtin_prefetch(dat_.bytes() + static_cast<std::size_t>(own[ahead]) * stride, 0,
                                   second_cache);
                std::memcpy(row, dat_.bytes() + static_cast<std::size_t>(own[k]) * stride, bytes);
            } else {
                load_row(dat_, own[k], row);
            }
        }
    });
}

/// Rows for this rank itself stay where they are.
void BlockExchange::send_rows(const std::byte* leaving, const std::vector<int>& send_counts,
                              const std::vector<int>& send_offsets, std::byte* arriving,
                              const std::vector<int>& recv_counts,
                              const std::vector<int>& recv_offsets) {
    const RowType row(row_bytes_);
    std::vector<MPI_Request> requests;
    for (std::size_t r = 0; r < recv_counts.size(); ++r) {
        if (recv_counts[r] > 0 && r != self()) {
            requests.emplace_back();
            check_mpi(MPI_Irecv(arriving + bytes_for(recv_offsets[r]), recv_counts[r], row.get(),
                                static_cast<int>(r), tag, comm_.get(), &requests.back()),
                      "MPI_Irecv");
        }
    }
    for (std::size_t r = 0; r < send_counts.size(); ++r) {
        if (send_counts[r] > 0 && r != self()) {
            requests.emplace_back();
            check_mpi(MPI_Isend(leaving + bytes_for(send_offsets[r]), send_counts[r], row.get(),
                                static_cast<int>(r), tag, comm_.get(), &requests.back()),
                      "MPI_Isend");
        }
    }
    comm_.wait_all(requests);
}

void BlockExchange::deliver(std::int64_t window, std::span<const std::byte> block,
                            const RawDat& dat) {
    const RowPattern::Window& moves = pattern_.window(window);
    grow(memory_.arrived, block.size());
    for (std::size_t row = 0; row < moves.arrivals.size(); ++row) {
        std::memcpy(&memory_.arrived[bytes_for(moves.arrivals[row])], &block[row * row_bytes_],
                    row_bytes_);
    }
    const std::span<const LocalIndex> wanted = pattern_.elements(window);
    grow(memory_.leaving, bytes_for(static_cast<std::int64_t>(wanted.size())));
    send_rows(memory_.arrived.data(), moves.block_counts, moves.block_offsets,
              memory_.leaving.data(), moves.owner_counts, moves.owner_offsets);
    std::copy_n(memory_.arrived.data() + bytes_for(moves.block_offsets[self()]),
                bytes_for(moves.block_counts[self()]),
                memory_.leaving.data() + bytes_for(moves.owner_offsets[self()]));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        store_row(dat, wanted[i], &memory_.leaving[i * row_bytes_]);
    }
}

}  // namespace halocline
