// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One counting sort, then one all-to-all of ids a window.
#include "halocline/io/row_pattern.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

std::vector<int> offsets_of(const std::vector<int>& counts) {
    std::vector<int> offsets(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
    return offsets;
}

/// First rank r with r * writers >= writer * ranks: writer 0 is rank 0, the others lie evenly.
int rank_of_writer(int writer, int writers, int ranks) noexcept {
    return static_cast<int>((std::int64_t{writer} * ranks + writers - 1) / writers);
}

}  // namespace

RowPattern::RowPattern(const Communicator& comm, const SetPart& set, std::int64_t window_rows,
                       int writers, std::int64_t grain)
    : set_(&set),
      rank_(comm.rank()),
      ranks_(comm.size()),
      writers_(writers > 0 && writers < comm.size() ? writers : comm.size()),
      window_rows_(window_rows),
      grain_(grain),
      grains_((set.global_size + grain - 1) / grain) {
    // The first block is the largest.
    const std::int64_t largest = block_range(grains_, 0, writers_).size() * grain_;
    const std::int64_t windows = (largest + window_rows_ - 1) / window_rows_;
    windows_.resize(static_cast<std::size_t>(windows));
    const GlobalIndex owned = comm.sum(static_cast<std::int64_t>(set.contributed_by(rank_)));
    run_agreed(comm, [&] {
        validate<ContractError>(owned == set.global_size,
                                "set '" + set.name + "' has " + std::to_string(set.global_size) +
                                    " elements, but ranks own " + std::to_string(owned) + ".");
        sort_elements();
    });
    for (std::int64_t w = 0; w < windows; ++w) {
        windows_[static_cast<std::size_t>(w)] = exchange_ids(comm, w);
    }
    run_agreed(comm, [&] {
        for (std::int64_t w = 0; w < windows; ++w) {
            require_complete(window(w));
        }
    });
}

BlockRange RowPattern::block_of(int rank) const noexcept {
    const auto writer = static_cast<int>(std::int64_t{rank} * writers_ / ranks_);
    if (rank_of_writer(writer, writers_, ranks_) != rank) {
        return {};
    }
    const BlockRange grains = block_range(grains_, writer, writers_);
    return {std::min(set_->global_size, grains.begin * grain_),
            std::min(set_->global_size, grains.end * grain_)};
}

int RowPattern::rank_of(GlobalIndex id) const noexcept {
    return rank_of_writer(block_owner(id / grain_, grains_, writers_), writers_, ranks_);
}

BlockRange RowPattern::rows(std::int64_t w) const noexcept {
    const BlockRange block = block_of(rank_);
    const std::int64_t begin = std::min(block.end, block.begin + w * window_rows_);
    return {begin, std::min(block.end, begin + window_rows_)};
}

std::span<const LocalIndex> RowPattern::elements(std::int64_t w) const {
    const auto first = static_cast<std::size_t>(w * ranks_);
    const std::int64_t begin = offsets_[first];
    const std::int64_t end = offsets_[first + static_cast<std::size_t>(ranks_)];
    return std::span(elements_).subspan(static_cast<std::size_t>(begin),
                                        static_cast<std::size_t>(end - begin));
}

/// Within a window and block elements follow their global ids: one rank's rows lie in file order.
void RowPattern::sort_elements() {
    const LocalIndex owned = set_->contributed_by(rank_);
    const auto bucket_of = [&](LocalIndex element) {
        const GlobalIndex id = set_->global_id(element);
        validate<ContractError>(id >= 0 && id < set_->global_size,
                                "set '" + set_->name + "' has an element with global id " +
                                    std::to_string(id) + " of " +
                                    std::to_string(set_->global_size) + ".");
        const int rank = rank_of(id);
        const std::int64_t w = (id - block_of(rank).begin) / window_rows_;
        return static_cast<std::size_t>(w * ranks_ + rank);
    };
    offsets_.assign(windows_.size() * static_cast<std::size_t>(ranks_) + 1, 0);
    for (LocalIndex element = 0; element < owned; ++element) {
        ++offsets_[bucket_of(element) + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
    elements_.resize(static_cast<std::size_t>(owned));
    for (LocalIndex element = 0; element < owned; ++element) {
        elements_[static_cast<std::size_t>(next[bucket_of(element)]++)] = element;
    }
    for (std::size_t bucket = 0; bucket + 1 < offsets_.size(); ++bucket) {
        const auto begin = elements_.begin() + offsets_[bucket];
        const auto end = elements_.begin() + offsets_[bucket + 1];
        const auto before = [&](LocalIndex a, LocalIndex b) {
            return set_->global_id(a) < set_->global_id(b);
        };
        if (!std::is_sorted(begin, end, before)) {
            std::sort(begin, end, before);
        }
    }
}

RowPattern::Window RowPattern::exchange_ids(const Communicator& comm, std::int64_t w) const {
    const auto ranks = static_cast<std::size_t>(ranks_);
    Window window;
    window.owner_counts.resize(ranks);
    window.block_counts.resize(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t bucket = static_cast<std::size_t>(w) * ranks + rank;
        window.owner_counts[rank] = static_cast<int>(offsets_[bucket + 1] - offsets_[bucket]);
    }
    if (ranks_ == 1) {
        window.block_counts = window.owner_counts;
    } else {
        check_mpi(MPI_Alltoall(window.owner_counts.data(), 1, MPI_INT, window.block_counts.data(),
                               1, MPI_INT, comm.get()),
                  "MPI_Alltoall");
    }
    window.owner_offsets = offsets_of(window.owner_counts);
    window.block_offsets = offsets_of(window.block_counts);
    std::vector<std::int32_t> leaving;
    for (const LocalIndex element : elements(w)) {
        const GlobalIndex id = set_->global_id(element);
        leaving.push_back(
            static_cast<std::int32_t>((id - block_of(rank_of(id)).begin) % window_rows_));
    }
    if (ranks_ == 1) {
        find_arrivals(window, w, leaving);
        return window;
    }
    std::vector<std::int32_t> places(static_cast<std::size_t>(window.block_offsets.back()) +
                                     static_cast<std::size_t>(window.block_counts.back()));
    check_mpi(MPI_Alltoallv(leaving.data(), window.owner_counts.data(), window.owner_offsets.data(),
                            MPI_INT32_T, places.data(), window.block_counts.data(),
                            window.block_offsets.data(), MPI_INT32_T, comm.get()),
              "MPI_Alltoallv");
    find_arrivals(window, w, places);
    return window;
}

/// @param places  row within the window, by arrival
void RowPattern::find_arrivals(Window& window, std::int64_t w,
                               std::span<const std::int32_t> places) const {
    window.arrivals.assign(static_cast<std::size_t>(rows(w).size()), -1);
    for (std::size_t i = 0; i < places.size(); ++i) {
        window.arrivals[static_cast<std::size_t>(places[i])] = static_cast<std::int32_t>(i);
    }
}

/// All rows together are as many as elements: where one comes twice another is missing.
void RowPattern::require_complete(const Window& window) const {
    validate<ContractError>(
        std::find(window.arrivals.begin(), window.arrivals.end(), -1) == window.arrivals.end(),
        "set '" + set_->name + "' has elements owned by no rank or by several ranks.");
}

const RowPattern& RowPatterns::of(const SetPart& set, std::int64_t grain) {
    const std::pair key(set.id, grain);
    const auto found = patterns_.find(key);
    return found != patterns_.end()
               ? found->second
               : patterns_
                     .try_emplace(key, comm_, set, RowPattern::usual_window_rows, writers_, grain)
                     .first->second;
}

}  // namespace halocline
