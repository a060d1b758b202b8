// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The requests of a set travel once, and the places of what was asked for travel back.
#include "halocline/dist/migration/halo_pattern.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline::dist {

namespace {

Grouping group_halo(const HaloOwners& halo, int ranks) {
    std::vector<int> owners = halo.exec;
    owners.insert(owners.end(), halo.nonexec.begin(), halo.nonexec.end());
    return group_by_rank(owners, ranks);
}

std::vector<GlobalIndex> ids_of(const std::vector<LocalIndex>& halo, const LocalIds& ids) {
    std::vector<GlobalIndex> result;
    result.reserve(halo.size());
    for (const LocalIndex h : halo) {
        const auto i = static_cast<std::size_t>(h);
        result.push_back(i < ids.exec.size() ? ids.exec[i] : ids.nonexec[i - ids.exec.size()]);
    }
    return result;
}

/// Positions of the owned elements that others ask for. Throws on every rank.
std::vector<LocalIndex> find_owned(const Communicator& comm, const LocalIds& ids,
                                   const std::vector<GlobalIndex>& asked) {
    std::vector<LocalIndex> positions;
    run_agreed(comm, [&] {
        const SortedIds owned(ids.owned);
        for (const GlobalIndex id : asked) {
            positions.push_back(owned.find(id));
            validate<ContractError>(
                positions.back() >= 0,
                "a halo element is owned by no rank (global id " + std::to_string(id) + ").");
        }
    });
    return positions;
}

void set_neighbours(HaloPattern& pattern, const std::vector<std::int64_t>& sent,
                    const std::vector<std::int64_t>& received) {
    for (std::size_t rank = 0; rank < sent.size(); ++rank) {
        if (sent[rank] > 0 || received[rank] > 0) {
            pattern.neighbours.push_back(static_cast<int>(rank));
            pattern.send_offsets.push_back(pattern.send_offsets.back() +
                                           static_cast<LocalIndex>(sent[rank]));
            pattern.recv_offsets.push_back(pattern.recv_offsets.back() +
                                           static_cast<LocalIndex>(received[rank]));
        }
    }
}

/// Sorts each group of `values`; groups follow each other and have `counts` values.
template <class Less>
void sort_groups(std::vector<LocalIndex>& values, const std::vector<std::int64_t>& counts,
                 Less&& less) {
    auto begin = values.begin();
    for (const std::int64_t count : counts) {
        std::sort(begin, begin + count, less);
        begin += count;
    }
}

}  // namespace

HaloRequests::HaloRequests(const Communicator& comm, const LocalIds& ids, const HaloOwners& halo)
    : owned_(ids.owned_end()), exchange_(comm, group_halo(halo, comm.size()).counts) {
    Grouping groups = group_halo(halo, comm.size());
    wanted_ = std::move(groups.counts);
    halo_ = std::move(groups.rows);
    asked_by_ = exchange_.receive_counts();
    asked_ = find_owned(comm, ids, exchange_.forwarded(ids_of(halo_, ids)));
}

std::vector<int> HaloRequests::first_takers() const {
    std::vector<int> takers(static_cast<std::size_t>(owned_), -1);
    std::size_t k = 0;
    for (std::size_t rank = 0; rank < asked_by_.size(); ++rank) {
        for (std::int64_t n = 0; n < asked_by_[rank]; ++n, ++k) {
            int& taker = takers[static_cast<std::size_t>(asked_[k])];
            taker = taker < 0 ? static_cast<int>(rank) : taker;
        }
    }
    return takers;
}

std::vector<LocalIndex> HaloRequests::places_at_owners(
    std::span<const LocalIndex> final_index) const {
    std::vector<LocalIndex> answers;
    answers.reserve(asked_.size());
    for (const LocalIndex position : asked_) {
        answers.push_back(final_index[static_cast<std::size_t>(position)]);
    }
    std::vector<LocalIndex> grouped(halo_.size());
    exchange_.reverse(answers.data(), grouped.data());
    std::vector<LocalIndex> places(halo_.size());
    for (std::size_t k = 0; k < halo_.size(); ++k) {
        places[static_cast<std::size_t>(halo_[k])] = grouped[k];
    }
    return places;
}

HaloPattern HaloRequests::pattern(std::span<const LocalIndex> final_index,
                                  std::span<const LocalIndex> places_at_owners) const {
    HaloPattern pattern;
    for (const LocalIndex position : asked_) {
        pattern.send_indices.push_back(final_index[static_cast<std::size_t>(position)]);
    }
    sort_groups(pattern.send_indices, asked_by_, std::less<>());
    std::vector<LocalIndex> halo = halo_;
    sort_groups(halo, wanted_, [&](LocalIndex a, LocalIndex b) {
        return places_at_owners[static_cast<std::size_t>(a)] <
               places_at_owners[static_cast<std::size_t>(b)];
    });
    for (const LocalIndex h : halo) {
        pattern.recv_indices.push_back(final_index[static_cast<std::size_t>(owned_ + h)]);
    }
    set_neighbours(pattern, asked_by_, wanted_);
    return pattern;
}

}  // namespace halocline::dist
