// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up of a level: volumes, weights, children counts, free stream.
#include "halocline/solver/mgcfd/level.hpp"

#include <limits>

#include "halocline/backend/par_loop.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/mesh/first_element.hpp"

namespace halocline::mgcfd {

namespace {

using NodePlaces = Dat<Node, double, 3>;

std::string level_name(const char* what, int level) {
    return std::string(what) + "_L" + std::to_string(level);
}

std::optional<Map<Node, Node, 1>> parent_map(const Mesh& mesh, const LevelOptions& options) {
    if (options.is_coarsest) {
        return std::nullopt;
    }
    return mesh.map<Node, Node, 1>(level_name("parent", options.index));
}

struct Smallest {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& value, Values<V, 1>& smallest) const {
        smallest[0] = min(smallest[0], value[0]);
    }
};

/// Names the first node whose volume no scheme can divide by.
void require_positive_volumes(Context& context, const Geometry& level, const NodeScalar& volume,
                              const std::string& name) {
    Global<double, 1> smallest{{std::numeric_limits<double>::infinity()}};
    par_loop(context, {"smallest_volume", level.index}, level.nodes, Smallest{}, read(volume),
             reduce_min(smallest));
    if (smallest[0] > 0.0) {
        return;
    }
    const FirstElement first = find_first(context.comm(), *level.nodes.part, [&](LocalIndex i) {
        return !(volume.store().at(i, 0) > 0.0);
    });
    throw InputError(name + " (level " + std::to_string(level.index) + "): dual volume of node " +
                     std::to_string(first.global) +
                     " (counted from 0) is zero or negative (time steps divide by it). "
                     "Run `halocline mesh check` on the mesh and repair it.");
}

/// `places` are the nodes' coordinates in rows: edges reach them through their map.
void compute_volumes(Context& context, Geometry& level, const NodePlaces& places,
                     NodeScalar& volume, const std::string& name) {
    par_loop(context, {"edge_volume", level.index}, level.edges, EdgeVolume{},
             read<0>(places, level.edge_nodes), read<1>(places, level.edge_nodes),
             read(level.edge_normals), inc<0>(volume, level.edge_nodes),
             inc<1>(volume, level.edge_nodes));
    Global<double, 1> shortest{{std::numeric_limits<double>::infinity()}};
    par_loop(context, {"edge_weight", level.index}, level.edges, EdgeWeight{},
             read<0>(places, level.edge_nodes), read<1>(places, level.edge_nodes),
             read_write(level.edge_normals), reduce_min(shortest));
    validate<InputError>(
        shortest[0] > 0.0,
        name + " (level " + std::to_string(level.index) +
            "): an edge joins two nodes at the same place (its weight is divided by "
            "its length). Run `halocline mesh check` on the mesh and repair it.");
}

}  // namespace

namespace {

/// Plans what a later chain will gather through `map`. Else its first run would, with all memory of the
/// run in use.
template <class From>
void plan_gather(Context& context, const Map<From, Node, 1>& map) {
    if (context.backend() == Backend::openmp) {
        static_cast<void>(context.plans().gather(*map.from, *map.to, {{map.part, 0}}));
        context.plans().forget_order(*map.from);
    }
}

Geometry take_geometry(Mesh& mesh, const LevelOptions& options) {
    const int l = options.index;
    const auto nodes = mesh.set<Node>(level_name("nodes", l));
    return {
        .index = l,
        .nodes = nodes,
        .edges = mesh.set<Edge>(level_name("edges", l)),
        .boundary = mesh.set<BoundaryEntry>(level_name("bnd", l)),
        .edge_nodes = mesh.map<Edge, Node, 2>(level_name("edge_nodes", l)),
        .boundary_node = mesh.map<BoundaryEntry, Node, 1>(level_name("bnd_node", l)),
        .parent = parent_map(mesh, options),
        .coordinates =
            NodeVector(nodes, level_name("coordinates", l), mesh.layout_mode(), Buffer<double>{}),
        .edge_normals = mesh.take_dat<Edge, double, 3>(level_name("edge_weights", l)),
        .boundary_group = mesh.take_dat<BoundaryEntry, double, 1>(level_name("bnd_group", l)),
        .boundary_weights = mesh.take_dat<BoundaryEntry, double, 3>(level_name("bnd_weights", l)),
        .inverse_length =
            mesh.make_dat<Node, double, 1, LaneStorage>(nodes, level_name("inverse_length", l)),
    };
}

Geometry make_geometry(Context& context, Mesh& mesh, const LevelOptions& options) {
    Geometry geometry = take_geometry(mesh, options);
    const int l = options.index;
    auto places = mesh.take_dat<Node, double, 3>(level_name("coordinates", l));
    NodeScalar volume =
        options.legacy_mode
            ? mesh.take_dat<Node, double, 1, LaneStorage>(level_name("volumes", l))
            : mesh.make_dat<Node, double, 1, LaneStorage>(geometry.nodes, level_name("volumes", l));
    if (options.legacy_mode) {
        par_loop(context, {"damp_edge_weight", l}, geometry.edges, DampWeight{half_normal},
                 read_write(geometry.edge_normals));
    } else {
        compute_volumes(context, geometry, places, volume, options.name);
    }
    geometry.coordinates = mesh.laid_out<LaneStorage>(std::move(places));
    par_loop(context, {"damp_boundary_weight", l}, geometry.boundary, DampWeight{},
             read_write(geometry.boundary_weights));
    require_positive_volumes(context, geometry, volume, options.name);
    par_loop(context, {"inverse_length", l}, geometry.nodes, InverseLength{}, read(volume),
             write(geometry.inverse_length));
    precompute_edges(context, mesh, geometry.edge_nodes, oriented(geometry.edge_normals));
    plan_gather(context, geometry.boundary_node);
    return geometry;
}

}  // namespace

Level make_level(Context& context, Mesh& mesh, const LevelOptions& options) {
    Geometry geometry = make_geometry(context, mesh, options);
    const int l = options.index;
    const Set<Node> nodes = geometry.nodes;
    std::optional<NodeScalar> inverse_children;
    std::optional<CorrectionDat> correction;
    if (l > 0) {
        inverse_children.emplace(nodes, level_name("inverse_children", l), mesh.layout_mode());
        correction.emplace(nodes, level_name("correction", l), mesh.layout_mode());
        if (mesh.layout_mode() == LayoutMode::vector) {
            correction->handle().values.release();  // aliases the memory of `next`
        }
    }
    const auto state = [&](const char* what) {
        return StateDat(nodes, level_name(what, l), mesh.layout_mode(), Buffer<double>{});
    };
    std::optional<StateDat> spare;
    if (options.is_aliased) {
        spare.emplace(state("spare"));
    }
    Level level{
        std::move(geometry),
        std::move(inverse_children),
        std::move(correction),
        state("q"),
        state("next"),
        std::move(spare),
        false,
        LaneDat(nodes, level_name("change", l), mesh.layout_mode(), Buffer<double>{}),
        mesh.make_temporary<Node, double, variables>(nodes, level_name("flux", l)),
    };
    return_freed_memory();  // small pieces; what comes next would be on top of them
    return level;
}

void link_levels(Context& context, const Level& fine, Level& coarse) {
    par_loop(context, {"count_children", coarse.index}, fine.nodes, CountChild{},
             inc<0>(*coarse.inverse_children, *fine.parent));
    par_loop(context, {"invert_count", coarse.index}, coarse.nodes, InvertCount{},
             read_write(*coarse.inverse_children));
    plan_gather(context, *fine.parent);
}

void allocate_state(Level& level) {
    if (!level.q_is_aliased) {
        level.q.handle().allocate();
    }
    if (!level.spare) {
        level.next.handle().allocate();
        level.change.handle().allocate();
    }
}

void advance_state(Level& level) {
    static_assert(stages == 3, "as many states as stages");
    swap(level.q, level.next);
    if (level.spare) {
        swap(level.next, *level.spare);
    }
}

void set_free_stream(Level& level) { level.q.fill(FreeStream().conserved()); }

}  // namespace halocline::mgcfd
