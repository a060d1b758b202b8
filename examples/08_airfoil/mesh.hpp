// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A channel with a bump on its floor, as four sets and the maps between them.
#pragma once

#include "halocline/halocline.hpp"

/// `n` cells across and twice as many along a channel of 3 by 1. The floor is a wall.
inline halocline::MeshDeclaration declare_channel(const halocline::Runtime& runtime, long n) {
    using Targets = std::vector<halocline::GlobalIndex>;
    const long m = 2 * n;
    const auto node = [m](long i, long j) { return j * (m + 1) + i; };
    const auto cell = [m](long i, long j) { return j * m + i; };
    Targets pcell, pedge, pecell, pbedge, pbecell;
    std::vector<double> x, wall;
    for (long j = 0; j <= n; ++j) {
        for (long i = 0; i <= m; ++i) {
            const double along = 3.0 * double(i) / double(m);
            const double bump = along > 1.0 && along < 2.0 ? (along - 1.0) * (2.0 - along) : 0.0;
            const double height = double(j) / double(n);
            x.insert(x.end(), {along, height + (1.0 - height) * 1.6 * bump * bump});
        }
    }
    // The first cell of a face lies on the right as one goes from its first node to its second.
    const auto add_edge = [&](long a, long b, long first, long second) {
        pedge.insert(pedge.end(), {a, b});
        pecell.insert(pecell.end(), {first, second});
    };
    const auto add_bedge = [&](long a, long b, long inside, double is_wall) {
        pbedge.insert(pbedge.end(), {a, b});
        pbecell.push_back(inside);
        wall.push_back(is_wall);
    };
    for (long j = 0; j < n; ++j) {
        for (long i = 0; i < m; ++i) {
            pcell.insert(pcell.end(),
                         {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
            if (i + 1 < m) {
                add_edge(node(i + 1, j + 1), node(i + 1, j), cell(i, j), cell(i + 1, j));
            }
            if (j + 1 < n) {
                add_edge(node(i, j + 1), node(i + 1, j + 1), cell(i, j), cell(i, j + 1));
            }
        }
        add_bedge(node(0, j), node(0, j + 1), cell(0, j), 0.0);
        add_bedge(node(m, j + 1), node(m, j), cell(m - 1, j), 0.0);
    }
    for (long i = 0; i < m; ++i) {
        add_bedge(node(i + 1, 0), node(i, 0), cell(i, 0), 1.0);
        add_bedge(node(i, n), node(i + 1, n), cell(i, n - 1), 0.0);
    }
    halocline::MeshDeclaration mesh;
    const int nodes = mesh.add_set("nodes", (m + 1) * (n + 1));
    const int cells = mesh.add_set("cells", m * n);
    const int edges = mesh.add_set("edges", long(pecell.size() / 2));
    const int bedges = mesh.add_set("bedges", long(pbecell.size()));
    mesh.add_map("pedge", edges, nodes, 2, runtime.block(pedge, 2));
    mesh.add_map("pecell", edges, cells, 2, runtime.block(pecell, 2));
    mesh.add_map("pbedge", bedges, nodes, 2, runtime.block(pbedge, 2));
    mesh.add_map("pbecell", bedges, cells, 1, runtime.block(pbecell));
    mesh.add_map("pcell", cells, nodes, 4, runtime.block(pcell, 4));
    mesh.add_dat("x", nodes, 2, runtime.block(x, 2));
    mesh.add_dat("wall", bedges, 1, runtime.block(wall));
    return mesh;
}
