// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank sends the owners once the nodes whose values it needs.
#include "halocline/linalg/setup/ghost_nodes.hpp"

#include <cmath>

namespace halocline::linalg::setup {

GhostNodes::GhostNodes(const Communicator& comm, const Ranges& first,
                       std::span<const GlobalIndex> ghosts) {
    if (comm.size() == 1) {
        return;
    }
    std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()), 0);
    for (const GlobalIndex ghost : ghosts) {
        ++counts[static_cast<std::size_t>(owner_in(first, ghost))];
    }
    exchange_.emplace(comm, std::move(counts));
    std::vector<GlobalIndex> asked(static_cast<std::size_t>(exchange_->received_rows()));
    exchange_->forward(ghosts.data(), asked.data());
    const GlobalIndex begin = first[static_cast<std::size_t>(comm.rank())];
    for (const GlobalIndex node : asked) {
        asked_.push_back(static_cast<LocalIndex>(node - begin));
    }
}

void begin_level(RowGraph& graph, const GhostNodes& ghosts) {
    const auto own = static_cast<std::size_t>(graph.owned);
    graph.strongest = Buffer<double>(own);
    graph.inner = Buffer<double>(own, 0.0);
    graph.mass = Buffer<double>(own);
    graph.has_negative = Buffer<std::int8_t>(own);
    Buffer<double> alone(static_cast<std::size_t>(graph.local_count()));
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        double mass = graph.diagonal[static_cast<std::size_t>(u)];
        double least = 0.0;
        double most = 0.0;
        for (const double weight : graph.weights_of(u)) {
            mass += std::fabs(weight);
            least = std::min(least, weight);
            most = std::max(most, weight);
        }
        graph.strongest[static_cast<std::size_t>(u)] = most;
        alone[static_cast<std::size_t>(u)] = mass;
        graph.has_negative[static_cast<std::size_t>(u)] = least < 0.0 ? 1 : 0;
    }
    ghosts.update(alone, graph.owned);
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        const double mass = alone[static_cast<std::size_t>(u)];
        double largest = mass;
        for (const LocalIndex v : graph.columns_of(u)) {
            largest = std::max(largest, alone[static_cast<std::size_t>(v)]);
        }
        graph.mass[static_cast<std::size_t>(u)] = std::min(largest, 2.0 * mass);
    }
}

void make_unique(std::vector<GlobalIndex>& nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace halocline::linalg::setup
