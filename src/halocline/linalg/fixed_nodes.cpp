// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Edges lie in blocks by rank: what comes from ranks in ascending order comes in the order of edges.
#include "halocline/linalg/fixed_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/linalg/setup/ghost_nodes.hpp"

namespace halocline::linalg {

namespace {

using setup::GhostNodes;
using setup::Ranges;

/// What any rank sends to nodes of any rank.
class NodeMessages {
public:
    NodeMessages(const Communicator& comm, const Ranges& first,
                 const std::vector<GlobalIndex>& nodes)
        : grouping_(group(comm, first, nodes)), exchange_(comm, grouping_.counts) {
        std::vector<GlobalIndex> sent(grouping_.rows.size());
        for (std::size_t i = 0; i < sent.size(); ++i) {
            sent[i] = nodes[static_cast<std::size_t>(grouping_.rows[i])];
        }
        for (const GlobalIndex node : exchange_.forwarded(sent)) {
            places_.push_back(
                static_cast<std::size_t>(node - first[static_cast<std::size_t>(comm.rank())]));
        }
    }

    /// Places among this rank's own nodes, in the order of arrival.
    [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }
    /// The values that go with them.
    [[nodiscard]] std::vector<double> deliver(const std::vector<double>& values) const {
        std::vector<double> sent(grouping_.rows.size());
        for (std::size_t i = 0; i < sent.size(); ++i) {
            sent[i] = values[static_cast<std::size_t>(grouping_.rows[i])];
        }
        return exchange_.forwarded(sent);
    }

private:
    static dist::Grouping group(const Communicator& comm, const Ranges& first,
                                const std::vector<GlobalIndex>& nodes) {
        std::vector<int> owners;
        owners.reserve(nodes.size());
        for (const GlobalIndex node : nodes) {
            owners.push_back(setup::owner_in(first, node));
        }
        return dist::group_by_rank(owners, comm.size());
    }

    dist::Grouping grouping_;
    dist::SparseExchange exchange_;
    std::vector<std::size_t> places_;
};

/// Whether the ends of this rank's edges are fixed, as a flag for each.
std::vector<char> flags_of_ends(const Communicator& comm, const Ranges& first,
                                const std::vector<char>& own,
                                const std::vector<GlobalIndex>& ends) {
    const GlobalIndex begin = first[static_cast<std::size_t>(comm.rank())];
    const GlobalIndex end = first[static_cast<std::size_t>(comm.rank()) + 1];
    const auto is_own = [&](GlobalIndex node) { return node >= begin && node < end; };
    std::vector<GlobalIndex> ghosts;
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(ghosts),
                 [&](GlobalIndex node) { return !is_own(node); });
    setup::make_unique(ghosts);
    std::vector<char> of_ghosts(ghosts.size());
    GhostNodes(comm, first, ghosts).fetch(own.data(), of_ghosts.data());
    std::vector<char> flags;
    flags.reserve(ends.size());
    for (const GlobalIndex node : ends) {
        flags.push_back(
            is_own(node) ? own[static_cast<std::size_t>(node - begin)]
                         : of_ghosts[static_cast<std::size_t>(setup::ghost_place(ghosts, node))]);
    }
    return flags;
}

/// The first node whose diagonal is negative would make the operator indefinite for smoothing.
void require_positive(const Communicator& comm, const std::vector<double>& diagonal,
                      GlobalIndex begin) {
    GlobalIndex first = std::numeric_limits<GlobalIndex>::max();
    for (std::size_t i = diagonal.size(); i-- > 0;) {
        if (diagonal[i] < 0.0) {
            first = begin + static_cast<GlobalIndex>(i);
        }
    }
    const std::int64_t lowest = comm.min(first);
    validate<InputError>(
        lowest == std::numeric_limits<GlobalIndex>::max(),
        "weights between node " + std::to_string(lowest) +
            " (counted from 0) and nodes of given value add up to less than zero (cells there are "
            "too skewed for conjugate gradients). Improve the mesh at the boundary.");
}

}  // namespace

DeclaredOperator fix_nodes(const Communicator& comm, MeshDeclaration& declaration,
                           const DeclaredOperator& declared, const std::vector<GlobalIndex>& fixed,
                           const std::string& prefix) {
    const MapDeclaration& map = declaration.maps[static_cast<std::size_t>(declared.edge_nodes)];
    const int node_set = map.to;
    const int edge_set = map.from;
    const Ranges first =
        setup::block_ranges(declaration.sets[static_cast<std::size_t>(node_set)].size, comm.size());
    const GlobalIndex begin = first[static_cast<std::size_t>(comm.rank())];
    const auto owned =
        static_cast<std::size_t>(first[static_cast<std::size_t>(comm.rank()) + 1] - begin);

    std::vector<char> own(owned, 0);
    const NodeMessages named(comm, first, fixed);
    for (const std::size_t place : named.places()) {
        own[place] = 1;
    }
    const std::vector<char> flags = flags_of_ends(comm, first, own, map.targets);
    std::vector<double> weights =
        declaration.dats[static_cast<std::size_t>(declared.weights)].doubles();
    std::vector<double> diagonal =
        declared.diagonal >= 0
            ? declaration.dats[static_cast<std::size_t>(declared.diagonal)].doubles()
            : std::vector<double>(owned, 0.0);

    std::vector<GlobalIndex> receivers;
    std::vector<double> moved;
    for (std::size_t e = 0; e < weights.size(); ++e) {
        if (flags[2 * e] == flags[2 * e + 1]) {
            continue;
        }
        for (std::size_t end = 2 * e; end < 2 * e + 2; ++end) {
            receivers.push_back(map.targets[end]);
            moved.push_back(flags[end] != 0 ? std::fabs(weights[e]) : weights[e]);
        }
        weights[e] = 0.0;
    }
    const NodeMessages messages(comm, first, receivers);
    const std::vector<double> arrived = messages.deliver(moved);
    for (std::size_t i = 0; i < arrived.size(); ++i) {
        diagonal[messages.places()[i]] += arrived[i];
    }
    require_positive(comm, diagonal, begin);

    DeclaredOperator result;
    result.edge_nodes = declared.edge_nodes;
    result.weights = declaration.add_dat(prefix + "_weights", edge_set, 1, std::move(weights));
    result.diagonal = declaration.add_dat(prefix + "_diagonal", node_set, 1, std::move(diagonal));
    return result;
}

}  // namespace halocline::linalg
