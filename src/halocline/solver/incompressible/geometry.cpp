// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up: its loops run once, on the host.
#include "halocline/solver/incompressible/geometry.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <utility>

#include "halocline/backend/make_subset.hpp"
#include "halocline/backend/par_loop.hpp"
#include "halocline/core/error.hpp"
#include "halocline/linalg/kernels.hpp"
#include "halocline/mesh/first_element.hpp"
#include "halocline/solver/incompressible/diffusion_kernels.hpp"
#include "halocline/solver/incompressible/pressure_kernels.hpp"

namespace halocline::incompressible {

namespace {

/// The first `dim` components of vectors with three.
template <class Tag, int dim>
Dat<Tag, double, dim> flattened(Mesh& mesh, const char* name, const char* to) {
    Dat<Tag, double, 3> all = mesh.take_dat<Tag, double, 3>(name);
    if constexpr (dim == 3) {
        return all;
    } else {
        auto flat = mesh.make_dat<Tag, double, dim>(all.set(), to);
        flat.fill([&](LocalIndex i, int d) { return all.store().at(i, d); });
        return flat;
    }
}

template <int dim>
struct Way {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, dim>& xa, const Values<V, dim>& xb,
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

/// The inverse of a matrix, row by row. Returns whether its determinant is positive.
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

/// Gradients of linear fields are exact where B is one to this part.
constexpr double round_off = 1e-8;

/// Areas of MG-CFD's meshes may be scaled by powers of ten.
constexpr double largest_scale = 2.0;

/// Ways along edges: stored, or from one end to the other.
template <int dim>
Dat<Edge, double, dim> find_ways(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
                                 bool are_stored) {
    if (are_stored) {
        return flattened<Edge, dim>(mesh, "edge_vectors_L0", "ways");
    }
    auto ways = mesh.make_dat<Edge, double, dim>(geometry.edges, "ways");
    par_loop(context, {"ways", 0}, geometry.edges, Way<dim>{},
             read<0>(geometry.coordinates, geometry.edge_nodes),
             read<1>(geometry.coordinates, geometry.edge_nodes), write(ways));
    return ways;
}

template <int dim>
using Moments = Dat<Node, double, dim * dim>;

/// `dim` times the volume of a dual cell, by the divergence theorem on the simplices at its node.
template <int dim>
double trace(const Moments<dim>& moments, LocalIndex i) {
    double sum = 0.0;
    for (int d = 0; d < dim; ++d) {
        sum += moments.store().at(i, dim * d + d);
    }
    return sum;
}

/// d . n summed over edges is `dim` times the volume of the mesh, curved boundaries apart.
template <int dim>
void require_natural_areas(const Communicator& comm, const Geometry<dim>& geometry,
                           const Moments<dim>& moments, const std::string& file) {
    double all = 0.0;
    for (LocalIndex i = 0; i < geometry.nodes.part->owned; ++i) {
        all += trace<dim>(moments, i);
    }
    const double scale = comm.sum(all) / (dim * geometry.volume);
    validate<InputError>(
        scale > 1.0 / largest_scale && scale < largest_scale,
        fmt::format(
            "{}: areas are {:.2g} times what dual volumes and coordinates say (MG-CFD's "
            "meshes may be scaled). This solver needs areas as they are: make the mesh with "
            "scaling = \"natural\".",
            file, scale));
}

/// B of a node, row by row.
template <int dim>
std::array<double, dim * dim> matrix_at(const Geometry<dim>& geometry, const Moments<dim>& moments,
                                        LocalIndex i) {
    std::array<double, dim * dim> m{};
    for (int k = 0; k < dim * dim; ++k) {
        m[static_cast<std::size_t>(k)] =
            moments.store().at(i, k) * geometry.inverse_volume.store().at(i, 0);
    }
    return m;
}

template <int dim>
bool is_one(const std::array<double, dim * dim>& m) {
    for (int k = 0; k < dim * dim; ++k) {
        const double one = k % (dim + 1) == 0 ? 1.0 : 0.0;
        if (std::fabs(m[static_cast<std::size_t>(k)] - one) > round_off) {
            return false;
        }
    }
    return true;
}

template <int dim>
void require_invertible(const Communicator& comm, const Geometry<dim>& geometry,
                        const Moments<dim>& moments, const std::string& file) {
    const FirstElement first = find_first(comm, *geometry.nodes.part, [&](LocalIndex i) {
        double inverted[dim * dim];
        return !invert<dim>(matrix_at<dim>(geometry, moments, i).data(), inverted);
    });
    validate<InputError>(
        !first.exists(),
        fmt::format("{}: faces around node {} (counted from 0) do not surround it (no gradient "
                    "follows from them). Look at the mesh with `halocline mesh check`.",
                    file, first.global));
}

template <int dim>
void make_gradients_exact(Context& context, Mesh& mesh, Geometry<dim>& geometry,
                          const Moments<dim>& moments) {
    geometry.inexact_nodes = make_subset(
        context, mesh, geometry.nodes, "inexact_nodes",
        [&](LocalIndex i) { return !is_one<dim>(matrix_at<dim>(geometry, moments, i)); });
    const Subset<Node>& nodes = geometry.inexact_nodes;
    if (context.comm().max(std::int64_t{nodes.owned()}) == 0) {
        return;
    }
    geometry.exact_gradient = mesh.make_dat<Members<Node>, double, dim * dim, LaneStorage>(
        nodes.members(), "exact_gradient");
    auto& to = geometry.exact_gradient->change();
    for (LocalIndex k = 0; k < nodes.owned(); ++k) {
        double inverted[dim * dim];
        invert<dim>(matrix_at<dim>(geometry, moments, nodes.element(k)).data(), inverted);
        for (int c = 0; c < dim * dim; ++c) {
            to.at(k, c) = inverted[c];
        }
    }
}

}  // namespace

template <int dim>
Geometry<dim> make_geometry(Context& context, Mesh& mesh, const std::string& file,
                            LevelExtras extras) {
    const auto nodes = mesh.set<Node>("nodes_L0");
    Geometry<dim> geometry{
        .nodes = nodes,
        .edges = mesh.set<Edge>("edges_L0"),
        .edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes_L0"),
        .coordinates = flattened<Node, dim>(mesh, "coordinates_L0", "coordinates"),
        .normals = flattened<Edge, dim>(mesh, "edge_weights_L0", "normals"),
        .stiffness = mesh.take_dat<Edge, double, 1>("edge_stiffness_L0"),
        .inverse_volume = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "inverse_volume"),
        .spread = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "spread"),
        .inexact_nodes = {},
        .exact_gradient = {},
    };
    auto volume = mesh.take_dat<Node, double, 1>("volumes_L0");
    auto moments = mesh.make_dat<Node, double, dim * dim>(nodes, "moments");
    {
        const Dat<Edge, double, dim> ways =
            find_ways<dim>(context, mesh, geometry, extras.has_edge_vectors);
        par_loop(context, {"moments", 0}, geometry.edges, EdgeMoments<dim>{}, read(oriented(ways)),
                 read(oriented(geometry.normals)), inc<0>(moments, geometry.edge_nodes),
                 inc<1>(moments, geometry.edge_nodes));
    }
    if (extras.has_own_faces) {
        volume.fill([&](LocalIndex i, int) {
            return i < nodes.part->owned ? trace<dim>(moments, i) / dim : 0.0;
        });
    }
    Global<double, 1> all{};
    par_loop(context, {"invert_volume", 0}, nodes, Invert{}, read(volume),
             write(geometry.inverse_volume), inc(all));
    geometry.volume = std::as_const(all)[0];
    require_natural_areas<dim>(context.comm(), geometry, moments, file);
    require_invertible<dim>(context.comm(), geometry, moments, file);
    make_gradients_exact<dim>(context, mesh, geometry, moments);

    auto spread = mesh.make_dat<Node, double, 1>(nodes, "sum_of_weights");
    par_loop(context, {"edge_spread", 0}, geometry.edges, linalg::EdgeSize{},
             read(geometry.stiffness), inc<0>(spread, geometry.edge_nodes),
             inc<1>(spread, geometry.edge_nodes));
    Global<double, 1> largest{{0.0}};
    par_loop(context, {"spread", 0}, nodes, Spread{}, read(spread), read(geometry.inverse_volume),
             write(geometry.spread), reduce_max(largest));
    geometry.largest_spread = std::as_const(largest)[0];
    return geometry;
}

template Geometry<2> make_geometry<2>(Context&, Mesh&, const std::string&, LevelExtras);
template Geometry<3> make_geometry<3>(Context&, Mesh&, const std::string&, LevelExtras);

}  // namespace halocline::incompressible
