// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses a renumbering for each set: coordinates when there are any, else the graph.
#include "halocline/dist/order/renumbering.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/partition/partition_graph.hpp"

namespace halocline::dist {

namespace {

/// Maps of arity 2 onto `set`.
std::vector<int> pair_maps_of(const MeshDeclaration& declaration, int set) {
    std::vector<int> pairs;
    for (std::size_t m = 0; m < declaration.maps.size(); ++m) {
        const MapDeclaration& map = declaration.maps[m];
        if (map.to == set && map.from != set && map.arity == 2) {
            pairs.push_back(static_cast<int>(m));
        }
    }
    return pairs;
}

/// An order is local when fewer than one in so many are not near.
constexpr std::int64_t one_in = 32;
/// Near ends are no further apart than this part of their set: in small sets everything is near else.
constexpr GlobalIndex parts = 8;

/// Counts over all ranks.
struct Steps {
    GlobalIndex near_places;
    std::int64_t far = 0;
    std::int64_t all = 0;

    void add(GlobalIndex a, GlobalIndex b) {
        if (a == absent || b == absent) {
            return;
        }
        far += a - b > near_places || b - a > near_places ? 1 : 0;
        ++all;
    }
    [[nodiscard]] bool are_local(const Communicator& comm) const {
        return comm.sum(far) * one_in <= comm.sum(all);
    }
};

/// Whether the ends of edges, and of elements' neighbouring columns, lie near each other in the order
/// of the file. Collective.
bool joins_neighbours(const Communicator& comm, const MeshDeclaration& declaration,
                      const std::vector<int>& graph_maps, GlobalIndex near_places) {
    Steps steps{near_places};
    for (const int m : graph_maps) {
        const MapDeclaration& map = declaration.maps[static_cast<std::size_t>(m)];
        const auto arity = static_cast<std::size_t>(map.arity);
        for (std::size_t row = 0; row < map.targets.size(); row += arity) {
            for (std::size_t k = row + 1; k < row + arity; ++k) {
                steps.add(map.targets[k - 1], map.targets[k]);
            }
        }
    }
    return steps.are_local(comm);
}

/// Whether elements that follow each other in the file have targets that do. Collective.
bool walks_targets(const Communicator& comm, const MapDeclaration& map, GlobalIndex near_places) {
    const auto arity = static_cast<std::size_t>(map.arity);
    Steps steps{near_places};
    for (std::size_t i = arity; i < map.targets.size(); i += arity) {
        steps.add(map.targets[i - arity], map.targets[i]);
    }
    return steps.are_local(comm);
}

/// The first map from `set` to a set that has its place already; -1 where there is none.
int first_map_from(const MeshDeclaration& declaration, const std::vector<SetRenumbering>& plan,
                   int set) {
    for (std::size_t m = 0; m < declaration.maps.size(); ++m) {
        const MapDeclaration& map = declaration.maps[m];
        const bool has_place = !plan[static_cast<std::size_t>(map.to)].graph_maps.empty();
        if (map.from == set && map.to != set && has_place) {
            return static_cast<int>(m);
        }
    }
    return -1;
}

/// Sets without a graph go where their targets went. Collective.
void add_followers(const Communicator& comm, const MeshDeclaration& declaration,
                   GlobalIndex near_places, std::vector<SetRenumbering>& plan) {
    for (std::size_t s = 0; s < plan.size(); ++s) {
        const int m = first_map_from(declaration, plan, static_cast<int>(s));
        if (!plan[s].graph_maps.empty() || m < 0) {
            continue;
        }
        const MapDeclaration& map = declaration.maps[static_cast<std::size_t>(m)];
        const bool moved = plan[static_cast<std::size_t>(map.to)].method != Renumbering::none;
        if (moved || !walks_targets(comm, map, near_places)) {
            plan[s].method = Renumbering::with_targets;
            plan[s].follows = m;
        }
    }
}

/// Each row as a ring through its targets, as the graph that is divided has it (partition_graph.hpp), and with
/// both chords where they are four: corners of a tetrahedron are all neighbours. Where rows and targets
/// are of one set, as a star.
Buffer<LocalIndex> row_edges(const MapPart& map) {
    const auto arity = static_cast<std::size_t>(map.arity);
    const bool is_star = map.from == map.to;
    const bool has_chords = !is_star && arity == 4;
    const std::size_t edges_a_row = arity + (has_chords ? 2 : 0);
    Buffer<LocalIndex> edges(map.targets.size() / arity * edges_a_row * 2);
    LocalIndex* end = edges.data();
    const auto join = [&end](LocalIndex a, LocalIndex b) {
        *end++ = a;
        *end++ = b;
    };
    for (std::size_t row = 0; row < map.targets.size(); row += arity) {
        const LocalIndex* target = map.targets.data() + row;
        for (std::size_t k = 0; k < arity; ++k) {
            join(target[k],
                 is_star ? static_cast<LocalIndex>(row / arity) : target[(k + 1) % arity]);
        }
        if (has_chords) {
            join(target[0], target[2]);
            join(target[1], target[3]);
        }
    }
    return edges;
}

/// Of a row that has one; rows of absent targets come first.
LocalIndex lowest_target(const LocalIndex* row, std::size_t arity) {
    LocalIndex lowest = -1;
    for (std::size_t k = 0; k < arity; ++k) {
        if (row[k] >= 0 && (lowest < 0 || row[k] < lowest)) {
            lowest = row[k];
        }
    }
    return std::max(lowest, 0);
}

bool uses(const std::vector<SetRenumbering>& sets, Renumbering method) {
    return std::any_of(sets.begin(), sets.end(),
                       [method](const SetRenumbering& set) { return set.method == method; });
}

}  // namespace

std::vector<SetRenumbering> plan_renumbering(const Communicator& comm,
                                             const MeshDeclaration& declaration,
                                             const DistributeOptions& options) {
    const bool all_sets = options.order_all_sets.value_or(false);
    std::vector<SetRenumbering> plan(declaration.sets.size());
    for (std::size_t s = 0; s < plan.size() && options.renumber; ++s) {
        SetRenumbering& set = plan[s];
        set.graph_maps = all_sets ? graph_maps_of(declaration, static_cast<int>(s))
                                  : pair_maps_of(declaration, static_cast<int>(s));
        set.coordinates = coordinates_on(declaration, options.coordinates, static_cast<int>(s));
        const bool stays =
            set.graph_maps.empty() ||
            (options.keep_local_orders &&
             joins_neighbours(comm, declaration, set.graph_maps,
                              std::min(options.near_places, declaration.sets[s].size / parts)));
        if (!stays) {
            set.method = set.coordinates >= 0 ? Renumbering::hilbert : Renumbering::bisection;
        }
    }
    if (options.renumber && all_sets) {
        add_followers(comm, declaration, options.near_places, plan);
    }
    return plan;
}

std::vector<int> renumbering_sequence(const std::vector<SetRenumbering>& sets) {
    std::vector<int> sequence;
    for (const bool following : {false, true}) {
        for (std::size_t s = 0; s < sets.size(); ++s) {
            if ((sets[s].method == Renumbering::with_targets) == following) {
                sequence.push_back(static_cast<int>(s));
            }
        }
    }
    return sequence;
}

Buffer<LocalIndex> order_by_targets(const MapPart& map, LocalIndex elements) {
    const auto count = static_cast<std::size_t>(elements);
    const auto arity = static_cast<std::size_t>(map.arity);
    Buffer<LocalIndex> lowest(count);
    LocalIndex highest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const LocalIndex* row = map.targets.data() + i * arity;
        lowest[i] = lowest_target(row, arity);
        highest = std::max(highest, lowest[i]);
    }
    std::vector<LocalIndex> begin(static_cast<std::size_t>(highest) + 2, 0);
    for (const LocalIndex target : lowest) {
        ++begin[static_cast<std::size_t>(target) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    Buffer<LocalIndex> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[static_cast<std::size_t>(begin[static_cast<std::size_t>(lowest[i])]++)] =
            static_cast<LocalIndex>(i);
    }
    return order;
}

std::string renumbering_name(const std::vector<SetRenumbering>& sets, bool in_tiles) {
    const bool hilbert = uses(sets, Renumbering::hilbert);
    const bool bisection = uses(sets, Renumbering::bisection);
    const std::string curve = in_tiles ? "hilbert_tiles" : "hilbert";
    if (hilbert && bisection) {
        return curve + "+bisection";
    }
    return hilbert ? curve : bisection ? "bisection" : "none";
}

LocalGraph graph_of_set(const std::vector<MapPart>& maps, const std::vector<int>& graph_maps,
                        LocalIndex vertices) {
    std::vector<std::span<const LocalIndex>> edges;
    std::vector<Buffer<LocalIndex>> rings;
    for (const int m : graph_maps) {
        const MapPart& map = maps[static_cast<std::size_t>(m)];
        if (map.arity == 2 && map.from != map.to) {
            edges.emplace_back(map.targets.data(), map.targets.size());
        } else {
            rings.push_back(row_edges(map));
            edges.emplace_back(rings.back().data(), rings.back().size());
        }
    }
    return build_graph(vertices, edges);
}

}  // namespace halocline::dist
