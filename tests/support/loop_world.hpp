// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh with maps of every arity, ready for loops: the world in which loop shapes run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::test {

struct Node {};
struct Edge {};      ///< two nodes
struct Triangle {};  ///< three
struct Quad {};      ///< four
struct Mark {};      ///< one node, as boundary entries
struct Coarse {};    ///< what nodes map to, as a coarser level
struct Pair {};      ///< two nodes, two that no other pair has, and one coarse node

struct WorldSizes {
    GlobalIndex nodes = 0;
    GlobalIndex edges = 0;
    GlobalIndex triangles = 0;
    GlobalIndex quads = 0;
    GlobalIndex marks = 0;
    GlobalIndex coarse = 0;
    GlobalIndex pairs = 0;  ///< at most half of the nodes
};

/// The whole mesh, known to every rank: random maps with self-loops, repeated targets, nodes without
/// edges, coarse nodes without children and, above 40 nodes, node 1 in a fifth of all edges.
struct WorldTables {
    explicit WorldTables(const WorldSizes& world_sizes, int seed = 1);

    WorldSizes sizes;
    std::vector<GlobalIndex> edge_nodes;
    std::vector<GlobalIndex> triangle_nodes;
    std::vector<GlobalIndex> quad_nodes;
    std::vector<GlobalIndex> mark_node;
    std::vector<GlobalIndex> parent;
    std::vector<GlobalIndex> pair_nodes;
    std::vector<GlobalIndex> pair_claims;
    std::vector<GlobalIndex> pair_coarse;
    std::vector<GlobalIndex> side_nodes;  ///< two for each edge, the second one often absent
    std::vector<GlobalIndex> near_nodes;  ///< up to four for each quad, at any place
};

/// The same with maps that follow the order of their rows, as those of a file in a good order do.
[[nodiscard]] WorldTables in_order(WorldTables tables);

struct WorldOptions {
    Backend backend = Backend::serial;
    int threads = 1;
    std::string partitioner = "block";
    bool renumber = false;
    bool by_coordinates = false;  ///< renumber along a curve through space, not through the edges
    std::string method = "auto";
    std::string halo_scheme = "p2p";
    Device* device = nullptr;  ///< of the device back ends
    DeviceOptions device_options = {};
    SharedTargets shared_targets = SharedTargets::automatic;
    std::size_t range_bytes = default_range_bytes;
    std::optional<VariantChoice::Variant> variant = std::nullopt;
    int repetitions = 0;  ///< of each loop after its first run, to time it
    /// The same for the first loops one by one; the others have `repetitions`.
    std::vector<int> repetitions_of_loops = {};
    std::function<void()> before_repetition = [] {};  ///< not timed
};

/// What the repetitions of a loop took, in their order [s].
struct TimedCalls {
    std::string name;
    std::vector<double> seconds;
};

/// One rank's part of the tables, and a context to run loops in.
class LoopWorld {
public:
    LoopWorld(const Communicator& comm, const WorldTables& tables, const WorldOptions& options);

    [[nodiscard]] Context& context() { return *context_; }
    [[nodiscard]] Mesh& mesh() { return *mesh_; }
    [[nodiscard]] const HaloExchange& halo() const { return *halo_; }

    /// Runs a loop once, and as often again as the options say of the loop with this place among all.
    void run(const LoopName& name, const std::function<void()>& loop);
    /// Of the loops so far, where the options asked for repetitions.
    [[nodiscard]] const std::vector<TimedCalls>& times() const { return times_; }

    [[nodiscard]] Set<Node> nodes() const { return mesh_->set<Node>("nodes"); }
    [[nodiscard]] Set<Edge> edges() const { return mesh_->set<Edge>("edges"); }
    [[nodiscard]] Set<Triangle> triangles() const { return mesh_->set<Triangle>("triangles"); }
    [[nodiscard]] Set<Quad> quads() const { return mesh_->set<Quad>("quads"); }
    [[nodiscard]] Set<Mark> marks() const { return mesh_->set<Mark>("marks"); }
    [[nodiscard]] Set<Coarse> coarse() const { return mesh_->set<Coarse>("coarse"); }
    [[nodiscard]] Set<Pair> pairs() const { return mesh_->set<Pair>("pairs"); }

    [[nodiscard]] auto edge_nodes() const { return mesh_->map<Edge, Node, 2>("edge_nodes"); }
    [[nodiscard]] auto triangle_nodes() const {
        return mesh_->map<Triangle, Node, 3>("triangle_nodes");
    }
    [[nodiscard]] auto quad_nodes() const { return mesh_->map<Quad, Node, 4>("quad_nodes"); }
    [[nodiscard]] auto mark_node() const { return mesh_->map<Mark, Node, 1>("mark_node"); }
    [[nodiscard]] auto parent() const { return mesh_->map<Node, Coarse, 1>("parent"); }
    [[nodiscard]] auto pair_nodes() const { return mesh_->map<Pair, Node, 2>("pair_nodes"); }
    [[nodiscard]] auto pair_claims() const { return mesh_->map<Pair, Node, 2>("pair_claims"); }
    [[nodiscard]] auto side_nodes() const { return mesh_->map<Edge, Node, 2>("side_nodes"); }
    [[nodiscard]] auto near_nodes() const { return mesh_->map<Quad, Node, 4>("near_nodes"); }
    [[nodiscard]] auto pair_coarse() const { return mesh_->map<Pair, Coarse, 1>("pair_coarse"); }

    /// A dat with value(global id, component) everywhere, halo included.
    template <int dim, class Storage = RowStorage, class T = double, class Tag, class Value>
    [[nodiscard]] Dat<Tag, T, dim, Storage> dat(Set<Tag> set, const char* name, Value value) const {
        auto result = mesh_->make_dat<Tag, T, dim, Storage>(set, name);
        result.fill(
            [&](LocalIndex i, int d) { return static_cast<T>(value(set.part->global_id(i), d)); });
        result.handle().halo_valid = true;  // every rank knows every element
        return result;
    }

    /// (global size, dim), row-major, the owners' values; the same on every rank. Collective.
    template <class DatT>
    [[nodiscard]] std::vector<typename DatT::Stored> collect(const DatT& dat) const {
        return collect_store(dat.store());
    }

private:
    template <class T>
    [[nodiscard]] std::vector<T> collect_store(const DatStoreOf<T>& store) const;

    [[nodiscard]] int next_repetitions() const;

    Communicator comm_;
    int repetitions_;
    std::vector<int> repetitions_of_loops_;
    std::function<void()> before_repetition_;
    std::vector<TimedCalls> times_;
    std::unique_ptr<HaloExchange> halo_;
    std::unique_ptr<Mesh> mesh_;
    std::unique_ptr<Context> context_;
};

}  // namespace halocline::test
