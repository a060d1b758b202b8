// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One counting sort at the start, then one all-to-all of ids and one of values a window.
#include "halocline/io/block_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

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

std::vector<int> offsets_of(const std::vector<int>& counts) {
    std::vector<int> offsets(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
    return offsets;
}

void load_row(const RawDat& dat, LocalIndex element, std::byte* row) {
    const std::size_t bytes = bytes_of(dat.type);
    for (int d = 0; d < dat.dim; ++d) {
        const std::byte* value =
            dat.bytes() + static_cast<std::size_t>(dat.layout.offset(element, d)) * bytes;
        std::memcpy(row + static_cast<std::size_t>(d) * bytes, value, bytes);
    }
}

void store_row(const RawDat& dat, LocalIndex element, const std::byte* row) {
    const std::size_t bytes = bytes_of(dat.type);
    for (int d = 0; d < dat.dim; ++d) {
        std::byte* value =
            dat.bytes() + static_cast<std::size_t>(dat.layout.offset(element, d)) * bytes;
        std::memcpy(value, row + static_cast<std::size_t>(d) * bytes, bytes);
    }
}

}  // namespace

BlockExchange::BlockExchange(const Communicator& comm, const SetPart& set, int dim,
                             ElementType type, std::size_t window_bytes)
    : comm_(comm), set_(set), row_bytes_(bytes_of(type) * static_cast<std::size_t>(dim)) {
    window_rows_ = static_cast<std::int64_t>(std::max<std::size_t>(1, window_bytes / row_bytes_));
    // Rank 0's block is the largest.
    const std::int64_t largest = block_range(set.global_size, 0, comm.size()).size();
    windows_ = (largest + window_rows_ - 1) / window_rows_;
    const GlobalIndex owned = comm_.sum(static_cast<std::int64_t>(set.owned));
    run_agreed(comm_, [&] {
        validate<ContractError>(owned == set.global_size,
                                "set '" + set.name + "' has " + std::to_string(set.global_size) +
                                    " elements, but ranks own " + std::to_string(owned) + ".");
        sort_elements();
    });
}

BlockRange BlockExchange::rows(std::int64_t window) const noexcept {
    const BlockRange block = block_range(set_.global_size, comm_.rank(), comm_.size());
    const std::int64_t begin = std::min(block.end, block.begin + window * window_rows_);
    return {begin, std::min(block.end, begin + window_rows_)};
}

std::size_t BlockExchange::bytes_for(std::int64_t rows) const noexcept {
    return static_cast<std::size_t>(rows) * row_bytes_;
}

std::int64_t BlockExchange::window_of(GlobalIndex id, int block_rank) const noexcept {
    return (id - block_range(set_.global_size, block_rank, comm_.size()).begin) / window_rows_;
}

void BlockExchange::sort_elements() {
    const auto ranks = static_cast<std::int64_t>(comm_.size());
    const auto bucket_of = [&](LocalIndex element) {
        const GlobalIndex id = set_.global_id(element);
        if (id < 0 || id >= set_.global_size) {
            throw ContractError("set '" + set_.name + "' has an element with global id " +
                                std::to_string(id) + " of " + std::to_string(set_.global_size) +
                                ".");
        }
        const int block_rank = block_owner(id, set_.global_size, comm_.size());
        return static_cast<std::size_t>(window_of(id, block_rank) * ranks + block_rank);
    };
    offsets_.assign(static_cast<std::size_t>(windows_ * ranks) + 1, 0);
    for (LocalIndex element = 0; element < set_.owned; ++element) {
        ++offsets_[bucket_of(element) + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
    elements_.resize(static_cast<std::size_t>(set_.owned));
    for (LocalIndex element = 0; element < set_.owned; ++element) {
        elements_[static_cast<std::size_t>(next[bucket_of(element)]++)] = element;
    }
}

std::span<const LocalIndex> BlockExchange::elements(std::int64_t window) const {
    const auto first = static_cast<std::size_t>(window * comm_.size());
    const std::int64_t begin = offsets_[first];
    const std::int64_t end = offsets_[first + static_cast<std::size_t>(comm_.size())];
    return std::span(elements_).subspan(static_cast<std::size_t>(begin),
                                        static_cast<std::size_t>(end - begin));
}

BlockExchange::Plan BlockExchange::plan(std::int64_t window) const {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    Plan plan;
    plan.owner_counts.resize(ranks);
    plan.block_counts.resize(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t bucket = static_cast<std::size_t>(window) * ranks + rank;
        plan.owner_counts[rank] = static_cast<int>(offsets_[bucket + 1] - offsets_[bucket]);
    }
    check_mpi(MPI_Alltoall(plan.owner_counts.data(), 1, MPI_INT, plan.block_counts.data(), 1,
                           MPI_INT, comm_.get()),
              "MPI_Alltoall");
    plan.owner_offsets = offsets_of(plan.owner_counts);
    plan.block_offsets = offsets_of(plan.block_counts);
    std::vector<GlobalIndex> ids;
    for (const LocalIndex element : elements(window)) {
        ids.push_back(set_.global_id(element));
    }
    plan.places.resize(static_cast<std::size_t>(plan.block_offsets.back()) +
                       static_cast<std::size_t>(plan.block_counts.back()));
    check_mpi(MPI_Alltoallv(ids.data(), plan.owner_counts.data(), plan.owner_offsets.data(),
                            MPI_INT64_T, plan.places.data(), plan.block_counts.data(),
                            plan.block_offsets.data(), MPI_INT64_T, comm_.get()),
              "MPI_Alltoallv");
    for (std::int64_t& place : plan.places) {
        place -= rows(window).begin;
    }
    require_complete(plan, window);
    return plan;
}

void BlockExchange::require_complete(const Plan& plan, std::int64_t window) const {
    run_agreed(comm_, [&] {
        std::vector<char> seen(static_cast<std::size_t>(rows(window).size()), 0);
        for (const std::int64_t place : plan.places) {
            seen[static_cast<std::size_t>(place)] = 1;
        }
        if (plan.places.size() != seen.size() ||
            std::find(seen.begin(), seen.end(), 0) != seen.end()) {
            throw ContractError("set '" + set_.name +
                                "' has elements owned by no rank or by several ranks.");
        }
    });
}

std::span<const std::byte> BlockExchange::collect(std::int64_t window, const RawDat& dat) {
    const std::span<std::byte> rows_of_block = room(window);
    if (comm_.size() == 1) {
        for (const LocalIndex element : elements(window)) {
            const std::int64_t place = set_.global_id(element) - rows(window).begin;
            load_row(dat, element, &rows_of_block[bytes_for(place)]);
        }
        return rows_of_block;
    }
    const Plan moves = plan(window);
    const std::span<const LocalIndex> leaving = elements(window);
    owner_values_.resize(bytes_for(static_cast<std::int64_t>(leaving.size())));
    for (std::size_t i = 0; i < leaving.size(); ++i) {
        load_row(dat, leaving[i], &owner_values_[bytes_for(static_cast<std::int64_t>(i))]);
    }
    arrived_.resize(rows_of_block.size());
    const RowType row(row_bytes_);
    check_mpi(
        MPI_Alltoallv(owner_values_.data(), moves.owner_counts.data(), moves.owner_offsets.data(),
                      row.get(), arrived_.data(), moves.block_counts.data(),
                      moves.block_offsets.data(), row.get(), comm_.get()),
        "MPI_Alltoallv");
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::copy_n(&arrived_[bytes_for(static_cast<std::int64_t>(i))], row_bytes_,
                    &rows_of_block[bytes_for(moves.places[i])]);
    }
    return rows_of_block;
}

std::span<std::byte> BlockExchange::room(std::int64_t window) {
    block_values_.resize(bytes_for(rows(window).size()));
    return block_values_;
}

void BlockExchange::deliver(std::int64_t window, const RawDat& dat) {
    const std::span<const LocalIndex> wanted = elements(window);
    if (comm_.size() == 1) {
        for (const LocalIndex element : wanted) {
            const std::int64_t place = set_.global_id(element) - rows(window).begin;
            store_row(dat, element, &block_values_[bytes_for(place)]);
        }
        return;
    }
    const Plan moves = plan(window);
    arrived_.resize(block_values_.size());
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::copy_n(&block_values_[bytes_for(moves.places[i])], row_bytes_,
                    &arrived_[bytes_for(static_cast<std::int64_t>(i))]);
    }
    owner_values_.resize(bytes_for(static_cast<std::int64_t>(wanted.size())));
    const RowType row(row_bytes_);
    check_mpi(MPI_Alltoallv(arrived_.data(), moves.block_counts.data(), moves.block_offsets.data(),
                            row.get(), owner_values_.data(), moves.owner_counts.data(),
                            moves.owner_offsets.data(), row.get(), comm_.get()),
              "MPI_Alltoallv");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        store_row(dat, wanted[i], &owner_values_[bytes_for(static_cast<std::int64_t>(i))]);
    }
}

}  // namespace halocline
