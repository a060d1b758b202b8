// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Labels spread until no rank hears a lower one; lowest nodes number their parts.
#include "halocline/linalg/setup/parts.hpp"

#include <algorithm>

namespace halocline::linalg::setup {

namespace {

/// Takes over lower labels of neighbours; returns whether there were any.
bool lower_labels(const RowGraph& graph, Buffer<GlobalIndex>& label) {
    bool changed = false;
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        const auto columns = graph.columns_of(u);
        const auto weights = graph.weights_of(u);
        GlobalIndex lowest = label[static_cast<std::size_t>(u)];
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (weights[k] != 0.0) {
                lowest = std::min(lowest, label[static_cast<std::size_t>(columns[k])]);
            }
        }
        changed = changed || lowest < label[static_cast<std::size_t>(u)];
        label[static_cast<std::size_t>(u)] = lowest;
    }
    return changed;
}

}  // namespace

Parts find_parts(const Communicator& comm, const RowGraph& graph, const GhostNodes& ghosts) {
    Buffer<GlobalIndex> label(static_cast<std::size_t>(graph.local_count()));
    for (LocalIndex u = 0; u < graph.local_count(); ++u) {
        label[static_cast<std::size_t>(u)] = graph.global_id(u);
    }
    for (bool changed = true; changed;) {
        changed = false;
        while (lower_labels(graph, label)) {
            changed = true;
        }
        ghosts.update(label, graph.owned);
        changed = comm.sum(std::int64_t{changed ? 1 : 0}) > 0;
    }
    // Lowest nodes get numbers, all others ask them.
    LocalIndex lowest_here = 0;
    Buffer<GlobalIndex> number(static_cast<std::size_t>(graph.owned), -1);
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        lowest_here += label[static_cast<std::size_t>(u)] == graph.global_id(u) ? 1 : 0;
    }
    const Ranges first = ranges_of_counts(comm, lowest_here);
    GlobalIndex next = first[static_cast<std::size_t>(comm.rank())];
    std::vector<GlobalIndex> elsewhere;
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        const GlobalIndex lowest = label[static_cast<std::size_t>(u)];
        if (lowest == graph.global_id(u)) {
            number[static_cast<std::size_t>(u)] = next++;
        } else if (lowest < graph.begin) {
            elsewhere.push_back(lowest);
        }
    }
    make_unique(elsewhere);
    std::vector<GlobalIndex> answers(elsewhere.size());
    GhostNodes(comm, graph.first, elsewhere).fetch(number.data(), answers.data());
    Parts parts{first.back(), {}};
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        const GlobalIndex lowest = label[static_cast<std::size_t>(u)];
        parts.of_node.push_back(
            lowest < graph.begin ? answers[static_cast<std::size_t>(ghost_place(elsewhere, lowest))]
                                 : number[static_cast<std::size_t>(lowest - graph.begin)]);
    }
    return parts;
}

}  // namespace halocline::linalg::setup
