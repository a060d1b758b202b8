// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Brute force over global ids: slow, short, and sharing nothing with the code under test.
#include "mpi/dist/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace halocline::test {

namespace {

using Owners = std::vector<std::vector<int>>;

template <class Visit>
void for_each_map_from(const WholeMesh& whole, int set, Visit&& visit) {
    for (const MapDeclaration& map : whole.mesh.maps) {
        if (map.from == set) {
            visit(map);
        }
    }
}

/// Without absent ones.
std::vector<GlobalIndex> targets_of(const MapDeclaration& map, GlobalIndex row) {
    const auto first = map.targets.begin() + row * map.arity;
    std::vector<GlobalIndex> targets(first, first + map.arity);
    std::erase(targets, absent);
    return targets;
}

bool is_halo(const std::vector<Regions>& regions, int set, GlobalIndex id) {
    return regions[static_cast<std::size_t>(set)].holds_as_halo(id);
}

/// Whether `id` is halo or maps to a halo element.
bool touches_halo(const WholeMesh& whole, const std::vector<Regions>& regions, int set,
                  GlobalIndex id) {
    bool touches = is_halo(regions, set, id);
    for_each_map_from(whole, set, [&](const MapDeclaration& map) {
        for (const GlobalIndex target : targets_of(map, id)) {
            touches = touches || is_halo(regions, map.to, target);
        }
    });
    return touches;
}

void find_exec(const WholeMesh& whole, const Owners& owners, int rank,
               std::vector<Regions>& regions) {
    for (const MapDeclaration& map : whole.mesh.maps) {
        const auto& from = owners[static_cast<std::size_t>(map.from)];
        const auto& to = owners[static_cast<std::size_t>(map.to)];
        for (GlobalIndex e = 0; e < whole.size(map.from); ++e) {
            const auto targets = targets_of(map, e);
            const bool maps_here = std::any_of(targets.begin(), targets.end(), [&](GlobalIndex t) {
                return to[static_cast<std::size_t>(t)] == rank;
            });
            if (maps_here && from[static_cast<std::size_t>(e)] != rank) {
                regions[static_cast<std::size_t>(map.from)].exec.insert(e);
            }
        }
    }
}

void find_nonexec(const WholeMesh& whole, std::vector<Regions>& regions) {
    for (const MapDeclaration& map : whole.mesh.maps) {
        const Regions& from = regions[static_cast<std::size_t>(map.from)];
        Regions& to = regions[static_cast<std::size_t>(map.to)];
        for (GlobalIndex e = 0; e < whole.size(map.from); ++e) {
            if (!from.owned.contains(e) && !from.exec.contains(e)) {
                continue;
            }
            for (const GlobalIndex t : targets_of(map, e)) {
                if (!to.owned.contains(t) && !to.exec.contains(t)) {
                    to.nonexec.insert(t);
                }
            }
        }
    }
}

void find_core(const WholeMesh& whole, std::vector<Regions>& regions) {
    for (std::size_t s = 0; s < regions.size(); ++s) {
        for (const GlobalIndex id : regions[s].owned) {
            if (!touches_halo(whole, regions, static_cast<int>(s), id)) {
                regions[s].core.insert(id);
            }
        }
    }
    for (const MapDeclaration& map : whole.mesh.maps) {
        for (GlobalIndex e = 0; e < whole.size(map.from); ++e) {
            const Regions& from = regions[static_cast<std::size_t>(map.from)];
            const bool local = from.owned.contains(e) || from.exec.contains(e);
            if (local && touches_halo(whole, regions, map.from, e)) {
                for (const GlobalIndex t : targets_of(map, e)) {
                    regions[static_cast<std::size_t>(map.to)].core.erase(t);
                }
            }
        }
    }
}

std::vector<GlobalIndex> ids_between(const SetPart& set, LocalIndex begin, LocalIndex end) {
    std::vector<GlobalIndex> ids;
    for (LocalIndex i = begin; i < end; ++i) {
        ids.push_back(set.global_id(i));
    }
    return ids;
}

/// Ids of a region grouped by owner; inside a group in their order here, or ascending.
std::vector<GlobalIndex> grouped(std::vector<GlobalIndex> ids, const std::vector<int>& owner,
                                 bool sort) {
    const auto owner_of = [&](GlobalIndex id) { return owner[static_cast<std::size_t>(id)]; };
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end(), [&](GlobalIndex a, GlobalIndex b) {
        return owner_of(a) < owner_of(b);
    })) << "not grouped by owner";
    if (sort) {
        std::sort(ids.begin(), ids.end(), [&](GlobalIndex a, GlobalIndex b) {
            return std::pair(owner_of(a), a) < std::pair(owner_of(b), b);
        });
    }
    return ids;
}

std::vector<GlobalIndex> by_owner(const std::set<GlobalIndex>& ids, const std::vector<int>& owner) {
    std::vector<GlobalIndex> result(ids.begin(), ids.end());
    std::stable_sort(result.begin(), result.end(), [&](GlobalIndex a, GlobalIndex b) {
        return owner[static_cast<std::size_t>(a)] < owner[static_cast<std::size_t>(b)];
    });
    return result;
}

std::vector<GlobalIndex> ascending(std::vector<GlobalIndex> ids, bool sort) {
    if (sort) {
        std::sort(ids.begin(), ids.end());
    }
    return ids;
}

void expect_regions(const SetPart& set, const Regions& expected, const std::vector<int>& owner,
                    bool any_order) {
    SCOPED_TRACE("set " + set.name);
    std::set<GlobalIndex> other;
    std::set_difference(expected.owned.begin(), expected.owned.end(), expected.core.begin(),
                        expected.core.end(), std::inserter(other, other.end()));
    const std::vector<GlobalIndex> core(expected.core.begin(), expected.core.end());
    const std::vector<GlobalIndex> rest(other.begin(), other.end());
    EXPECT_EQ(ascending(ids_between(set, 0, set.core), any_order), core);
    EXPECT_EQ(ascending(ids_between(set, set.core, set.owned), any_order), rest);
    EXPECT_EQ(grouped(ids_between(set, set.owned, set.exec), owner, any_order),
              by_owner(expected.exec, owner));
    EXPECT_EQ(grouped(ids_between(set, set.exec, set.total), owner, any_order),
              by_owner(expected.nonexec, owner));
}

void expect_maps(const WholeMesh& whole, const MeshPart& part) {
    for (std::size_t m = 0; m < part.maps.size(); ++m) {
        const MapPart& map = part.maps[m];
        SCOPED_TRACE("map " + map.name);
        const SetPart& from = part.sets[static_cast<std::size_t>(map.from)];
        const SetPart& to = part.sets[static_cast<std::size_t>(map.to)];
        ASSERT_EQ(map.targets.size(),
                  static_cast<std::size_t>(from.exec) * static_cast<std::size_t>(map.arity));
        for (LocalIndex e = 0; e < from.exec; ++e) {
            for (int k = 0; k < map.arity; ++k) {
                const LocalIndex t = map.targets[std::int64_t{e} * map.arity + k];
                const GlobalIndex expected =
                    whole.target(static_cast<int>(m), from.global_id(e), k);
                ASSERT_EQ(map.may_be_absent && t == to.absent_row(), expected == absent);
                if (expected != absent) {
                    ASSERT_TRUE(t >= 0 && t < to.total);
                    ASSERT_EQ(to.global_id(t), expected);
                }
            }
        }
    }
}

void expect_dats(const MeshPart& part) {
    for (std::size_t n = 0; n < part.dats.size(); ++n) {
        const DatPart& dat = part.dats[n];
        SCOPED_TRACE("dat " + dat.name);
        const SetPart& set = part.sets[static_cast<std::size_t>(dat.set)];
        ASSERT_EQ(dat.values.size(),
                  static_cast<std::size_t>(set.rows()) * static_cast<std::size_t>(dat.dim));
        for (LocalIndex i = 0; i < set.rows(); ++i) {
            for (int d = 0; d < dat.dim; ++d) {
                ASSERT_EQ(dat.values[static_cast<std::size_t>(i * dat.dim + d)],
                          i < set.total ? value_of(static_cast<int>(n), set.global_id(i), d) : 0.0);
            }
        }
    }
}

/// Global ids by neighbour, ascending, from one side's lists of a pattern. That both sides list them
/// in one order shows in the dats, whose halos an exchange has filled.
std::map<int, std::vector<GlobalIndex>> listed_ids(const SetPart& set,
                                                   const std::vector<LocalIndex>& offsets,
                                                   const std::vector<LocalIndex>& indices) {
    std::map<int, std::vector<GlobalIndex>> result;
    for (std::size_t k = 0; k < set.halo.neighbours.size(); ++k) {
        for (LocalIndex i = offsets[k]; i < offsets[k + 1]; ++i) {
            result[set.halo.neighbours[k]].push_back(
                set.global_id(indices[static_cast<std::size_t>(i)]));
        }
        auto& ids = result[set.halo.neighbours[k]];
        std::sort(ids.begin(), ids.end());
        if (ids.empty()) {
            result.erase(set.halo.neighbours[k]);
        }
    }
    return result;
}

void expect_pattern(const SetPart& set, std::size_t s, int rank, const std::vector<int>& owner,
                    const std::vector<std::vector<Regions>>& by_rank) {
    SCOPED_TRACE("pattern of " + set.name);
    std::map<int, std::vector<GlobalIndex>> sent;
    std::map<int, std::vector<GlobalIndex>> received;
    for (GlobalIndex id = 0; id < set.global_size; ++id) {
        const int home = owner[static_cast<std::size_t>(id)];
        for (int other = 0; other < static_cast<int>(by_rank.size()); ++other) {
            if (!by_rank[static_cast<std::size_t>(other)][s].holds_as_halo(id)) {
                continue;
            }
            if (home == rank) {
                sent[other].push_back(id);
            }
            if (other == rank) {
                received[home].push_back(id);
            }
        }
    }
    std::set<int> neighbours;
    for (const auto& lists : {sent, received}) {
        for (const auto& [other, ids] : lists) {
            neighbours.insert(other);
        }
    }
    ASSERT_EQ(set.halo.neighbours, std::vector<int>(neighbours.begin(), neighbours.end()));
    for (std::size_t k = 0; k < set.halo.neighbours.size(); ++k) {
        const auto* sends = set.halo.send_indices.data();
        EXPECT_TRUE(
            std::is_sorted(sends + set.halo.send_offsets[k], sends + set.halo.send_offsets[k + 1]))
            << "sends jump about";
    }
    EXPECT_EQ(listed_ids(set, set.halo.send_offsets, set.halo.send_indices), sent);
    EXPECT_EQ(listed_ids(set, set.halo.recv_offsets, set.halo.recv_indices), received);
}

bool is_graph_set(const WholeMesh& whole, int set) {
    return std::any_of(whole.mesh.maps.begin(), whole.mesh.maps.end(), [&](const auto& map) {
        return map.to == set && map.from != set && map.arity == 2;
    });
}

}  // namespace

Owners gather_owners(const Communicator& comm, const WholeMesh& whole, const MeshPart& part) {
    Owners owners;
    for (std::size_t s = 0; s < part.sets.size(); ++s) {
        const SetPart& set = part.sets[s];
        const auto size = static_cast<std::size_t>(whole.size(static_cast<int>(s)));
        std::vector<std::int64_t> mine(size, 0);
        for (LocalIndex i = 0; i < set.owned; ++i) {
            mine[static_cast<std::size_t>(set.global_id(i))] = 1;
        }
        const std::vector<std::int64_t> all = comm.all_gather(mine);
        owners.emplace_back(size, -1);
        for (std::size_t id = 0; id < size; ++id) {
            int times = 0;
            for (int rank = 0; rank < comm.size(); ++rank) {
                if (all[static_cast<std::size_t>(rank) * size + id] != 0) {
                    owners.back()[id] = rank;
                    ++times;
                }
            }
            EXPECT_EQ(times, 1) << "owners of element " << id << " of " << set.name;
        }
    }
    return owners;
}

std::vector<Regions> expected_regions(const WholeMesh& whole, const Owners& owners, int rank) {
    std::vector<Regions> regions(owners.size());
    for (std::size_t s = 0; s < owners.size(); ++s) {
        for (std::size_t id = 0; id < owners[s].size(); ++id) {
            if (owners[s][id] == rank) {
                regions[s].owned.insert(static_cast<GlobalIndex>(id));
            }
        }
    }
    find_exec(whole, owners, rank, regions);
    find_nonexec(whole, regions);
    find_core(whole, regions);
    return regions;
}

void expect_correct_part(const Communicator& comm, const WholeMesh& whole, const MeshPart& part,
                         bool renumbered, bool all_sets) {
    const Owners owners = gather_owners(comm, whole, part);
    std::vector<std::vector<Regions>> by_rank;
    by_rank.reserve(static_cast<std::size_t>(comm.size()));
    for (int rank = 0; rank < comm.size(); ++rank) {
        by_rank.push_back(expected_regions(whole, owners, rank));
    }
    for (std::size_t s = 0; s < part.sets.size(); ++s) {
        const SetPart& set = part.sets[s];
        EXPECT_EQ(set.global_size, whole.size(static_cast<int>(s)));
        const bool any_order = all_sets || (renumbered && is_graph_set(whole, static_cast<int>(s)));
        expect_regions(set, by_rank[static_cast<std::size_t>(comm.rank())][s], owners[s],
                       any_order);
        expect_pattern(set, s, comm.rank(), owners[s], by_rank);
    }
    expect_maps(whole, part);
    expect_dats(part);
}

}  // namespace halocline::test
