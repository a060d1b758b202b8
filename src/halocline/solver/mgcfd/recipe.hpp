// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The loops of a multigrid cycle as values: what each one runs over, reads and changes. The solver
// runs them; the list of device loops takes their types.
#pragma once

#include "halocline/loop/chain.hpp"
#include "halocline/solver/mgcfd/level.hpp"

namespace halocline::mgcfd::recipe {

inline auto edge_flux(Level& level) {
    return make_loop({"edge_flux", level.index}, level.edges, EdgeFlux{},
                     read<0>(derived(level.q), level.edge_nodes),
                     read<1>(derived(level.q), level.edge_nodes),
                     read(oriented(level.edge_normals)), inc<0>(level.flux, level.edge_nodes),
                     inc<1>(level.flux, level.edge_nodes));
}

inline auto boundary_flux(Level& level) {
    return make_loop({"boundary_flux", level.index}, level.boundary, BoundaryFlux{},
                     read<0>(derived(level.q), level.boundary_node), read(level.boundary_group),
                     read(level.boundary_weights), inc<0>(level.flux, level.boundary_node));
}

inline auto limit_loop(Level& level) {
    return make_loop({"time_step_limit", level.index}, level.nodes, TimeStepLimit{},
                     read(derived(level.q)), read(level.inverse_length),
                     reduce_min(level.next_time_step));
}

inline auto begin_visit(Level& level) {
    return make_global_update({"begin_visit", level.index}, BeginVisit{},
                              read(level.next_time_step), read(level.down.bad_nodes),
                              write(level.time_step), write(level.stage_times));
}

inline auto flux_stage_1(Level& level) {
    return make_chain({"flux_stage_1", level.index}, level.nodes, edge_flux(level),
                      boundary_flux(level),
                      make_loop({"stage_1", level.index}, level.nodes, FirstStage{},
                                read(level.stage_times), read(level.q), read(level.inverse_length),
                                read(level.flux), write(level.change), write(level.next)));
}

inline auto flux_stage_2(Level& level) {
    return make_chain({"flux_stage_2", level.index}, level.nodes, edge_flux(level),
                      boundary_flux(level),
                      make_loop({"stage_2", level.index}, level.nodes, MiddleStage{},
                                read(level.stage_times), read(level.change),
                                read(level.inverse_length), read(level.flux), write(level.next)));
}

inline auto flux_stage_3(Level& level, Visit& visit) {
    return make_chain(
        {"flux_stage_3", level.index}, level.nodes, edge_flux(level), boundary_flux(level),
        make_loop({"stage_3", level.index}, level.nodes, LastStage{}, read(level.stage_times),
                  read_write(level.change), read(level.inverse_length), read(level.flux),
                  write(level.next), inc(visit.change_squared), inc(visit.bad_nodes)));
}

/// The traffic of a flux stage with next to no arithmetic.
inline auto stream(Level& level) {
    return make_chain(
        {"unstructured_stream", level.index}, level.nodes,
        make_loop({"stream_edges", level.index}, level.edges, StreamEdge{},
                  read<0>(derived(level.q), level.edge_nodes),
                  read<1>(derived(level.q), level.edge_nodes), read(oriented(level.edge_normals)),
                  inc<0>(level.flux, level.edge_nodes), inc<1>(level.flux, level.edge_nodes)),
        make_loop({"stream_update", level.index}, level.nodes, MiddleStage{},
                  read(level.stage_times), read(level.change), read(level.inverse_length),
                  read(level.flux), write(level.next)));
}

inline auto time_step_limit(Level& level) {
    return make_chain({"time_step_limit", level.index}, level.nodes, limit_loop(level));
}

inline auto restriction(const Level& fine, Level& coarse) {
    return make_chain(
        {"restrict", coarse.index}, coarse.nodes,
        make_loop({"sum_children", coarse.index}, fine.nodes, SumChildren{}, read(fine.q),
                  inc<0>(coarse.flux, *fine.parent)),
        make_loop({"mean_of_children", coarse.index}, coarse.nodes, MeanOfChildren{},
                  read(coarse.flux), read(*coarse.inverse_children), read_write(coarse.q)),
        limit_loop(coarse));
}

inline auto pack_correction(Level& coarse) {
    return make_loop({"pack_correction", coarse.index}, coarse.nodes, PackCorrection{},
                     read(coarse.change), read(coarse.coordinates), write(*coarse.correction));
}

inline auto correction(Level& fine, const Level& coarse) {
    return make_chain(
        {"correct", fine.index}, fine.nodes,
        make_loop({"apply_correction", fine.index}, fine.nodes, ApplyCorrection{},
                  read(fine.down.bad_nodes), read<0>(*coarse.correction, *fine.parent),
                  read(fine.coordinates), read(fine.change), read_write(fine.q)),
        limit_loop(fine));
}

}  // namespace halocline::mgcfd::recipe
