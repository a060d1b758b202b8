// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Builds the test meshes from seeds; std::mt19937_64 gives the same numbers everywhere.
#include "mpi/dist/meshes.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace halocline::test {

namespace {

using Random = std::mt19937_64;

/// Uniform in [0, n), the same with every standard library.
GlobalIndex below(Random& random, GlobalIndex n) {
    return static_cast<GlobalIndex>(random() % static_cast<std::uint64_t>(n));
}

std::vector<GlobalIndex> permutation(GlobalIndex n, Random& random) {
    std::vector<GlobalIndex> result(static_cast<std::size_t>(n));
    std::iota(result.begin(), result.end(), GlobalIndex{0});
    for (GlobalIndex i = n - 1; i > 0; --i) {
        std::swap(result[static_cast<std::size_t>(i)],
                  result[static_cast<std::size_t>(below(random, i + 1))]);
    }
    return result;
}

std::vector<GlobalIndex> line_edges(GlobalIndex nodes) {
    std::vector<GlobalIndex> edges;
    for (GlobalIndex i = 0; i + 1 < nodes; ++i) {
        edges.insert(edges.end(), {i, i + 1});
    }
    return edges;
}

void shuffle_rows(std::vector<GlobalIndex>& pairs, Random& random) {
    const std::vector<GlobalIndex> old = pairs;
    const auto order = permutation(static_cast<GlobalIndex>(old.size() / 2), random);
    for (std::size_t i = 0; i < order.size(); ++i) {
        pairs[2 * i] = old[static_cast<std::size_t>(2 * order[i])];
        pairs[2 * i + 1] = old[static_cast<std::size_t>(2 * order[i] + 1)];
    }
}

/// A shuffled chain of nodes with random chords, loops, repeats; the last tenth stays isolated.
std::vector<GlobalIndex> unpleasant_edges(GlobalIndex nodes, Random& random) {
    const auto label = permutation(nodes, random);
    const GlobalIndex joined = std::max<GlobalIndex>(1, nodes - nodes / 10);
    const auto node = [&](GlobalIndex i) { return label[static_cast<std::size_t>(i)]; };
    std::vector<GlobalIndex> edges;
    for (GlobalIndex i = 0; i + 1 < joined; ++i) {
        if (i != joined / 2) {  // two components
            edges.insert(edges.end(), {node(i), node(i + 1)});
        }
    }
    for (GlobalIndex i = 0; i < joined / 3; ++i) {
        const GlobalIndex a = below(random, joined);
        const GlobalIndex b = std::min(joined - 1, a + below(random, 7));
        edges.insert(edges.end(), {node(b), node(a)});  // a == b: a self-loop
        edges.insert(edges.end(), {node(a), node(b)});  // the same edge again
    }
    shuffle_rows(edges, random);
    return edges;
}

std::vector<GlobalIndex> random_targets(GlobalIndex rows, GlobalIndex size, Random& random) {
    std::vector<GlobalIndex> targets;
    for (GlobalIndex i = 0; i < rows; ++i) {
        targets.push_back(below(random, size));
    }
    return targets;
}

/// Every fourth entry is missing, and every sixth row has none.
std::vector<GlobalIndex> with_gaps(std::vector<GlobalIndex> targets, std::size_t arity,
                                   Random& random) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (below(random, 4) == 0 || i / arity % 6 == 5) {
            targets[i] = absent;
        }
    }
    return targets;
}

template <class T>
std::vector<T> block_rows(const std::vector<T>& values, BlockRange block, int width) {
    return {values.begin() + block.begin * width, values.begin() + block.end * width};
}

}  // namespace

int WholeMesh::add_dat(const std::string& name, int set, int dim) {
    std::vector<double> values;
    const int dat = static_cast<int>(mesh.dats.size());
    for (GlobalIndex id = 0; id < size(set); ++id) {
        for (int d = 0; d < dim; ++d) {
            values.push_back(value_of(dat, id, d));
        }
    }
    return mesh.add_dat(name, set, dim, std::move(values));
}

MeshDeclaration block_of(const WholeMesh& whole, const Communicator& comm) {
    MeshDeclaration part;
    part.sets = whole.mesh.sets;
    for (const MapDeclaration& map : whole.mesh.maps) {
        const auto block = block_range(whole.size(map.from), comm.rank(), comm.size());
        part.add_map(map.name, map.from, map.to, map.arity,
                     block_rows(map.targets, block, map.arity));
        part.maps.back().may_be_absent = map.may_be_absent;
    }
    for (const DatDeclaration& dat : whole.mesh.dats) {
        const auto block = block_range(whole.size(dat.set), comm.rank(), comm.size());
        part.add_dat(dat.name, dat.set, dat.dim, block_rows(dat.doubles(), block, dat.dim));
    }
    return part;
}

WholeMesh line(GlobalIndex nodes) {
    WholeMesh mesh;
    const int node_set = mesh.add_set("nodes", nodes);
    const int edge_set = mesh.add_set("edges", nodes - 1);
    mesh.add_map("edge_nodes", edge_set, node_set, 2, line_edges(nodes));
    mesh.add_dat("x", node_set, 3);
    mesh.add_dat("w", edge_set, 1);
    return mesh;
}

WholeMesh two_level_line(GlobalIndex nodes) {
    WholeMesh mesh = line(nodes);
    const int coarse = mesh.add_set("nodes_L1", nodes / 2);
    const int coarse_edges = mesh.add_set("edges_L1", nodes / 2 - 1);
    std::vector<GlobalIndex> parents;
    for (GlobalIndex i = 0; i < nodes; ++i) {
        parents.push_back(i / 2);
    }
    mesh.add_map("parent", 0, coarse, 1, std::move(parents));
    mesh.add_map("edge_nodes_L1", coarse_edges, coarse, 2, line_edges(nodes / 2));
    mesh.add_dat("x_L1", coarse, 2);
    return mesh;
}

WholeMesh grid(int nx, int ny, unsigned seed) {
    Random random(seed);
    std::vector<GlobalIndex> label(static_cast<std::size_t>(nx * ny));
    std::iota(label.begin(), label.end(), GlobalIndex{0});
    if (seed != 0) {
        label = permutation(nx * ny, random);
    }
    const auto node = [&](int i, int j) { return label.at(GlobalIndex{i} * ny + j); };
    std::vector<GlobalIndex> edges;
    for (int i = 0; i < nx; ++i) {
        for (int j = 0; j < ny; ++j) {
            if (j + 1 < ny) {
                edges.insert(edges.end(), {node(i, j), node(i, j + 1)});
            }
            if (i + 1 < nx) {
                edges.insert(edges.end(), {node(i, j), node(i + 1, j)});
            }
        }
    }
    if (seed != 0) {
        shuffle_rows(edges, random);
    }
    WholeMesh mesh;
    const int nodes = mesh.add_set("nodes", nx * ny);
    const int edge_set = mesh.add_set("edges", static_cast<GlobalIndex>(edges.size() / 2));
    mesh.add_map("edge_nodes", edge_set, nodes, 2, std::move(edges));
    mesh.add_dat("x", nodes, 3);
    return mesh;
}

WholeMesh random_multigrid(GlobalIndex nodes, GlobalIndex coarsest, unsigned seed) {
    Random random(seed);
    WholeMesh mesh;
    const std::vector<GlobalIndex> sizes{nodes, std::max(nodes / 4, coarsest), coarsest};
    int finer = -1;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
        const std::string suffix = "_L" + std::to_string(level);
        const GlobalIndex n = sizes[level];
        std::vector<GlobalIndex> edges = unpleasant_edges(n, random);
        // Edges before nodes: nothing may rely on the order of declaration.
        const int edge_set =
            mesh.add_set("edges" + suffix, static_cast<GlobalIndex>(edges.size() / 2));
        const int node_set = mesh.add_set("nodes" + suffix, n);
        const int boundary = mesh.add_set("bnd" + suffix, n / 5);
        mesh.add_map("edge_nodes" + suffix, edge_set, node_set, 2, std::move(edges));
        mesh.add_map("bnd_node" + suffix, boundary, node_set, 1, random_targets(n / 5, n, random));
        if (finer >= 0) {
            // Parents only among the first two thirds: the rest has no children.
            const GlobalIndex used = std::max<GlobalIndex>(1, 2 * n / 3);
            mesh.add_map("parent" + suffix, finer, node_set, 1,
                         random_targets(mesh.size(finer), used, random));
        }
        mesh.add_dat("x" + suffix, node_set, 3);
        mesh.add_dat("w" + suffix, edge_set, 2);
        mesh.add_dat("g" + suffix, boundary, 1);
        finer = node_set;
    }
    // Cells close to each other in numbering: two targets on one other rank are common.
    const int cells = mesh.add_set("cells", nodes / 2);
    std::vector<GlobalIndex> corners;
    for (GlobalIndex cell = 0; cell < nodes / 2; ++cell) {
        for (int k = 0; k < 4; ++k) {
            corners.push_back((2 * cell + below(random, 9)) % nodes);
        }
    }
    mesh.add_map("cell_nodes", cells, 1, 4, std::move(corners));
    mesh.add_map("next_cell", cells, cells, 1, random_targets(nodes / 2, nodes / 2, random));
    mesh.add_optional_map("near_cells", cells, cells, 3,
                          with_gaps(random_targets(3 * (nodes / 2), nodes / 2, random), 3, random));
    mesh.add_dat("volume", cells, 1);
    const int sides = mesh.add_set("sides", nodes / 3);
    mesh.add_optional_map("side_nodes", sides, 1, 2,
                          with_gaps(random_targets(2 * (nodes / 3), nodes, random), 2, random));
    mesh.add_dat("side_value", sides, 2);
    const int empty = mesh.add_set("empty", 0);
    mesh.add_map("empty_nodes", empty, 1, 3, {});
    mesh.add_dat("nothing", empty, 4);
    mesh.add_dat("alone_value", mesh.add_set("alone", 17), 1);
    return mesh;
}

}  // namespace halocline::test
