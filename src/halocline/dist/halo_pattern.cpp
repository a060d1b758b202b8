// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The requests of a set travel once; both sides of a pair then list the same elements by global id.
#include "halocline/dist/halo_pattern.hpp"

#include <algorithm>
#include <tuple>

#include "halocline/core/error.hpp"
#include "halocline/dist/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

struct HaloElement {
    int owner;
    GlobalIndex id;
    LocalIndex local;
};

std::vector<HaloElement> list_halo(const LocalIds& ids, const HaloOwners& halo,
                                   const Buffer<LocalIndex>& final_index) {
    std::vector<HaloElement> elements;
    elements.reserve(ids.exec.size() + ids.nonexec.size());
    const auto append = [&](const std::vector<GlobalIndex>& region, const std::vector<int>& owners,
                            LocalIndex first) {
        for (std::size_t i = 0; i < region.size(); ++i) {
            elements.push_back(
                {owners[i], region[i], final_index[static_cast<std::size_t>(first) + i]});
        }
    };
    append(ids.exec, halo.exec, ids.owned_end());
    append(ids.nonexec, halo.nonexec, ids.exec_end());
    std::sort(elements.begin(), elements.end(), [](const HaloElement& a, const HaloElement& b) {
        return std::tie(a.owner, a.id) < std::tie(b.owner, b.id);
    });
    return elements;
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

}  // namespace

HaloPattern build_halo_pattern(const Communicator& comm, const LocalIds& ids,
                               const HaloOwners& halo, const Buffer<LocalIndex>& final_index) {
    const std::vector<HaloElement> elements = list_halo(ids, halo, final_index);
    HaloPattern pattern;
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(comm.size()), 0);
    std::vector<GlobalIndex> requests;
    for (const HaloElement& element : elements) {
        ++wanted[static_cast<std::size_t>(element.owner)];
        requests.push_back(element.id);
        pattern.recv_indices.push_back(element.local);
    }
    const SparseExchange exchange(comm, wanted);
    const std::vector<GlobalIndex> asked = exchange.forwarded(requests);
    run_agreed(comm, [&] {
        const SortedIds owned(ids.owned);
        for (const GlobalIndex id : asked) {
            const LocalIndex position = owned.find(id);
            validate<ContractError>(
                position >= 0,
                "a halo element is owned by no rank (global id " + std::to_string(id) + ").");
            pattern.send_indices.push_back(final_index[static_cast<std::size_t>(position)]);
        }
    });
    set_neighbours(pattern, exchange.receive_counts(), wanted);
    return pattern;
}

}  // namespace halocline::dist
