// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Vertices are numbered along lines, edges by their first vertex.
#include "box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace halocline::halo_bench {

namespace {

struct Box {
    GlobalIndex side;
    std::array<GlobalIndex, 3> strides;

    [[nodiscard]] GlobalIndex vertices() const { return side * side * side; }
    [[nodiscard]] GlobalIndex edges() const { return 3 * side * side * (side - 1); }
    [[nodiscard]] GlobalIndex place(GlobalIndex vertex, GlobalIndex stride) const {
        return vertex / stride % side;
    }
};

Box box_of(GlobalIndex vertices) {
    const auto side =
        std::max<GlobalIndex>(2, std::llround(std::cbrt(static_cast<double>(vertices))));
    return {side, {side * side, side, 1}};
}

std::vector<double> coordinates_of(const Box& box, const BlockRange& vertices) {
    std::vector<double> coordinates;
    coordinates.reserve(static_cast<std::size_t>(3 * vertices.size()));
    for (GlobalIndex vertex = vertices.begin; vertex < vertices.end; ++vertex) {
        for (const GlobalIndex stride : box.strides) {
            coordinates.push_back(static_cast<double>(box.place(vertex, stride)));
        }
    }
    return coordinates;
}

std::vector<GlobalIndex> ends_of(const Box& box, const BlockRange& edges) {
    std::vector<GlobalIndex> ends;
    ends.reserve(static_cast<std::size_t>(2 * edges.size()));
    GlobalIndex edge = 0;
    for (GlobalIndex vertex = 0; vertex < box.vertices() && edge < edges.end; ++vertex) {
        for (const GlobalIndex stride : box.strides) {
            if (box.place(vertex, stride) + 1 == box.side) {
                continue;
            }
            if (edge >= edges.begin && edge < edges.end) {
                ends.insert(ends.end(), {vertex, vertex + stride});
            }
            ++edge;
        }
    }
    return ends;
}

}  // namespace

Distribution divide_box(const Communicator& comm, GlobalIndex vertices,
                        const std::string& partitioner) {
    const Box box = box_of(vertices);
    MeshDeclaration mesh;
    const int vertex_set = mesh.add_set("vertices", box.vertices());
    const int edge_set = mesh.add_set("edges", box.edges());
    mesh.add_map("edge_vertices", edge_set, vertex_set, 2,
                 ends_of(box, block_range(box.edges(), comm.rank(), comm.size())));
    mesh.add_coordinates(
        "coordinates", vertex_set, 3,
        coordinates_of(box, block_range(box.vertices(), comm.rank(), comm.size())));
    DistributeOptions options = completed_options(mesh, {});
    options.partitioner = partitioner;
    options.method = "auto";
    return distribute(comm, std::move(mesh), options);
}

}  // namespace halocline::halo_bench
