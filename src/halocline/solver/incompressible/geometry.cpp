// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up: its loops run once, on the host.
#include "halocline/solver/incompressible/geometry.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/core/error.hpp"
#include "halocline/mesh/first_element.hpp"
#include "halocline/solver/incompressible/kernels.hpp"

namespace halocline::incompressible {

namespace {

/// The first `dim` components of vectors with three.
template <int dim>
Dat<Edge, double, dim> flattened(Mesh& mesh, const char* name, const char* to) {
    Dat<Edge, double, 3> all = mesh.take_dat<Edge, double, 3>(name);
    if constexpr (dim == 3) {
        return all;
    } else {
        auto flat = mesh.make_dat<Edge, double, dim>(all.set(), to);
        flat.fill([&](LocalIndex e, int d) { return all.store().at(e, d); });
        return flat;
    }
}

template <int dim>
struct Way {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& xa, const Values<V, 3>& xb,
                                 Values<V, dim>& way) const {
        for (int d = 0; d < dim; ++d) {
            way[d] = xb[d] - xa[d];
        }
    }
};

struct Invert {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& volume, One<V>& inverse, One<V>& all) const {
        inverse[0] = V(1.0) / volume[0];
        all[0] += volume[0];
    }
};

/// The inverse of V B, row by row, and how far B is from one.
template <int dim>
bool invert(const double* m, double* inverse) {
    if constexpr (dim == 2) {
        const double determinant = m[0] * m[3] - m[1] * m[2];
        inverse[0] = m[3] / determinant;
        inverse[1] = -m[1] / determinant;
        inverse[2] = -m[2] / determinant;
        inverse[3] = m[0] / determinant;
        return determinant > 0.0;
    } else {
        double cofactors[9];
        for (int i = 0; i < 3; ++i) {
            const int i1 = (i + 1) % 3;
            const int i2 = (i + 2) % 3;
            for (int j = 0; j < 3; ++j) {
                const int j1 = (j + 1) % 3;
                const int j2 = (j + 2) % 3;
                cofactors[3 * i + j] =
                    m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
            }
        }
        const double determinant = m[0] * cofactors[0] + m[1] * cofactors[1] + m[2] * cofactors[2];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                inverse[3 * i + j] = cofactors[3 * j + i] / determinant;
            }
        }
        return determinant > 0.0;
    }
}

/// Gradients of linear fields are exact where V B is V times one to this part.
constexpr double round_off = 1e-8;

/// Areas of MG-CFD's meshes may be scaled by powers of ten.
constexpr double largest_scale = 2.0;

/// d . n summed over edges is `dim` times the volume of the mesh, curved boundaries apart.
template <int dim>
void require_natural_areas(const Communicator& comm, const Geometry<dim>& geometry,
                           const Dat<Node, double, dim * dim>& moments, const std::string& file) {
    double trace = 0.0;
    for (LocalIndex i = 0; i < geometry.nodes.part->owned; ++i) {
        for (int d = 0; d < dim; ++d) {
            trace += moments.store().at(i, dim * d + d);
        }
    }
    const double scale = comm.sum(trace) / (dim * geometry.volume);
    validate<InputError>(
        scale > 1.0 / largest_scale && scale < largest_scale,
        fmt::format(
            "{}: areas are {:.2g} times what dual volumes and coordinates say (MG-CFD's "
            "meshes may be scaled). This solver needs areas as they are: make the mesh with "
            "scaling = \"natural\".",
            file, scale));
}

template <int dim>
void make_gradients_exact(Context& context, Mesh& mesh, Geometry<dim>& geometry,
                          const Dat<Edge, double, dim>& ways, const std::string& file) {
    auto moments = mesh.make_dat<Node, double, dim * dim>(geometry.nodes, "moments");
    par_loop(context, {"moments", 0}, geometry.edges, EdgeMoments<dim>{}, read(oriented(ways)),
             read(oriented(geometry.normals)), inc<0>(moments, geometry.edge_nodes),
             inc<1>(moments, geometry.edge_nodes));
    require_natural_areas(context.comm(), geometry, moments, file);
    auto inverse =
        mesh.make_dat<Node, double, dim * dim, LaneStorage>(geometry.nodes, "exact_gradient");
    double furthest = 0.0;
    LocalIndex flat = -1;
    const auto& volume = geometry.inverse_volume.store();
    auto& to = inverse.change();
    for (LocalIndex i = 0; i < geometry.nodes.part->owned; ++i) {
        double m[dim * dim];
        double inverted[dim * dim];
        for (int k = 0; k < dim * dim; ++k) {
            m[k] = moments.store().at(i, k);
            const double one = k % (dim + 1) == 0 ? 1.0 : 0.0;
            furthest = std::max(furthest, std::fabs(m[k] * volume.at(i, 0) - one));
        }
        if (!invert<dim>(m, inverted)) {
            flat = i;
        }
        for (int k = 0; k < dim * dim; ++k) {
            to.at(i, k) = inverted[k];
        }
    }
    const FirstElement first =
        find_first(context.comm(), *geometry.nodes.part, [&](LocalIndex i) { return i == flat; });
    validate<InputError>(
        !first.exists(),
        fmt::format("{}: faces around node {} (counted from 0) do not surround it (no gradient "
                    "follows from them). Look at the mesh with `halocline mesh check`.",
                    file, first.global));
    if (context.comm().max(furthest) > round_off) {
        geometry.exact_gradient = std::move(inverse);
    }
}

}  // namespace

template <int dim>
Geometry<dim> make_geometry(Context& context, Mesh& mesh, const std::string& file,
                            bool has_edge_vectors) {
    const auto nodes = mesh.set<Node>("nodes_L0");
    Geometry<dim> geometry{
        .nodes = nodes,
        .edges = mesh.set<Edge>("edges_L0"),
        .edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes_L0"),
        .coordinates = mesh.take_dat<Node, double, 3>("coordinates_L0"),
        .normals = flattened<dim>(mesh, "edge_weights_L0", "normals"),
        .stiffness = mesh.take_dat<Edge, double, 1>("edge_stiffness_L0"),
        .inverse_volume = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "inverse_volume"),
        .spread = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "spread"),
        .exact_gradient = {},
    };
    const auto volume = mesh.take_dat<Node, double, 1>("volumes_L0");
    Global<double, 1> all{};
    par_loop(context, {"invert_volume", 0}, nodes, Invert{}, read(volume),
             write(geometry.inverse_volume), inc(all));
    geometry.volume = all[0];

    auto spread = mesh.make_dat<Node, double, 1>(nodes, "sum_of_weights");
    par_loop(context, {"edge_spread", 0}, geometry.edges, EdgeSpread{}, read(geometry.stiffness),
             inc<0>(spread, geometry.edge_nodes), inc<1>(spread, geometry.edge_nodes));
    Global<double, 1> largest{{0.0}};
    par_loop(context, {"spread", 0}, nodes, Spread{}, read(spread), read(geometry.inverse_volume),
             write(geometry.spread), reduce_max(largest));
    geometry.largest_spread = largest[0];

    if (has_edge_vectors) {
        make_gradients_exact<dim>(context, mesh, geometry,
                                  flattened<dim>(mesh, "edge_vectors_L0", "ways"), file);
    } else {
        auto ways = mesh.make_dat<Edge, double, dim>(geometry.edges, "ways");
        par_loop(context, {"ways", 0}, geometry.edges, Way<dim>{},
                 read<0>(geometry.coordinates, geometry.edge_nodes),
                 read<1>(geometry.coordinates, geometry.edge_nodes), write(ways));
        make_gradients_exact<dim>(context, mesh, geometry, ways, file);
    }
    return geometry;
}

template Geometry<2> make_geometry<2>(Context&, Mesh&, const std::string&, bool);
template Geometry<3> make_geometry<3>(Context&, Mesh&, const std::string&, bool);

}  // namespace halocline::incompressible
