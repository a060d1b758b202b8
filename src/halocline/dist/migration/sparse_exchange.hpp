// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of values from every rank to some ranks, for counts beyond 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"

namespace halocline::dist {

/// Rows by destination rank; within a rank in their own order.
struct Grouping {
    std::vector<std::int64_t> counts;  ///< by rank
    std::vector<LocalIndex> rows;      ///< local rows, grouped
};

/// Counting sort of rows 0, 1, … by destination rank; a negative destination leaves a row out.
[[nodiscard]] Grouping group_by_rank(std::span<const int> destination, int ranks);

/// One pattern of who sends how many rows to whom. Only ranks that share rows exchange messages.
class SparseExchange {
public:
    /// Tells every rank how many rows it will get. Messages are cut at `chunk_bytes`, because MPI
    /// counts in int. Collective.
    SparseExchange(const Communicator& comm, std::vector<std::int64_t> send_counts,
                   std::int64_t chunk_bytes = std::int64_t{1} << 30);

    /// Rows that this rank gets.
    [[nodiscard]] std::int64_t received_rows() const noexcept { return received_rows_; }
    /// Rows received from each rank.
    [[nodiscard]] const std::vector<std::int64_t>& receive_counts() const noexcept {
        return receive_counts_;
    }

    /// Sends rows grouped by destination; what comes is grouped by source, ranks ascending. Collective.
    template <class T>
    void forward(const T* send, T* receive, int width = 1) const {
        transfer(reinterpret_cast<const std::byte*>(send), send_counts_,
                 reinterpret_cast<std::byte*>(receive), receive_counts_,
                 sizeof(T) * static_cast<std::size_t>(width));
    }

    /// One answer for each row received, sent back the way it came. Collective.
    template <class T>
    void reverse(const T* send, T* receive, int width = 1) const {
        transfer(reinterpret_cast<const std::byte*>(send), receive_counts_,
                 reinterpret_cast<std::byte*>(receive), send_counts_,
                 sizeof(T) * static_cast<std::size_t>(width));
    }

    /// forward() into a new vector.
    template <class T>
    [[nodiscard]] std::vector<T> forwarded(const std::vector<T>& send) const {
        std::vector<T> received(static_cast<std::size_t>(received_rows_));
        forward(send.data(), received.data());
        return received;
    }

private:
    /// Calls `post(begin, bytes, rank)` for every chunk of every other rank's share.
    template <class Post>
    void for_each_chunk(const std::vector<std::int64_t>& counts, std::size_t row_bytes,
                        Post&& post) const;
    void transfer(const std::byte* send, const std::vector<std::int64_t>& send_counts,
                  std::byte* receive, const std::vector<std::int64_t>& receive_counts,
                  std::size_t row_bytes) const;

    Communicator comm_;
    std::vector<std::int64_t> send_counts_;
    std::vector<std::int64_t> receive_counts_;
    std::int64_t chunk_bytes_;
    std::int64_t received_rows_ = 0;
};

}  // namespace halocline::dist
