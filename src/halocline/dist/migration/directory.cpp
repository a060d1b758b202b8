// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Questions and votes travel to the block owners of the elements they are about.
#include "halocline/dist/migration/directory.hpp"

#include <algorithm>

#include "halocline/dist/migration/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

/// Answers what this rank's own block knows and returns where the other questions must go.
std::vector<int> answer_locally(const Communicator& comm, const OwnerBlock& block,
                                std::span<const GlobalIndex> ids, std::span<int> owners) {
    const BlockRange mine = block_range(block.size, comm.rank(), comm.size());
    std::vector<int> destination(ids.size(), no_owner);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0) {
            continue;  // absent: no rank owns it
        }
        if (ids[i] >= mine.begin && ids[i] < mine.end) {
            owners[i] = block.owner[static_cast<std::size_t>(ids[i] - mine.begin)];
        } else {
            destination[i] = block_owner(ids[i], block.size, comm.size());
        }
    }
    return destination;
}

void lookup_slice(const Communicator& comm, const OwnerBlock& block,
                  std::span<const GlobalIndex> ids, std::span<int> owners) {
    const Grouping groups = group_by_rank(answer_locally(comm, block, ids, owners), comm.size());
    std::vector<GlobalIndex> questions;
    questions.reserve(groups.rows.size());
    for (const LocalIndex row : groups.rows) {
        questions.push_back(ids[static_cast<std::size_t>(row)]);
    }
    const SparseExchange exchange(comm, groups.counts);
    const std::vector<GlobalIndex> asked = exchange.forwarded(questions);
    const GlobalIndex begin = block_range(block.size, comm.rank(), comm.size()).begin;
    std::vector<int> answers(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        answers[i] = block.owner[static_cast<std::size_t>(asked[i] - begin)];
    }
    std::vector<int> replies(questions.size());
    exchange.reverse(answers.data(), replies.data());
    for (std::size_t i = 0; i < replies.size(); ++i) {
        owners[static_cast<std::size_t>(groups.rows[i])] = replies[i];
    }
}

std::vector<OwnerVote> send_votes(const Communicator& comm, GlobalIndex size,
                                  std::span<const OwnerVote> votes) {
    std::vector<int> destination;
    destination.reserve(votes.size());
    for (const OwnerVote& vote : votes) {
        destination.push_back(block_owner(vote.id, size, comm.size()));
    }
    const Grouping groups = group_by_rank(destination, comm.size());
    std::vector<OwnerVote> packed;
    packed.reserve(votes.size());
    for (const LocalIndex row : groups.rows) {
        packed.push_back(votes[static_cast<std::size_t>(row)]);
    }
    return SparseExchange(comm, groups.counts).forwarded(packed);
}

/// Owner with most votes in [first, last), which are votes for one element sorted by owner.
int majority(const OwnerVote* first, const OwnerVote* last) {
    int winner = no_owner;
    std::int64_t most = 0;
    while (first != last) {
        const OwnerVote* next =
            std::find_if(first, last, [&](const OwnerVote& v) { return v.owner != first->owner; });
        if (next - first > most) {
            most = next - first;
            winner = first->owner;
        }
        first = next;
    }
    return winner;
}

}  // namespace

std::vector<int> lookup_owners(const Communicator& comm, const OwnerBlock& block,
                               std::span<const GlobalIndex> ids, std::size_t slice) {
    std::vector<int> owners(ids.size(), no_owner);
    const std::size_t slices = (ids.size() + slice - 1) / slice;
    const std::int64_t rounds = comm.max(static_cast<std::int64_t>(slices));
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t begin = std::min(static_cast<std::size_t>(round) * slice, ids.size());
        const std::size_t count = std::min(slice, ids.size() - begin);
        lookup_slice(comm, block, ids.subspan(begin, count),
                     std::span<int>(owners).subspan(begin, count));
    }
    return owners;
}

std::int64_t elect_owners(const Communicator& comm, OwnerBlock& block,
                          std::span<const OwnerVote> votes) {
    std::vector<OwnerVote> received = send_votes(comm, block.size, votes);
    std::sort(received.begin(), received.end(), [](const OwnerVote& a, const OwnerVote& b) {
        return a.id != b.id ? a.id < b.id : a.owner < b.owner;
    });
    const GlobalIndex begin = block_range(block.size, comm.rank(), comm.size()).begin;
    std::int64_t elected = 0;
    const OwnerVote* end = received.data() + received.size();
    for (const OwnerVote* first = received.data(); first != end;) {
        const OwnerVote* last =
            std::find_if(first, end, [&](const OwnerVote& v) { return v.id != first->id; });
        int& owner = block.owner[static_cast<std::size_t>(first->id - begin)];
        if (owner == no_owner) {
            owner = majority(first, last);
            ++elected;
        }
        first = last;
    }
    return elected;
}

}  // namespace halocline::dist
