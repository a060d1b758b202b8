// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Builds the channel cell by cell, then renames what is to be shuffled.
#include "airfoil_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace halocline::benchmarks {

namespace {

constexpr unsigned seed = 1;

/// Cells along and across, and the numbers of what lies at a place.
struct Channel {
    GlobalIndex along;
    GlobalIndex across;

    [[nodiscard]] GlobalIndex cell(GlobalIndex i, GlobalIndex j) const { return j * along + i; }
    [[nodiscard]] GlobalIndex node(GlobalIndex i, GlobalIndex j) const {
        return j * (along + 1) + i;
    }
};

double floor_height(double x) {
    const double wave = x > 1.0 && x < 2.0 ? std::sin(std::numbers::pi * (x - 1.0)) : 0.0;
    return 0.1 * wave * wave;
}

void add_nodes(const Channel& channel, AirfoilMesh& mesh) {
    for (GlobalIndex j = 0; j <= channel.across; ++j) {
        for (GlobalIndex i = 0; i <= channel.along; ++i) {
            const double x = 3.0 * static_cast<double>(i) / static_cast<double>(channel.along);
            const double height = static_cast<double>(j) / static_cast<double>(channel.across);
            mesh.x.insert(mesh.x.end(), {x, height + (1.0 - height) * floor_height(x)});
        }
    }
}

/// A cell with the faces behind and above it that it shares.
void add_cell(const Channel& channel, GlobalIndex i, GlobalIndex j, AirfoilMesh& mesh) {
    const GlobalIndex right = channel.node(i + 1, j);
    const GlobalIndex corner = channel.node(i + 1, j + 1);
    const GlobalIndex top = channel.node(i, j + 1);
    mesh.pcell.insert(mesh.pcell.end(), {channel.node(i, j), right, corner, top});
    if (i + 1 < channel.along) {
        mesh.pedge.insert(mesh.pedge.end(), {corner, right});
        mesh.pecell.insert(mesh.pecell.end(), {channel.cell(i, j), channel.cell(i + 1, j)});
    }
    if (j + 1 < channel.across) {
        mesh.pedge.insert(mesh.pedge.end(), {top, corner});
        mesh.pecell.insert(mesh.pecell.end(), {channel.cell(i, j), channel.cell(i, j + 1)});
    }
}

void add_boundary(AirfoilMesh& mesh, GlobalIndex first, GlobalIndex second, GlobalIndex cell,
                  double bound) {
    mesh.pbedge.insert(mesh.pbedge.end(), {first, second});
    mesh.pbecell.push_back(cell);
    mesh.bound.push_back(bound);
}

void add_boundaries(const Channel& channel, AirfoilMesh& mesh) {
    for (GlobalIndex i = 0; i < channel.along; ++i) {
        const GlobalIndex last = channel.across;
        add_boundary(mesh, channel.node(i + 1, 0), channel.node(i, 0), channel.cell(i, 0), 1.0);
        add_boundary(mesh, channel.node(i, last), channel.node(i + 1, last),
                     channel.cell(i, last - 1), 0.0);
    }
    for (GlobalIndex j = 0; j < channel.across; ++j) {
        const GlobalIndex last = channel.along;
        add_boundary(mesh, channel.node(0, j), channel.node(0, j + 1), channel.cell(0, j), 0.0);
        add_boundary(mesh, channel.node(last, j + 1), channel.node(last, j),
                     channel.cell(last - 1, j), 0.0);
    }
}

/// Numbers all sets at random.
void shuffle(AirfoilMesh& mesh) {
    std::mt19937_64 random(seed);
    const auto numbers = [&](GlobalIndex count) {
        return new_numbers(count, Numbering::shuffled, random);
    };
    const std::vector<GlobalIndex> node = numbers(mesh.nodes);
    const std::vector<GlobalIndex> cell = numbers(mesh.cells);
    const std::vector<GlobalIndex> edge = numbers(mesh.edges);
    const std::vector<GlobalIndex> bedge = numbers(mesh.bedges);
    rename_targets(mesh.pedge, node);
    rename_targets(mesh.pecell, cell);
    rename_targets(mesh.pbedge, node);
    rename_targets(mesh.pbecell, cell);
    rename_targets(mesh.pcell, node);
    mesh.pedge = moved_rows(mesh.pedge, 2, edge);
    mesh.pecell = moved_rows(mesh.pecell, 2, edge);
    mesh.pbedge = moved_rows(mesh.pbedge, 2, bedge);
    mesh.pbecell = moved_rows(mesh.pbecell, 1, bedge);
    mesh.pcell = moved_rows(mesh.pcell, 4, cell);
    mesh.x = moved_rows(mesh.x, 2, node);
    mesh.bound = moved_rows(mesh.bound, 1, bedge);
}

}  // namespace

AirfoilMesh make_airfoil_mesh(GlobalIndex cells, Numbering numbering) {
    const auto across =
        std::max<GlobalIndex>(2, std::llround(std::sqrt(0.5 * static_cast<double>(cells))));
    const Channel channel{2 * across, across};
    AirfoilMesh mesh;
    add_nodes(channel, mesh);
    for (GlobalIndex j = 0; j < channel.across; ++j) {
        for (GlobalIndex i = 0; i < channel.along; ++i) {
            add_cell(channel, i, j, mesh);
        }
    }
    add_boundaries(channel, mesh);
    mesh.nodes = static_cast<GlobalIndex>(mesh.x.size() / 2);
    mesh.cells = channel.along * channel.across;
    mesh.edges = static_cast<GlobalIndex>(mesh.pecell.size() / 2);
    mesh.bedges = static_cast<GlobalIndex>(mesh.pbecell.size());
    if (numbering == Numbering::shuffled) {
        shuffle(mesh);
    }
    return mesh;
}

}  // namespace halocline::benchmarks
