// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Clusters are rings of vertices: to join two is to swap two successors.
#include "halocline/dist/partition/graph_contraction.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/partition/ghost_labels.hpp"
#include "halocline/dist/partition/graph_refinement.hpp"

namespace halocline::dist {

namespace {

/// Clusters of up to 2^rounds vertices.
constexpr int most_rounds = 3;
/// Coarse vertices that a part should have at least, else its shape becomes coarse, too.
constexpr GlobalIndex least_of_a_part = 2000;

/// A cluster next to another, and the edges between them.
struct AdjacentCluster {
    LocalIndex cluster;
    int edges;
};

/// Joins this rank's vertices.
class Clusters {
public:
    explicit Clusters(const GhostedGraph& graph)
        : graph_(graph), root_(graph.vertices()), next_(graph.vertices()) {
        std::iota(root_.begin(), root_.end(), LocalIndex{0});
        next_ = root_;
    }

    /// Each cluster joins with one that has not joined in this round, or stays alone.
    void join_round() {
        std::vector<char> taken(root_.size(), 0);
        for (std::size_t v = 0; v < root_.size(); ++v) {
            const auto root = static_cast<LocalIndex>(v);
            if (root_[v] != root || taken[v] != 0) {
                continue;
            }
            const LocalIndex mate = find_mate(root, taken);
            if (mate != root) {
                taken[static_cast<std::size_t>(mate)] = 1;
                join(root, mate);
            }
            taken[v] = 1;
        }
    }

    /// Clusters by ascending smallest vertex, and the cluster of each vertex.
    [[nodiscard]] std::pair<std::vector<LocalIndex>, std::vector<int>> numbered() const {
        std::vector<LocalIndex> roots;
        std::vector<int> cluster(root_.size());
        for (std::size_t v = 0; v < root_.size(); ++v) {
            if (root_[v] == static_cast<LocalIndex>(v)) {
                cluster[v] = static_cast<int>(roots.size());
                roots.push_back(root_[v]);
            } else {
                cluster[v] = cluster[static_cast<std::size_t>(root_[v])];
            }
        }
        return {std::move(roots), std::move(cluster)};
    }

    template <class Visit>
    void for_each_member(LocalIndex root, Visit visit) const {
        LocalIndex v = root;
        do {
            visit(static_cast<std::size_t>(v));
            v = next_[static_cast<std::size_t>(v)];
        } while (v != root);
    }

private:
    [[nodiscard]] LocalIndex find_mate(LocalIndex root, const std::vector<char>& taken) {
        adjacent_.clear();
        for_each_member(root, [&](std::size_t v) {
            for (const LocalIndex u : graph_.row(v)) {
                if (static_cast<std::size_t>(u) >= root_.size()) {
                    continue;
                }
                const LocalIndex other = root_[static_cast<std::size_t>(u)];
                if (other != root && taken[static_cast<std::size_t>(other)] == 0) {
                    add_edge_to(other);
                }
            }
        });
        AdjacentCluster best{root, 0};
        for (const AdjacentCluster& adjacent : adjacent_) {
            if (adjacent.edges > best.edges ||
                (adjacent.edges == best.edges && adjacent.cluster < best.cluster)) {
                best = adjacent;
            }
        }
        return best.cluster;
    }

    void add_edge_to(LocalIndex cluster) {
        const auto found = std::find_if(
            adjacent_.begin(), adjacent_.end(),
            [cluster](const AdjacentCluster& adjacent) { return adjacent.cluster == cluster; });
        if (found == adjacent_.end()) {
            adjacent_.push_back({cluster, 1});
        } else {
            ++found->edges;
        }
    }

    /// The smaller vertex stays root, so that a root comes before its members.
    void join(LocalIndex a, LocalIndex b) {
        const LocalIndex root = std::min(a, b);
        for_each_member(std::max(a, b), [&](std::size_t v) { root_[v] = root; });
        std::swap(next_[static_cast<std::size_t>(a)], next_[static_cast<std::size_t>(b)]);
    }

    const GhostedGraph& graph_;
    std::vector<LocalIndex> root_;           ///< smallest vertex of the cluster
    std::vector<LocalIndex> next_;           ///< the next vertex of the ring
    std::vector<AdjacentCluster> adjacent_;  ///< scratch of find_mate
};

struct Contraction {
    std::vector<int> cluster;  ///< of each of this rank's vertices
    DistributedGraph coarse;
};

/// First cluster of each rank, and the end.
std::vector<GlobalIndex> starts_of(const Communicator& comm, std::size_t clusters) {
    const auto mine = static_cast<std::int64_t>(clusters);
    std::vector<GlobalIndex> starts{0};
    for (const std::int64_t count : comm.all_gather(std::span<const std::int64_t>(&mine, 1))) {
        starts.push_back(starts.back() + count);
    }
    return starts;
}

/// Appends the row of a cluster whose edges lead to `ends`.
void append_row(std::vector<int>& ends, DistributedGraph& coarse) {
    std::sort(ends.begin(), ends.end());
    for (auto at = ends.begin(); at != ends.end();) {
        const auto same = std::find_if(at, ends.end(), [at](int end) { return end != *at; });
        coarse.neighbours.push_back(*at);
        coarse.edge_weights.push_back(same - at);
        at = same;
    }
    coarse.offsets.push_back(static_cast<std::int64_t>(coarse.neighbours.size()));
}

Contraction contract(const Communicator& comm, const GhostedGraph& fine, int rounds) {
    Clusters clusters(fine);
    for (int round = 0; round < rounds; ++round) {
        clusters.join_round();
    }
    Contraction result;
    std::vector<LocalIndex> roots;
    std::tie(roots, result.cluster) = clusters.numbered();
    DistributedGraph& coarse = result.coarse;
    coarse.starts = starts_of(comm, roots.size());
    coarse.weighted = true;
    coarse.vertices = coarse.starts.back();
    const auto first = static_cast<int>(coarse.starts[static_cast<std::size_t>(comm.rank())]);
    std::vector<int> label = fine.with_ghosts(result.cluster);
    for (std::size_t v = 0; v < fine.vertices(); ++v) {
        label[v] += first;
    }
    fine.refresh(label);
    std::vector<int> ends;
    for (const LocalIndex root : roots) {
        const int own = label[static_cast<std::size_t>(root)];
        std::int64_t weight = 0;
        ends.clear();
        clusters.for_each_member(root, [&](std::size_t v) {
            ++weight;
            for (const LocalIndex u : fine.row(v)) {
                if (label[static_cast<std::size_t>(u)] != own) {
                    ends.push_back(label[static_cast<std::size_t>(u)]);
                }
            }
        });
        coarse.vertex_weights.push_back(weight);
        append_row(ends, coarse);
    }
    return result;
}

/// Rounds of joining that leave parts enough vertices.
int rounds_for(GlobalIndex vertices, std::size_t parts) {
    if (vertices > std::numeric_limits<int>::max()) {
        return 0;
    }
    int rounds = 0;
    while (rounds < most_rounds &&
           (vertices >> (rounds + 1)) >= least_of_a_part * static_cast<GlobalIndex>(parts)) {
        ++rounds;
    }
    return rounds;
}

/// Whether most neighbours are on the same rank: others cannot join.
bool is_mostly_local(const Communicator& comm, const DistributedGraph& graph) {
    const BlockRange here = block_range(graph.vertices, comm.rank(), comm.size());
    const auto local = std::count_if(
        graph.neighbours.begin(), graph.neighbours.end(),
        [&](GlobalIndex vertex) { return vertex >= here.begin && vertex < here.end; });
    return 4 * comm.sum(std::int64_t{local}) >
           3 * comm.sum(static_cast<std::int64_t>(graph.neighbours.size()));
}

}  // namespace

std::vector<int> divide_contracted(const Communicator& comm, DistributedGraph& graph,
                                   std::span<const GlobalIndex> targets,
                                   const GraphDivider& divide) {
    const int rounds = rounds_for(graph.vertices, targets.size());
    if (rounds == 0 || !is_mostly_local(comm, graph)) {
        return divide(graph);
    }
    const GhostedGraph fine(comm, graph);
    Contraction contraction = contract(comm, fine, rounds);
    const std::vector<int> part_of_cluster = divide(contraction.coarse);
    std::vector<int> part;
    part.reserve(fine.vertices());
    for (const int cluster : contraction.cluster) {
        part.push_back(part_of_cluster[static_cast<std::size_t>(cluster)]);
    }
    refine_partition(comm, fine, targets, part);
    return part;
}

}  // namespace halocline::dist
