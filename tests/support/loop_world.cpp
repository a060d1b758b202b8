// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Random maps, their distribution, and the way back to whole arrays.
#include "support/loop_world.hpp"

#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "support/numbers.hpp"

namespace halocline::test {

namespace {

std::vector<GlobalIndex> random_rows(GlobalIndex rows, int arity, GlobalIndex targets, int seed) {
    std::vector<GlobalIndex> result;
    for (GlobalIndex row = 0; row < rows; ++row) {
        for (int k = 0; k < arity; ++k) {
            result.push_back(index_below(targets, seed, row, k));
        }
    }
    return result;
}

/// No target twice: steps of a size that has no factor in common with the number of targets.
std::vector<GlobalIndex> different_rows(GlobalIndex rows, int arity, GlobalIndex targets,
                                        int seed) {
    GlobalIndex step = 1 + index_below(targets, seed, 0, 0);
    while (std::gcd(step, targets) != 1) {
        ++step;
    }
    std::vector<GlobalIndex> result;
    for (GlobalIndex k = 0; k < rows * arity; ++k) {
        result.push_back(k * step % targets);
    }
    return result;
}

/// Edges mostly between near nodes, so that a partition has an inside.
std::vector<GlobalIndex> near_edges(GlobalIndex edges, GlobalIndex nodes, int seed) {
    std::vector<GlobalIndex> result;
    for (GlobalIndex e = 0; e < edges; ++e) {
        const GlobalIndex first = index_below(nodes, seed, e, 0);
        const bool to_hub = nodes > 40 && e % 5 == 0;
        const bool far = e % 11 == 0;
        const GlobalIndex reach = far ? nodes : std::min<GlobalIndex>(nodes, 9);
        result.push_back(first);
        result.push_back(to_hub ? 1 : (first + index_below(reach, seed, e, 1)) % nodes);
    }
    return result;
}

/// Every third second end is missing, and now and then the first one.
std::vector<GlobalIndex> sides_of(std::vector<GlobalIndex> edges, int seed) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const GlobalIndex draw = index_below(21, seed, static_cast<GlobalIndex>(i), 0);
        edges[i] = draw < (i % 2 == 1 ? 7 : 1) ? absent : edges[i];
    }
    return edges;
}

/// About every third entry is missing, of some rows all.
std::vector<GlobalIndex> with_gaps(std::vector<GlobalIndex> rows, int seed) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool whole_row = index_below(9, seed, static_cast<GlobalIndex>(i / 4), 1) == 0;
        const bool alone = index_below(3, seed, static_cast<GlobalIndex>(i), 2) == 0;
        rows[i] = whole_row || alone ? absent : rows[i];
    }
    return rows;
}

std::vector<GlobalIndex> block_of(const std::vector<GlobalIndex>& rows, int arity,
                                  const Communicator& comm) {
    const auto total = static_cast<GlobalIndex>(rows.size()) / arity;
    const BlockRange block = block_range(total, comm.rank(), comm.size());
    return {rows.begin() + block.begin * arity, rows.begin() + block.end * arity};
}

MeshDeclaration declare(const WorldTables& tables, const Communicator& comm) {
    MeshDeclaration mesh;
    const int nodes = mesh.add_set("nodes", tables.sizes.nodes);
    const int edges = mesh.add_set("edges", tables.sizes.edges);
    const int triangles = mesh.add_set("triangles", tables.sizes.triangles);
    const int quads = mesh.add_set("quads", tables.sizes.quads);
    const int marks = mesh.add_set("marks", tables.sizes.marks);
    const int coarse = mesh.add_set("coarse", tables.sizes.coarse);
    const int pairs = mesh.add_set("pairs", tables.sizes.pairs);
    mesh.add_map("edge_nodes", edges, nodes, 2, block_of(tables.edge_nodes, 2, comm));
    mesh.add_map("triangle_nodes", triangles, nodes, 3, block_of(tables.triangle_nodes, 3, comm));
    mesh.add_map("quad_nodes", quads, nodes, 4, block_of(tables.quad_nodes, 4, comm));
    mesh.add_map("mark_node", marks, nodes, 1, block_of(tables.mark_node, 1, comm));
    mesh.add_map("parent", nodes, coarse, 1, block_of(tables.parent, 1, comm));
    mesh.add_map("pair_nodes", pairs, nodes, 2, block_of(tables.pair_nodes, 2, comm));
    mesh.add_map("pair_claims", pairs, nodes, 2, block_of(tables.pair_claims, 2, comm));
    mesh.add_map("pair_coarse", pairs, coarse, 1, block_of(tables.pair_coarse, 1, comm));
    mesh.add_optional_map("side_nodes", edges, nodes, 2, block_of(tables.side_nodes, 2, comm));
    mesh.add_optional_map("near_nodes", quads, nodes, 4, block_of(tables.near_nodes, 4, comm));
    const BlockRange block = block_range(tables.sizes.nodes, comm.rank(), comm.size());
    std::vector<double> coordinates;
    for (GlobalIndex id = block.begin; id < block.end; ++id) {
        coordinates.insert(coordinates.end(), {unit_number(1, id, 0), unit_number(1, id, 1)});
    }
    mesh.add_dat("coordinates", nodes, 2, std::move(coordinates));
    return mesh;
}

}  // namespace

WorldTables::WorldTables(const WorldSizes& world_sizes, int seed)
    : sizes(world_sizes),
      edge_nodes(near_edges(sizes.edges, sizes.nodes, seed)),
      triangle_nodes(random_rows(sizes.triangles, 3, sizes.nodes, seed + 1)),
      quad_nodes(random_rows(sizes.quads, 4, sizes.nodes, seed + 2)),
      mark_node(random_rows(sizes.marks, 1, sizes.nodes, seed + 3)),
      parent(random_rows(sizes.nodes, 1, sizes.coarse, seed + 4)),
      pair_nodes(random_rows(sizes.pairs, 2, sizes.nodes, seed + 5)),
      pair_claims(different_rows(sizes.pairs, 2, sizes.nodes, seed + 6)),
      pair_coarse(random_rows(sizes.pairs, 1, sizes.coarse, seed + 7)),
      side_nodes(sides_of(near_edges(sizes.edges, sizes.nodes, seed + 8), seed + 9)),
      near_nodes(with_gaps(random_rows(sizes.quads, 4, sizes.nodes, seed + 10), seed + 11)) {}

WorldTables in_order(WorldTables tables) {
    const auto follow = [](std::vector<GlobalIndex>& targets_of, int arity, GlobalIndex targets) {
        const auto entries = static_cast<GlobalIndex>(targets_of.size());
        for (GlobalIndex i = 0; i < entries; ++i) {
            GlobalIndex& target = targets_of[static_cast<std::size_t>(i)];
            if (target != absent) {
                target = std::min(i / arity * arity * targets / entries + i % arity, targets - 1);
            }
        }
    };
    const WorldSizes& sizes = tables.sizes;
    follow(tables.edge_nodes, 2, sizes.nodes);
    follow(tables.triangle_nodes, 3, sizes.nodes);
    follow(tables.quad_nodes, 4, sizes.nodes);
    follow(tables.mark_node, 1, sizes.nodes);
    follow(tables.parent, 1, sizes.coarse);
    follow(tables.pair_nodes, 2, sizes.nodes);
    follow(tables.pair_coarse, 1, sizes.coarse);
    follow(tables.side_nodes, 2, sizes.nodes);
    follow(tables.near_nodes, 4, sizes.nodes);
    return tables;
}

LoopWorld::LoopWorld(const Communicator& comm, const WorldTables& tables,
                     const WorldOptions& options)
    : comm_(comm),
      repetitions_(options.repetitions),
      repetitions_of_loops_(options.repetitions_of_loops),
      before_repetition_(options.before_repetition),
      halo_(make_halo_exchange(comm, {options.halo_scheme})) {
    DistributeOptions choices;
    choices.partitioner = options.partitioner;
    choices.method = options.method;
    choices.renumber = options.renumber;
    choices.primary_set = 0;
    choices.graph_maps = {0};
    if (options.by_coordinates) {
        choices.coordinates = {0};
    }
    Distribution distribution = distribute(comm, declare(tables, comm), choices);
    mesh_ = std::make_unique<Mesh>(std::move(distribution.part), layout_mode(options.backend));
    context_ = std::make_unique<Context>(comm, *halo_,
                                         ContextOptions{.backend = options.backend,
                                                        .threads = options.threads,
                                                        .device = options.device,
                                                        .device_options = options.device_options,
                                                        .shared_targets = options.shared_targets,
                                                        .variant = options.variant,
                                                        .range_bytes = options.range_bytes});
}

int LoopWorld::next_repetitions() const {
    return times_.size() < repetitions_of_loops_.size() ? repetitions_of_loops_[times_.size()]
                                                        : repetitions_;
}

void LoopWorld::run(const LoopName& name, const std::function<void()>& loop) {
    const int repetitions = next_repetitions();
    loop();
    std::vector<double> seconds;
    for (int k = 0; k < repetitions; ++k) {
        before_repetition_();
        const double start_s = wall_seconds();
        loop();
        seconds.push_back(wall_seconds() - start_s);
    }
    if (!seconds.empty()) {
        times_.push_back({name.name, std::move(seconds)});
    }
}

template <class T>
std::vector<T> LoopWorld::collect_store(const DatStoreOf<T>& store) const {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const auto dim = static_cast<std::size_t>(store.dim);
    std::vector<Bits> bits(static_cast<std::size_t>(store.set->global_size) * dim, 0);
    for (LocalIndex i = 0; i < store.set->owned; ++i) {
        for (int d = 0; d < store.dim; ++d) {
            bits[static_cast<std::size_t>(store.set->global_id(i)) * dim +
                 static_cast<std::size_t>(d)] = std::bit_cast<Bits>(store.at(i, d));
        }
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()),
                            sizeof(T) == 8 ? MPI_UINT64_T : MPI_UINT32_T, MPI_BOR, comm_.get()),
              "MPI_Allreduce");
    std::vector<T> values;
    values.reserve(bits.size());
    for (const Bits word : bits) {
        values.push_back(std::bit_cast<T>(word));
    }
    return values;
}

template std::vector<double> LoopWorld::collect_store(const DatStoreOf<double>&) const;
template std::vector<float> LoopWorld::collect_store(const DatStoreOf<float>&) const;
template std::vector<std::int64_t> LoopWorld::collect_store(const DatStoreOf<std::int64_t>&) const;
template std::vector<std::int32_t> LoopWorld::collect_store(const DatStoreOf<std::int32_t>&) const;

}  // namespace halocline::test
