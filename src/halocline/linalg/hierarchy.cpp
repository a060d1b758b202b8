// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Level by level: match and contract several times, then declare what came out.
#include "halocline/linalg/hierarchy.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/linalg/setup/contraction.hpp"
#include "halocline/linalg/setup/declared_operator.hpp"
#include "halocline/linalg/setup/dense_inverse.hpp"
#include "halocline/linalg/setup/ghost_nodes.hpp"
#include "halocline/linalg/setup/matching.hpp"
#include "halocline/linalg/setup/parts.hpp"
#include "halocline/linalg/setup/row_graph.hpp"
#include "halocline/memory/block_reuse.hpp"

namespace halocline::linalg {

double Hierarchy::operator_complexity() const {
    double entries = 0.0;
    for (const LevelSize& level : levels) {
        entries += static_cast<double>(level.nodes + 2 * level.edges);
    }
    return entries / static_cast<double>(levels.front().nodes + 2 * levels.front().edges);
}

std::string Hierarchy::name(const char* what, int level) const {
    return options.prefix + "_" + what + "_L" + std::to_string(level);
}

namespace {

using namespace setup;

/// Coarsening by less than this leaves a level as the coarsest.
constexpr double least_reduction = 0.9;
/// What a pairing of a level may join, and how it treats edges along its pairs.
struct Pairing {
    double largest_ratio;  ///< see Partners::may_pair
    double lengthwise;     ///< see MergedEdge::share
};
/// On a grid of d dimensions any pair and any box of pairs has a ratio of d, a line of four 2 d: so the
/// third pairing makes boxes of eight in space, and nothing in the plane.
constexpr Pairing pairings[] = {{1e300, 0.8}, {8.0, 0.8}, {3.5, 0.8}};
/// Where weights are irregular, nodes stay alone, and more on each level. Pairings go on there, up to
/// twice as many as usual, while more than a third of the level is left.
constexpr Pairing further_pairing{8.0, 1.0};
constexpr GlobalIndex least_shrinking = 3;

/// A coarsest level beyond this is smoothed and not inverted, so nobody needs it whole.
constexpr GlobalIndex largest_whole = 250;

constexpr int no_level = std::numeric_limits<int>::max();

/// A level's edges, each once, from the row of its lower end.
struct EdgeList {
    std::vector<GlobalIndex> ends;
    std::vector<double> weights;
};

EdgeList edges_of_rows(const RowGraph& graph) {
    EdgeList edges;
    // Half of the entries, but for edges to ghosts.
    const auto entries = static_cast<std::size_t>(graph.offsets[graph.offsets.size() - 1]);
    edges.ends.reserve(entries + graph.ghosts.size());
    edges.weights.reserve(entries / 2 + graph.ghosts.size());
    for (LocalIndex u = 0; u < graph.owned; ++u) {
        const auto columns = graph.columns_of(u);
        const auto weights = graph.weights_of(u);
        const GlobalIndex node = graph.global_id(u);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const GlobalIndex other = graph.global_id(columns[k]);
            if (other > node) {
                edges.ends.insert(edges.ends.end(), {node, other});
                edges.weights.push_back(weights[k]);
            }
        }
    }
    return edges;
}

/// Values by block in the storage that the hierarchy has.
DatValues stored(const std::vector<double>& values, const std::string& storage) {
    if (storage == "float") {
        return std::vector<float>(values.begin(), values.end());
    }
    return values;
}

class LevelMaker {
public:
    LevelMaker(const Communicator& comm, MeshDeclaration& declaration,
               const DeclaredOperator& declared, const HierarchyOptions& options)
        : comm_(comm), declaration_(declaration) {
        hierarchy_.options = options;
        const MapDeclaration& edges =
            declaration.maps[static_cast<std::size_t>(declared.edge_nodes)];
        nodes_ = edges.to;
        hierarchy_.levels.push_back({set_size(nodes_), set_size(edges.from)});
        const auto values = [&](int dat) -> std::span<const double> {
            return dat < 0 ? std::span<const double>{}
                           : declaration.dats[static_cast<std::size_t>(dat)].doubles();
        };
        graph_ = rows_of_edges(comm, {set_size(nodes_), edges.targets, values(declared.weights),
                                      values(declared.diagonal)});
        take_coordinates();
    }

    Hierarchy run() {
        const GlobalIndex coarsest = hierarchy_.options.coarsest;
        hierarchy_.first_replicated = no_level;
        while (graph_.size() > coarsest &&
               static_cast<int>(hierarchy_.levels.size()) < hierarchy_.options.most_levels &&
               add_level()) {
        }
        find_connected_parts();
        declare_inverse();
        hierarchy_.first_replicated =
            std::min(hierarchy_.first_replicated, static_cast<int>(hierarchy_.levels.size()));
        return std::move(hierarchy_);
    }

private:
    [[nodiscard]] GlobalIndex set_size(int set) const {
        return declaration_.sets[static_cast<std::size_t>(set)].size;
    }

    void take_coordinates() {
        for (const int d : declaration_.coordinates) {
            const DatDeclaration& dat = declaration_.dats[static_cast<std::size_t>(d)];
            if (dat.set == nodes_) {
                finest_places_ = d;
                dimensions_ = dat.dim;
            }
        }
    }

    /// Of the level that is coarsest so far, as ranks have its rows.
    [[nodiscard]] std::span<const double> places() const {
        if (hierarchy_.levels.size() == 1) {
            return declaration_.dats[static_cast<std::size_t>(finest_places_)].doubles();
        }
        return {places_.data(), places_.size()};
    }

    /// Returns whether the next level is coarser enough to be one.
    bool add_level() {
        const GlobalIndex before = graph_.size();
        const Ranges finer = graph_.first;
        Buffer<GlobalIndex> parent;
        Buffer<LocalIndex> first_child;
        for (int pairing = 0; needs_pairing(pairing, before); ++pairing) {
            const GhostNodes ghosts(comm_, graph_.first, graph_.ghosts);
            if (pairing == 0) {
                begin_level(graph_, ghosts);
            }
            const auto k = static_cast<std::size_t>(pairing);
            const Pairing& rule = k < std::size(pairings) ? pairings[k] : further_pairing;
            const Buffer<LocalIndex> partner =
                match_pairs(comm_, graph_, ghosts, rule.largest_ratio);
            Contraction step =
                contract_pairs(comm_, std::move(graph_), ghosts, partner, rule.lengthwise);
            if (pairing == 0) {
                parent = std::move(step.parent);
                first_child = std::move(step.first_child);
            } else {
                compose(parent, step);
                for (LocalIndex& u : step.first_child) {
                    u = first_child[static_cast<std::size_t>(u)];
                }
                first_child = std::move(step.first_child);
            }
            first_ = step.graph.first;
            graph_ = std::move(step.graph);
        }
        if (graph_.size() == before) {
            return false;
        }
        if (static_cast<double>(graph_.size()) > least_reduction * static_cast<double>(before)) {
            stalled_ = true;
        }
        keep_places(first_child);
        declare(to_blocks(comm_, finer, std::vector<GlobalIndex>(parent.begin(), parent.end())));
        return !stalled_;
    }

    /// Whether a level that began with `before` nodes is to be made coarser once more.
    [[nodiscard]] bool needs_pairing(int pairing, GlobalIndex before) const {
        const int usual = hierarchy_.options.pairings;
        return pairing < usual ||
               (usual > 1 && pairing < 2 * usual && least_shrinking * graph_.size() > before);
    }

    /// parent := step after parent; parents of other ranks are asked for.
    void compose(Buffer<GlobalIndex>& parent, const Contraction& step) const {
        const GlobalIndex begin = first_[static_cast<std::size_t>(comm_.rank())];
        const auto own = static_cast<GlobalIndex>(step.parent.size());
        const auto is_own = [&](GlobalIndex node) { return node >= begin && node < begin + own; };
        std::vector<GlobalIndex> elsewhere;
        for (const GlobalIndex node : parent) {
            if (!is_own(node)) {
                elsewhere.push_back(node);
            }
        }
        make_unique(elsewhere);
        std::vector<GlobalIndex> answers(elsewhere.size());
        GhostNodes(comm_, first_, elsewhere).fetch(step.parent.data(), answers.data());
        for (GlobalIndex& node : parent) {
            node = is_own(node) ? step.parent[static_cast<std::size_t>(node - begin)]
                                : answers[static_cast<std::size_t>(ghost_place(elsewhere, node))];
        }
    }

    /// A coarse node lies where its first child does.
    void keep_places(const Buffer<LocalIndex>& first_child) {
        const auto dim = static_cast<std::size_t>(dimensions_);
        if (dim == 0) {
            return;
        }
        const std::span<const double> finer = places();
        Buffer<double> kept(first_child.size() * dim);
        double* place = kept.data();
        for (const LocalIndex u : first_child) {
            place = std::copy_n(finer.data() + std::int64_t{u} * dimensions_, dim, place);
        }
        places_ = std::move(kept);
    }

    void declare(std::vector<GlobalIndex> parent) {
        const int finer = nodes_;
        const int level = static_cast<int>(hierarchy_.levels.size());
        if (!is_replicated_ && comm_.size() > 1 &&
            graph_.size() <= hierarchy_.options.most_replicated) {
            is_replicated_ = true;
            hierarchy_.first_replicated = level;
        }
        EdgeList edges = edges_of_rows(graph_);
        const Ranges first = ranges_of_counts(comm_, static_cast<LocalIndex>(edges.weights.size()));
        hierarchy_.levels.push_back({graph_.size(), first.back()});
        const std::string& storage = hierarchy_.options.storage;
        nodes_ = add_set(hierarchy_.name("nodes", level), graph_.size());
        const int edge_set = add_set(hierarchy_.name("edges", level), first.back());
        if (hierarchy_.first_replicated == level) {
            declare_sums(finer, level, parent);
        }
        declaration_.add_map(hierarchy_.name("parent", level - 1), finer, nodes_, 1,
                             std::move(parent));
        declaration_.add_map(hierarchy_.name("edge_nodes", level), edge_set, nodes_, 2,
                             to_blocks(comm_, first, std::move(edges.ends), 2));
        declaration_.add_values(hierarchy_.name("weights", level), edge_set, 1,
                                stored(to_blocks(comm_, first, std::move(edges.weights)), storage));
        declaration_.add_values(
            hierarchy_.name("diagonal", level), nodes_, 1,
            stored(to_blocks(comm_, graph_.first,
                             std::vector<double>(graph_.diagonal.begin(), graph_.diagonal.end())),
                   storage));
        if (dimensions_ > 0) {
            declaration_.add_coordinates(
                hierarchy_.name("places", level), nodes_, dimensions_,
                to_blocks(comm_, graph_.first, std::vector<double>(places_.begin(), places_.end()),
                          dimensions_));
        }
    }

    /// A set of the kind that coarse levels have now.
    int add_set(std::string name, GlobalIndex size) {
        return is_replicated_ ? declaration_.add_replicated_set(std::move(name), size)
                              : declaration_.add_set(std::move(name), size);
    }

    /// Where children's sums are made for the first replicated level, and the way from there.
    void declare_sums(int finer, int level, const std::vector<GlobalIndex>& parent) {
        const int sums = declaration_.add_set(hierarchy_.name("sums", level), graph_.size());
        declaration_.add_map(hierarchy_.name("sum_parent", level - 1), finer, sums, 1, parent);
        const BlockRange block = block_range(graph_.size(), comm_.rank(), comm_.size());
        std::vector<GlobalIndex> same(static_cast<std::size_t>(block.size()));
        std::iota(same.begin(), same.end(), block.begin);
        declaration_.add_map(hierarchy_.name("source", level), nodes_, sums, 1, std::move(same));
    }

    void find_connected_parts() {
        const GhostNodes ghosts(comm_, graph_.first, graph_.ghosts);
        Parts parts = find_parts(comm_, graph_, ghosts);
        hierarchy_.parts = parts.count;
        part_ = std::move(parts.of_node);
        if (parts.count > 1) {
            const int set = add_set(hierarchy_.options.prefix + "_parts", parts.count);
            declaration_.add_map(hierarchy_.options.prefix + "_part", nodes_, set, 1,
                                 to_blocks(comm_, graph_.first, part_));
        }
    }

    void declare_inverse() {
        if (graph_.size() > largest_whole) {
            return;
        }
        const EdgeList edges = edges_of_rows(graph_);
        DenseInverse inverse = invert(
            {on_all_ranks(edges.ends), on_all_ranks(edges.weights),
             on_all_ranks(std::vector<double>(graph_.diagonal.begin(), graph_.diagonal.end())),
             on_all_ranks(part_)});
        hierarchy_.bad_node = inverse.bad_node;
        if (inverse.bad_node >= 0) {
            return;
        }
        const std::string& prefix = hierarchy_.options.prefix;
        constexpr int width = DenseInverse::width;
        const int segments =
            add_set(prefix + "_segments", static_cast<GlobalIndex>(inverse.rows.size()));
        declaration_.add_map(prefix + "_segment_row", segments, nodes_, 1, my_block(inverse.rows));
        declaration_.add_map(prefix + "_segment_columns", segments, nodes_, width,
                             my_block(inverse.columns, width));
        declaration_.add_dat(prefix + "_inverse", segments, width, my_block(inverse.values, width));
        hierarchy_.has_inverse = true;
    }

    /// This rank's rows of what all ranks have.
    template <class T>
    [[nodiscard]] std::vector<T> my_block(const std::vector<T>& whole,
                                          std::int64_t width = 1) const {
        const BlockRange rows = block_range(static_cast<std::int64_t>(whole.size()) / width,
                                            comm_.rank(), comm_.size());
        return {whole.begin() + rows.begin * width, whole.begin() + rows.end * width};
    }

    /// Every rank's values on all ranks.
    template <class T>
    [[nodiscard]] std::vector<T> on_all_ranks(const std::vector<T>& mine) const {
        const auto ranks = static_cast<std::size_t>(comm_.size());
        std::vector<T> sent;
        for (std::size_t r = 0; r < ranks; ++r) {
            sent.insert(sent.end(), mine.begin(), mine.end());
        }
        return dist::SparseExchange(
                   comm_, std::vector<std::int64_t>(ranks, static_cast<std::int64_t>(mine.size())))
            .forwarded(sent);
    }

    const Communicator& comm_;
    MeshDeclaration& declaration_;
    Hierarchy hierarchy_;
    int nodes_ = 0;  ///< set of the level that is coarsest so far
    RowGraph graph_;
    Ranges first_;            ///< nodes that the parents found so far are among
    int finest_places_ = -1;  ///< dat of the declaration
    Buffer<double> places_;   ///< of coarse levels
    int dimensions_ = 0;      ///< of places; 0: there are none
    std::vector<GlobalIndex> part_;
    bool stalled_ = false;
    bool is_replicated_ = false;  ///< what is added now
};

}  // namespace

Hierarchy declare_hierarchy(const Communicator& comm, MeshDeclaration& declaration,
                            const DeclaredOperator& declared, const HierarchyOptions& options) {
    const double begin_s = wall_seconds();
    setup::validate_operator(comm, declaration, declared, options);
    auto reuse = std::make_shared<BlockReuse>();
    Hierarchy hierarchy = LevelMaker(comm, declaration, declared, options).run();
    hierarchy.freed_blocks = std::move(reuse);
    hierarchy.setup_s = comm.max(wall_seconds() - begin_s);
    return hierarchy;
}

}  // namespace halocline::linalg
