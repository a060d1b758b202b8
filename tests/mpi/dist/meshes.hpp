// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small meshes every rank knows whole, so that a test can say what any rank must hold.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::test {

/// Value of component d of element `id`: exact, and different everywhere.
inline double value_of(int dat, GlobalIndex id, int d) {
    return 1000.0 * static_cast<double>(id) + 10.0 * dat + d;
}

/// A whole mesh: maps hold all rows, dats hold value_of.
struct WholeMesh {
    MeshDeclaration mesh;

    int add_set(const std::string& name, GlobalIndex size) { return mesh.add_set(name, size); }
    int add_map(const std::string& name, int from, int to, int arity,
                std::vector<GlobalIndex> targets) {
        return mesh.add_map(name, from, to, arity, std::move(targets));
    }
    int add_optional_map(const std::string& name, int from, int to, int arity,
                         std::vector<GlobalIndex> targets) {
        return mesh.add_optional_map(name, from, to, arity, std::move(targets));
    }
    /// One dat of `dim` components on `set`.
    int add_dat(const std::string& name, int set, int dim);

    [[nodiscard]] GlobalIndex target(int map, GlobalIndex row, int k) const {
        const MapDeclaration& m = mesh.maps[static_cast<std::size_t>(map)];
        return m.targets[static_cast<std::size_t>(row * m.arity + k)];
    }
    [[nodiscard]] GlobalIndex size(int set) const {
        return mesh.sets[static_cast<std::size_t>(set)].size;
    }
};

/// This rank's block of everything.
[[nodiscard]] MeshDeclaration block_of(const WholeMesh& whole, const Communicator& comm);

/// Sets nodes, edges; map edge_nodes: nodes 0-1-2-…
[[nodiscard]] WholeMesh line(GlobalIndex nodes);

/// line(nodes) with sets nodes_L1, edges_L1 of half its size and map parent (i / 2).
[[nodiscard]] WholeMesh two_level_line(GlobalIndex nodes);

/// nx × ny nodes and their grid edges; with a seed, nodes and edges in random order.
[[nodiscard]] WholeMesh grid(int nx, int ny, unsigned seed);

/// MG-CFD's shape with everything unpleasant: shuffled ids, self-loops, duplicate edges, isolated
/// nodes, coarse nodes without children, a coarse level of `coarsest` nodes, cells with four nodes
/// and maps to themselves, maps with absent entries, an empty set, a set no map
/// touches. Set 1 is nodes_L0.
[[nodiscard]] WholeMesh random_multigrid(GlobalIndex nodes, GlobalIndex coarsest, unsigned seed);

}  // namespace halocline::test
