// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One multigrid level of MG-CFD: its sets, maps and dats, made ready for the first cycle.
#pragma once

#include <optional>
#include <string>

#include "halocline/backend/context.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/solver/mgcfd/kernels.hpp"

namespace halocline::mgcfd {

struct Node {};
struct Edge {};
struct BoundaryEntry {};

/// Conserved variables with 1/rho, p and |u| + c beside them: one cache line a node.
using StateDat = Dat<Node, double, variables, DerivedStorage<euler::GasState>>;
/// What finer nodes read from their parent, in one cache line: R (5) and coordinates (3).
using CorrectionDat = Dat<Node, double, variables + 3, RowStorage>;
using LaneDat = Dat<Node, double, variables, LaneStorage>;
using FluxDat = Dat<Node, double, variables, TemporaryStorage>;
using NodeScalar = Dat<Node, double, 1, LaneStorage>;
using NodeVector = Dat<Node, double, 3, LaneStorage>;

/// What does not change from cycle to cycle. Names in the mesh: `<what>_L<level>`.
struct Geometry {
    int index;
    Set<Node> nodes;
    Set<Edge> edges;
    Set<BoundaryEntry> boundary;
    Map<Edge, Node, 2> edge_nodes;
    Map<BoundaryEntry, Node, 1> boundary_node;
    std::optional<Map<Node, Node, 1>> parent;  ///< to the next coarser level

    NodeVector coordinates;
    Dat<Edge, double, 3> edge_normals;  ///< n = -w / 2 of the damped weights
    Dat<BoundaryEntry, double, 1> boundary_group;
    Dat<BoundaryEntry, double, 3> boundary_weights;
    NodeScalar inverse_length;  ///< cbrt(V)^-1 of the dual volume V
};

/// What one visit to a level leaves behind.
struct Visit {
    Global<double, 1> change_squared;  ///< sum R^2
    Global<double, 1> bad_nodes;       ///< nodes whose state is no state any more
};

/// One grid level: geometry, state, and what visits and transfers leave behind.
struct Level : Geometry {
    std::optional<NodeScalar>
        inverse_children;  ///< 1 / number of children, 0 without; coarse levels
    std::optional<CorrectionDat>
        correction;  ///< R and coordinates, in the memory of `next`; coarse levels

    StateDat q;
    StateDat next;  ///< where a stage writes; then swapped with `q`
    /// Coarse levels whose `next`, `spare` and `change` lie in the memory of a finer level.
    std::optional<StateDat> spare;
    bool q_is_aliased = false;  ///< and whose `q` lies there too
    LaneDat change;             ///< during a visit U0; after it R = U - U0
    FluxDat flux;  ///< sum over a node's edges and boundary entries; lives within a stage

    Global<double, 1> time_step{};         ///< tau of the level's most recent visit
    Global<double, 1> next_time_step{};    ///< tau that the present state allows: of the next visit
    Global<double, stages> stage_times{};  ///< tau / (4 - k) of the visit
    Visit down{};                          ///< on the way to coarser levels
    Visit up{};                            ///< on the way back; levels between the two ends
};

struct LevelOptions {
    int index = 0;
    std::string name;  ///< what messages call the level: its file
    bool is_coarsest = false;
    bool legacy_mode = false;
    bool is_aliased = false;  ///< gets memory for states and `change` later (aliased_states.hpp)
};

/// Takes the level's data from `mesh` and computes volumes and damped weights (section 5 of
/// docs/theory/mgcfd.md); the state has no memory yet. Throws InputError for a dual volume that is not positive. Collective.
[[nodiscard]] Level make_level(Context& context, Mesh& mesh, const LevelOptions& options);

/// Gives the level's state its memory, unless that is aliased. Comes after all levels are made and linked:
/// what that needs for a while is gone by then.
void allocate_state(Level& level);

/// Counts children, so that `restrict_state` can average. Needs both levels. Collective.
void link_levels(Context& context, const Level& fine, Level& coarse);

/// After a stage: what it wrote to `next` is the state, and the next stage writes where nobody needs the
/// values. After as many stages as a visit has, three states are where they were.
void advance_state(Level& level);

/// Sets every node to the free stream.
void set_free_stream(Level& level);

}  // namespace halocline::mgcfd
