// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Messages of values alone: where they go is in the pattern.
#include "halocline/io/block_exchange.hpp"

#include <algorithm>
#include <cstring>

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

}  // namespace

BlockExchange::BlockExchange(const Communicator& comm, const RowPattern& pattern, int dim,
                             ElementType type)
    : comm_(comm), pattern_(pattern), row_bytes_(bytes_of(type) * static_cast<std::size_t>(dim)) {}

std::span<const std::byte> BlockExchange::collect(std::int64_t window, const RawDat& dat) {
    const std::span<const LocalIndex> leaving = pattern_.elements(window);
    owner_values_.resize(bytes_for(static_cast<std::int64_t>(leaving.size())));
    for (std::size_t i = 0; i < leaving.size(); ++i) {
        load_row(dat, leaving[i], &owner_values_[bytes_for(static_cast<std::int64_t>(i))]);
    }
    return place_rows(window, owner_values_.data());
}

std::span<const std::byte> BlockExchange::collect_sorted(std::int64_t window,
                                                         const std::byte* rows) {
    const std::ptrdiff_t first = pattern_.elements(window).data() - pattern_.elements().data();
    return place_rows(window, rows + bytes_for(first));
}

std::span<const std::byte> BlockExchange::place_rows(std::int64_t window,
                                                     const std::byte* leaving) {
    const RowPattern::Window& moves = pattern_.window(window);
    if (comm_.size() == 1) {  // they are in file order already
        return {leaving, bytes_for(rows(window).size())};
    }
    const std::span<std::byte> rows_of_block = room(window);
    arrived_.resize(rows_of_block.size());
    send_rows(leaving, moves.owner_counts, moves.owner_offsets, arrived_.data(), moves.block_counts,
              moves.block_offsets);
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::memcpy(&rows_of_block[bytes_for(moves.places[i])],
                    &arrived_[bytes_for(static_cast<std::int64_t>(i))], row_bytes_);
    }
    return rows_of_block;
}

void BlockExchange::send_rows(const std::byte* leaving, const std::vector<int>& send_counts,
                              const std::vector<int>& send_offsets, std::byte* arriving,
                              const std::vector<int>& recv_counts,
                              const std::vector<int>& recv_offsets) {
    const RowType row(row_bytes_);
    const auto self = static_cast<std::size_t>(comm_.rank());
    std::vector<MPI_Request> requests;
    for (std::size_t r = 0; r < recv_counts.size(); ++r) {
        if (recv_counts[r] > 0 && r != self) {
            requests.emplace_back();
            check_mpi(MPI_Irecv(arriving + bytes_for(recv_offsets[r]), recv_counts[r], row.get(),
                                static_cast<int>(r), tag, comm_.get(), &requests.back()),
                      "MPI_Irecv");
        }
    }
    for (std::size_t r = 0; r < send_counts.size(); ++r) {
        if (send_counts[r] > 0 && r != self) {
            requests.emplace_back();
            check_mpi(MPI_Isend(leaving + bytes_for(send_offsets[r]), send_counts[r], row.get(),
                                static_cast<int>(r), tag, comm_.get(), &requests.back()),
                      "MPI_Isend");
        }
    }
    std::copy_n(leaving + bytes_for(send_offsets[self]), bytes_for(send_counts[self]),
                arriving + bytes_for(recv_offsets[self]));
    comm_.wait_all(requests);
}

std::span<std::byte> BlockExchange::room(std::int64_t window) {
    block_values_.resize(bytes_for(rows(window).size()));
    return block_values_;
}

void BlockExchange::deliver(std::int64_t window, const RawDat& dat) {
    const RowPattern::Window& moves = pattern_.window(window);
    arrived_.resize(block_values_.size());
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::copy_n(&block_values_[bytes_for(moves.places[i])], row_bytes_,
                    &arrived_[bytes_for(static_cast<std::int64_t>(i))]);
    }
    const std::span<const LocalIndex> wanted = pattern_.elements(window);
    owner_values_.resize(bytes_for(static_cast<std::int64_t>(wanted.size())));
    send_rows(arrived_.data(), moves.block_counts, moves.block_offsets, owner_values_.data(),
              moves.owner_counts, moves.owner_offsets);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        store_row(dat, wanted[i], &owner_values_[bytes_for(static_cast<std::int64_t>(i))]);
    }
}

}  // namespace halocline
