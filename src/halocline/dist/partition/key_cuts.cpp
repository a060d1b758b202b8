// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parallel selection: every rank counts below the same trial keys, and their sum decides each bit.
#include "halocline/dist/partition/key_cuts.hpp"

#include <algorithm>

#include "halocline/dist/partition/hilbert.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

constexpr int key_bits = 63;

std::int64_t below(std::span<const std::uint64_t> keys, std::uint64_t key) {
    return std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
}

void sum_over_ranks(const Communicator& comm, std::vector<std::int64_t>& counts) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()),
                            MPI_INT64_T, MPI_SUM, comm.get()),
              "MPI_Allreduce");
}

/// The largest key with at most `before` elements below it, bit by bit.
std::vector<KeyCut> find_keys(const Communicator& comm, std::span<const CutRequest> requests) {
    std::vector<KeyCut> cuts(requests.size());
    std::vector<std::int64_t> counts(requests.size());
    for (int bit = key_bits - 1; bit >= 0; --bit) {
        const std::uint64_t step = std::uint64_t{1} << bit;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            counts[i] = below(requests[i].sorted_keys, cuts[i].key | step);
        }
        sum_over_ranks(comm, counts);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            cuts[i].key |= counts[i] <= requests[i].before ? step : 0;
        }
    }
    return cuts;
}

}  // namespace

std::vector<KeyCut> find_cuts(const Communicator& comm, std::span<const CutRequest> requests) {
    std::vector<KeyCut> cuts = find_keys(comm, requests);
    std::vector<std::int64_t> lower(requests.size());
    std::vector<std::int64_t> equal(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        lower[i] = below(requests[i].sorted_keys, cuts[i].key);
        equal[i] = below(requests[i].sorted_keys, cuts[i].key + 1) - lower[i];
    }
    std::vector<std::int64_t> equal_before(requests.size(), 0);
    check_mpi(MPI_Exscan(equal.data(), equal_before.data(), static_cast<int>(equal.size()),
                         MPI_INT64_T, MPI_SUM, comm.get()),
              "MPI_Exscan");
    if (comm.rank() == 0) {  // MPI leaves it undefined there
        std::fill(equal_before.begin(), equal_before.end(), 0);
    }
    sum_over_ranks(comm, lower);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::int64_t missing = requests[i].before - lower[i] - equal_before[i];
        cuts[i].ties = std::clamp<std::int64_t>(missing, 0, equal[i]);
    }
    return cuts;
}

std::int64_t count_before(std::span<const std::uint64_t> sorted_keys, const KeyCut& cut) {
    return below(sorted_keys, cut.key) + cut.ties;
}

std::vector<int> cut_by_key(const Communicator& comm, const Buffer<std::uint64_t>& keys,
                            std::span<const GlobalIndex> sizes) {
    const Buffer<LocalIndex> order = order_by_key(keys);
    Buffer<std::uint64_t> sorted(keys.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        sorted[i] = keys[static_cast<std::size_t>(order[i])];
    }
    const std::span<const std::uint64_t> sorted_keys(sorted.data(), sorted.size());
    std::vector<CutRequest> requests;
    const std::vector<GlobalIndex> ends = running_sums(sizes);
    for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
        requests.push_back({sorted_keys, ends[piece]});
    }
    const std::vector<KeyCut> cuts = find_cuts(comm, requests);
    std::vector<int> part(keys.size());
    std::int64_t begin = 0;
    for (std::size_t piece = 0; piece < sizes.size(); ++piece) {
        const std::int64_t end = piece < cuts.size() ? count_before(sorted_keys, cuts[piece])
                                                     : static_cast<std::int64_t>(sorted.size());
        for (; begin < end; ++begin) {
            part[static_cast<std::size_t>(order[static_cast<std::size_t>(begin)])] =
                static_cast<int>(piece);
        }
    }
    return part;
}

}  // namespace halocline::dist
