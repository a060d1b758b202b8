// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One counting sort at the start, then one all-to-all of ids and one of values a window.
#include "halocline/io/block_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// A row of `dim` doubles as one MPI element, so that counts stay below 2^31.
class RowType {
public:
    explicit RowType(int dim) {
        check_mpi(MPI_Type_contiguous(dim, MPI_DOUBLE, &type_), "MPI_Type_contiguous");
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

std::size_t size_of(std::int64_t rows, int dim) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim);
}

void load_row(const RawDat& dat, LocalIndex element, double* row) {
    for (int d = 0; d < dat.dim; ++d) {
        row[d] = dat.values[dat.layout.offset(element, d)];
    }
}

void store_row(const RawDat& dat, LocalIndex element, const double* row) {
    for (int d = 0; d < dat.dim; ++d) {
        dat.values[dat.layout.offset(element, d)] = row[d];
    }
}

}  // namespace

BlockExchange::BlockExchange(const Communicator& comm, const SetPart& set, int dim,
                             std::size_t window_bytes)
    : comm_(comm), set_(set), dim_(dim) {
    const std::size_t row_bytes = sizeof(double) * static_cast<std::size_t>(dim);
    window_rows_ = static_cast<std::int64_t>(std::max<std::size_t>(1, window_bytes / row_bytes));
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

std::span<const double> BlockExchange::collect(std::int64_t window, const RawDat& dat) {
    const std::span<double> rows_of_block = room(window);
    if (comm_.size() == 1) {
        for (const LocalIndex element : elements(window)) {
            const std::int64_t place = set_.global_id(element) - rows(window).begin;
            load_row(dat, element, &rows_of_block[size_of(place, dim_)]);
        }
        return rows_of_block;
    }
    const Plan moves = plan(window);
    const std::span<const LocalIndex> leaving = elements(window);
    owner_values_.resize(size_of(static_cast<std::int64_t>(leaving.size()), dim_));
    for (std::size_t i = 0; i < leaving.size(); ++i) {
        load_row(dat, leaving[i], &owner_values_[size_of(static_cast<std::int64_t>(i), dim_)]);
    }
    arrived_.resize(rows_of_block.size());
    const RowType row(dim_);
    check_mpi(
        MPI_Alltoallv(owner_values_.data(), moves.owner_counts.data(), moves.owner_offsets.data(),
                      row.get(), arrived_.data(), moves.block_counts.data(),
                      moves.block_offsets.data(), row.get(), comm_.get()),
        "MPI_Alltoallv");
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::copy_n(&arrived_[size_of(static_cast<std::int64_t>(i), dim_)], dim_,
                    &rows_of_block[size_of(moves.places[i], dim_)]);
    }
    return rows_of_block;
}

std::span<double> BlockExchange::room(std::int64_t window) {
    block_values_.resize(size_of(rows(window).size(), dim_));
    return block_values_;
}

void BlockExchange::deliver(std::int64_t window, const RawDat& dat) {
    const std::span<const LocalIndex> wanted = elements(window);
    if (comm_.size() == 1) {
        for (const LocalIndex element : wanted) {
            const std::int64_t place = set_.global_id(element) - rows(window).begin;
            store_row(dat, element, &block_values_[size_of(place, dim_)]);
        }
        return;
    }
    const Plan moves = plan(window);
    arrived_.resize(block_values_.size());
    for (std::size_t i = 0; i < moves.places.size(); ++i) {
        std::copy_n(&block_values_[size_of(moves.places[i], dim_)], dim_,
                    &arrived_[size_of(static_cast<std::int64_t>(i), dim_)]);
    }
    owner_values_.resize(size_of(static_cast<std::int64_t>(wanted.size()), dim_));
    const RowType row(dim_);
    check_mpi(MPI_Alltoallv(arrived_.data(), moves.block_counts.data(), moves.block_offsets.data(),
                            row.get(), owner_values_.data(), moves.owner_counts.data(),
                            moves.owner_offsets.data(), row.get(), comm_.get()),
              "MPI_Alltoallv");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        store_row(dat, wanted[i], &owner_values_[size_of(static_cast<std::int64_t>(i), dim_)]);
    }
}

}  // namespace halocline
