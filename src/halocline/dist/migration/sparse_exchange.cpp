// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point messages in chunks below the limit of MPI's int counts.
#include "halocline/dist/migration/sparse_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace halocline::dist {

namespace {

constexpr int exchange_tag = 7301;

std::size_t bytes_before(const std::vector<std::int64_t>& counts, int rank, std::size_t row_bytes) {
    return static_cast<std::size_t>(
               std::accumulate(counts.begin(), counts.begin() + rank, std::int64_t{0})) *
           row_bytes;
}

}  // namespace

Grouping group_by_rank(std::span<const int> destination, int ranks) {
    Grouping result;
    result.counts.assign(static_cast<std::size_t>(ranks), 0);
    std::int64_t total = 0;
    for (const int rank : destination) {
        if (rank >= 0) {
            ++result.counts[static_cast<std::size_t>(rank)];
            ++total;
        }
    }
    std::vector<std::int64_t> next(result.counts.size());
    std::exclusive_scan(result.counts.begin(), result.counts.end(), next.begin(), std::int64_t{0});
    result.rows.resize(static_cast<std::size_t>(total));
    for (std::size_t i = 0; i < destination.size(); ++i) {
        if (destination[i] >= 0) {
            const auto slot = next[static_cast<std::size_t>(destination[i])]++;
            result.rows[static_cast<std::size_t>(slot)] = static_cast<LocalIndex>(i);
        }
    }
    return result;
}

SparseExchange::SparseExchange(const Communicator& comm, std::vector<std::int64_t> send_counts,
                               std::int64_t chunk_bytes)
    : comm_(comm),
      send_counts_(std::move(send_counts)),
      receive_counts_(send_counts_.size(), 0),
      chunk_bytes_(chunk_bytes) {
    check_mpi(MPI_Alltoall(send_counts_.data(), 1, MPI_INT64_T, receive_counts_.data(), 1,
                           MPI_INT64_T, comm_.get()),
              "MPI_Alltoall");
    received_rows_ =
        std::accumulate(receive_counts_.begin(), receive_counts_.end(), std::int64_t{0});
}

template <class Post>
void SparseExchange::for_each_chunk(const std::vector<std::int64_t>& counts, std::size_t row_bytes,
                                    Post&& post) const {
    std::int64_t begin = 0;
    for (int rank = 0; rank < comm_.size(); ++rank) {
        const std::int64_t bytes =
            counts[static_cast<std::size_t>(rank)] * static_cast<std::int64_t>(row_bytes);
        for (std::int64_t done = 0; rank != comm_.rank() && done < bytes; done += chunk_bytes_) {
            post(begin + done, static_cast<int>(std::min(chunk_bytes_, bytes - done)), rank);
        }
        begin += bytes;
    }
}

void SparseExchange::transfer(const std::byte* send, const std::vector<std::int64_t>& send_counts,
                              std::byte* receive, const std::vector<std::int64_t>& receive_counts,
                              std::size_t row_bytes) const {
    std::vector<MPI_Request> requests;
    for_each_chunk(receive_counts, row_bytes, [&](std::int64_t begin, int bytes, int rank) {
        requests.emplace_back();
        check_mpi(MPI_Irecv(receive + begin, bytes, MPI_BYTE, rank, exchange_tag, comm_.get(),
                            &requests.back()),
                  "MPI_Irecv");
    });
    for_each_chunk(send_counts, row_bytes, [&](std::int64_t begin, int bytes, int rank) {
        requests.emplace_back();
        check_mpi(MPI_Isend(send + begin, bytes, MPI_BYTE, rank, exchange_tag, comm_.get(),
                            &requests.back()),
                  "MPI_Isend");
    });
    const auto own = static_cast<std::size_t>(send_counts[static_cast<std::size_t>(comm_.rank())]);
    if (own > 0) {
        std::memcpy(receive + bytes_before(receive_counts, comm_.rank(), row_bytes),
                    send + bytes_before(send_counts, comm_.rank(), row_bytes), own * row_bytes);
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
}

}  // namespace halocline::dist
