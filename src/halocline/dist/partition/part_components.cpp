// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Union-find over the edges of whole parts, part p on the rank whose block of parts holds p.
#include "halocline/dist/partition/part_components.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "halocline/dist/migration/local_ids.hpp"
#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

struct InnerEdge {
    GlobalIndex a;
    GlobalIndex b;
    std::int64_t part;
};

std::vector<InnerEdge> collect_edges(const Communicator& comm, const MapDeclaration& edges,
                                     const OwnerBlock& owners, int parts) {
    const std::vector<int> ends = lookup_owners(comm, owners, edges.targets);
    std::vector<int> destination(ends.size() / 2, no_owner);
    for (std::size_t e = 0; e < destination.size(); ++e) {
        if (ends[2 * e] == ends[2 * e + 1] && ends[2 * e] != no_owner) {
            destination[e] = block_owner(ends[2 * e], parts, comm.size());
        }
    }
    const Grouping groups = group_by_rank(destination, comm.size());
    std::vector<InnerEdge> packed;
    packed.reserve(groups.rows.size());
    for (const LocalIndex row : groups.rows) {
        const auto e = static_cast<std::size_t>(row);
        packed.push_back({edges.targets[2 * e], edges.targets[2 * e + 1], ends[2 * e]});
    }
    return SparseExchange(comm, groups.counts).forwarded(packed);
}

class Forest {
public:
    explicit Forest(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    /// True when a and b were in different trees.
    bool join(LocalIndex a, LocalIndex b) {
        const LocalIndex root_a = root(a);
        const LocalIndex root_b = root(b);
        parent_[static_cast<std::size_t>(std::max(root_a, root_b))] = std::min(root_a, root_b);
        return root_a != root_b;
    }

private:
    LocalIndex root(LocalIndex i) {
        while (parent_[static_cast<std::size_t>(i)] != i) {
            auto& parent = parent_[static_cast<std::size_t>(i)];
            parent = parent_[static_cast<std::size_t>(parent)];
            i = parent;
        }
        return i;
    }

    std::vector<LocalIndex> parent_;
};

/// By part, how many joins its edges make.
std::vector<std::int64_t> count_joins(const std::vector<InnerEdge>& edges, int parts) {
    std::vector<GlobalIndex> ids;
    ids.reserve(2 * edges.size());
    for (const InnerEdge& edge : edges) {
        ids.push_back(edge.a);
        ids.push_back(edge.b);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const SortedIds positions(ids);
    Forest forest(ids.size());
    std::vector<std::int64_t> joins(static_cast<std::size_t>(parts), 0);
    for (const InnerEdge& edge : edges) {
        if (forest.join(positions.find(edge.a), positions.find(edge.b))) {
            ++joins[static_cast<std::size_t>(edge.part)];
        }
    }
    return joins;
}

}  // namespace

PartComponents count_components(const Communicator& comm, const MapDeclaration& edges,
                                const OwnerBlock& owners, int parts) {
    std::vector<std::int64_t> pieces =
        count_joins(collect_edges(comm, edges, owners, parts), parts);
    for (std::int64_t& count : pieces) {
        count = -count;
    }
    for (const int part : owners.owner) {
        ++pieces[static_cast<std::size_t>(part)];
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, pieces.data(), parts, MPI_INT64_T, MPI_SUM, comm.get()),
              "MPI_Allreduce");
    PartComponents result;
    for (const std::int64_t count : pieces) {
        result.disconnected_parts += count > 1 ? 1 : 0;
        result.components += count;
    }
    return result;
}

}  // namespace halocline::dist
