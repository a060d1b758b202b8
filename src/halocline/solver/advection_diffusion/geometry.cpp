// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up: what is at the boundary, least squares, stable steps. Its loops run once.
#include "halocline/solver/advection_diffusion/geometry.hpp"

#include <fmt/core.h>

#include <vector>

#include "halocline/backend/par_loop.hpp"
#include "halocline/core/error.hpp"
#include "halocline/loop/kernels.hpp"
#include "halocline/mesh/first_element.hpp"
#include "halocline/solver/advection_diffusion/kernels.hpp"

namespace halocline::advection_diffusion {

namespace {

/// Marks a node that has a boundary entry.
struct Mark {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 1>& count) const {
        count[0] += V(1.0);
    }
};

struct InvertInside {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& volume, const Values<V, 1>& entries,
                                 Values<V, 1>& inverse) const {
        inverse[0] = select(entries[0] > 0.0, V(0.0), V(1.0) / volume[0]);
    }
};

/// The mean of the three moments is a third of the number of neighbours; cubed it is what the
/// determinant is for neighbours all around.
struct Flatness {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 6>& moments, const Values<V, 1>& determinant,
                                 Values<V, 1>& ratio) const {
        const V mean = (moments[0] + moments[3] + moments[5]) * V(1.0 / 3.0);
        ratio[0] = determinant[0] / (mean * mean * mean);
    }
};

constexpr double least_ratio = 1e-9;

/// A third of d . n: what an edge's face adds to the volume of the mesh, by the divergence theorem.
struct VolumeOfFace {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb,
                                 const Values<V, 3>& n, Values<V, 1>& sum) const {
        sum[0] += V(1.0 / 3.0) * dot(Span<V>(xa, xb), n);
    }
};

/// Curved boundaries leave some per cent between both; scaled areas, powers of ten.
constexpr double largest_scale = 2.0;

void require_natural_areas(Context& context, const Geometry& geometry, const std::string& file) {
    Global<double, 1> of_faces{};
    Global<double, 1> of_nodes{};
    par_loop(context, {"volume_of_faces", 0}, geometry.edges, VolumeOfFace{},
             read<0>(geometry.coordinates, geometry.edge_nodes),
             read<1>(geometry.coordinates, geometry.edge_nodes), read(geometry.normals),
             inc(of_faces));
    par_loop(context, {"volume_of_nodes", 0}, geometry.nodes, Add<>{}, read(geometry.volume),
             inc(of_nodes));
    const double scale = of_faces[0] / of_nodes[0];
    validate<InputError>(
        scale > 1.0 / largest_scale && scale < largest_scale,
        fmt::format(
            "{}: areas are {:.2g} times what dual volumes and coordinates say (MG-CFD's "
            "meshes may be scaled). This solver needs areas as they are: make the mesh with "
            "scaling = \"natural\".",
            file, scale));
}

Subset<Node> find_boundary(Context& context, Mesh& mesh, const Set<Node>& nodes,
                           const NodeScalar& volume, Geometry& geometry) {
    const auto entries = mesh.set<BoundaryEntry>("bnd_L0");
    const auto entry_node = mesh.map<BoundaryEntry, Node, 1>("bnd_node_L0");
    auto count = mesh.make_dat<Node, double, 1>(nodes, "boundary_entries");
    par_loop(context, {"count_entries", 0}, entries, Mark{}, inc<0>(count, entry_node));
    par_loop(context, {"invert_volume", 0}, nodes, InvertInside{}, read(volume), read(count),
             write(geometry.inverse_volume));
    return make_subset(context, mesh, nodes, "boundary_nodes",
                       [&](LocalIndex i) { return count.store().at(i, 0) > 0.0; });
}

/// The first node, by global id, whose neighbours lie in one plane.
void require_gradients(Context& context, const Geometry& geometry, const NodeScalar& ratio,
                       const std::string& file) {
    const FirstElement first = find_first(context.comm(), *geometry.nodes.part, [&](LocalIndex i) {
        return !(ratio.store().at(i, 0) > least_ratio);
    });
    validate<InputError>(
        !first.exists(),
        file + ": the neighbours of node " + std::to_string(first.global) +
            " (counted from 0) lie in one plane with it (no gradient follows from them). This "
            "solver needs a mesh of three dimensions; look at the mesh with `halocline mesh "
            "check`.");
}

void invert_moments(Context& context, Mesh& mesh, Geometry& geometry, const std::string& file) {
    auto moments = mesh.make_dat<Node, double, 6>(geometry.nodes, "moments");
    auto determinant = mesh.make_dat<Node, double, 1>(geometry.nodes, "determinant");
    auto ratio = mesh.make_dat<Node, double, 1>(geometry.nodes, "flatness");
    par_loop(context, {"moments", 0}, geometry.edges, Moments{},
             read<0>(geometry.coordinates, geometry.edge_nodes),
             read<1>(geometry.coordinates, geometry.edge_nodes),
             inc<0>(moments, geometry.edge_nodes), inc<1>(moments, geometry.edge_nodes));
    par_loop(context, {"invert_moments", 0}, geometry.nodes, InvertMoments{}, read(moments),
             write(geometry.inverse_moments), write(determinant));
    par_loop(context, {"flatness", 0}, geometry.nodes, Flatness{}, read(moments), read(determinant),
             write(ratio));
    require_gradients(context, geometry, ratio, file);
}

}  // namespace

Geometry make_geometry(Context& context, Mesh& mesh, const std::string& file) {
    const auto nodes = mesh.set<Node>("nodes_L0");
    Geometry geometry{
        .nodes = nodes,
        .edges = mesh.set<Edge>("edges_L0"),
        .edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes_L0"),
        .boundary_nodes = {},
        .coordinates = mesh.take_dat<Node, double, 3>("coordinates_L0"),
        .normals = mesh.take_dat<Edge, double, 3>("edge_weights_L0"),
        .volume = mesh.take_dat<Node, double, 1>("volumes_L0"),
        .inverse_volume = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "inverse_volume"),
        .inverse_moments = mesh.make_dat<Node, double, 6, LaneStorage>(nodes, "inverse_moments"),
    };
    require_natural_areas(context, geometry, file);
    geometry.boundary_nodes = find_boundary(context, mesh, nodes, geometry.volume, geometry);
    invert_moments(context, mesh, geometry, file);
    return geometry;
}

double largest_rate(Context& context, const Mesh& mesh, const Geometry& geometry,
                    const Options& options) {
    auto rate = mesh.make_dat<Node, double, 1>(geometry.nodes, "rate");
    const auto& u = options.velocity;
    par_loop(context, {"face_rates", 0}, geometry.edges,
             FaceRates{{u[0], u[1], u[2]}, options.diffusivity},
             read<0>(geometry.coordinates, geometry.edge_nodes),
             read<1>(geometry.coordinates, geometry.edge_nodes), read(oriented(geometry.normals)),
             inc<0>(rate, geometry.edge_nodes), inc<1>(rate, geometry.edge_nodes));
    Global<double, 1> fastest{{0.0}};
    par_loop(context, {"stable_step", 0}, geometry.nodes, StableStep{},
             read(geometry.inverse_volume), read(rate), reduce_max(fastest));
    return fastest[0];
}

}  // namespace halocline::advection_diffusion
