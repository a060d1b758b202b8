// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A row is executed wherever one of its targets is owned: owners of targets decide the routes.
#include "halocline/dist/migration/migration.hpp"

#include <algorithm>

#include "halocline/dist/migration/absent.hpp"

namespace halocline::dist {

namespace {

struct Copy {
    int rank;
    LocalIndex row;

    bool operator==(const Copy&) const = default;
    bool operator<(const Copy& other) const noexcept {
        return rank != other.rank ? rank < other.rank : row < other.row;
    }
};

void keep_unique(std::vector<Copy>& copies) {
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
}

/// Adds a copy for every rank that owns a target of a row but not the row; returns the cut rows.
std::int64_t collect_copies(const MapDeclaration& map, const std::vector<int>& target_owners,
                            const std::vector<int>& row_owners, std::vector<Copy>& copies) {
    const auto arity = static_cast<std::size_t>(map.arity);
    std::int64_t cut = 0;
    for (std::size_t row = 0; row < row_owners.size(); ++row) {
        const int* targets = target_owners.data() + row * arity;
        for (std::size_t k = 0; k < arity; ++k) {
            if (targets[k] != no_owner && targets[k] != row_owners[row]) {
                copies.push_back({targets[k], static_cast<LocalIndex>(row)});
            }
        }
        cut += is_cut(targets, arity, map.from == map.to ? row_owners[row] : no_owner) ? 1 : 0;
    }
    return cut;
}

Grouping group_copies(const std::vector<Copy>& copies, int ranks) {
    Grouping groups;
    groups.counts.assign(static_cast<std::size_t>(ranks), 0);
    groups.rows.reserve(copies.size());
    for (const Copy& copy : copies) {
        ++groups.counts[static_cast<std::size_t>(copy.rank)];
        groups.rows.push_back(copy.row);
    }
    return groups;
}

/// Every row of a block to every rank.
Grouping rows_to_all(std::size_t rows, int ranks) {
    Grouping groups;
    groups.counts.assign(static_cast<std::size_t>(ranks), static_cast<std::int64_t>(rows));
    for (int rank = 0; rank < ranks; ++rank) {
        for (std::size_t row = 0; row < rows; ++row) {
            groups.rows.push_back(static_cast<LocalIndex>(row));
        }
    }
    return groups;
}

}  // namespace

SetRoutes plan_routes(const Communicator& comm, const MeshDeclaration& declaration,
                      const std::vector<OwnerBlock>& owners, int set,
                      const std::vector<int>& counted_maps, std::int64_t& cut_rows) {
    const std::vector<int>& row_owners = owners[static_cast<std::size_t>(set)].owner;
    if (declaration.sets[static_cast<std::size_t>(set)].is_replicated) {
        return {Route(comm, rows_to_all(row_owners.size(), comm.size())),
                Route(comm, group_copies({}, comm.size()))};
    }
    std::vector<Copy> copies;
    for (std::size_t m = 0; m < declaration.maps.size(); ++m) {
        const MapDeclaration& map = declaration.maps[m];
        if (map.from != set || declaration.sets[static_cast<std::size_t>(map.to)].is_replicated) {
            continue;
        }
        const std::vector<int> target_owners =
            lookup_owners(comm, owners[static_cast<std::size_t>(map.to)], map.targets);
        const std::int64_t cut = collect_copies(map, target_owners, row_owners, copies);
        const bool counts = std::find(counted_maps.begin(), counted_maps.end(),
                                      static_cast<int>(m)) != counted_maps.end();
        cut_rows += counts ? cut : 0;
        keep_unique(copies);
    }
    return {Route(comm, group_by_rank(row_owners, comm.size())),
            Route(comm, group_copies(copies, comm.size()))};
}

std::vector<GlobalIndex> arriving_ids(const Communicator& comm, GlobalIndex set_size,
                                      const Route& route) {
    const GlobalIndex begin = block_range(set_size, comm.rank(), comm.size()).begin;
    Buffer<GlobalIndex> ids(route.rows().size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ids[i] = begin + route.rows()[i];
    }
    std::vector<GlobalIndex> arrived(static_cast<std::size_t>(route.arriving()));
    route.deliver(ids, arrived.data(), 1);
    return arrived;
}

}  // namespace halocline::dist
