// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Smoothing, restriction and correction: each a chain of loops over the nodes of one level.
#include "halocline/solver/mgcfd/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "halocline/backend/par_loop.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/solver/mgcfd/idle_memory.hpp"

namespace halocline::mgcfd {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

auto edge_flux(const Level& level, LaneDat& flux) {
    return make_loop({"edge_flux", level.index}, level.edges, EdgeFlux{},
                     read<0>(derived(level.q), level.edge_nodes),
                     read<1>(derived(level.q), level.edge_nodes),
                     read(oriented(level.edge_normals)), inc<0>(flux, level.edge_nodes),
                     inc<1>(flux, level.edge_nodes));
}

auto boundary_flux(const Level& level, LaneDat& flux) {
    return make_loop({"boundary_flux", level.index}, level.boundary, BoundaryFlux{},
                     read<0>(derived(level.q), level.boundary_node), read(level.boundary_group),
                     read(level.boundary_weights), inc<0>(flux, level.boundary_node));
}

auto time_step_limit(const Level& level, Global<double, 1>& limit) {
    return make_loop({"time_step_limit", level.index}, level.nodes, TimeStepLimit{},
                     read(derived(level.q)), read(level.inverse_length), reduce_min(limit));
}

StageUpdate stage_update(const Level& level, int stage) {
    return {level.time_step / static_cast<double>(stages + 1 - stage)};
}

}  // namespace

Solver::Solver(Context& context, Mesh& mesh, const SolverOptions& options)
    : context_(context), options_(options) {
    const auto count = static_cast<int>(options.level_names.size());
    levels_.reserve(options.level_names.size());
    const bool lend = context.backend() == Backend::openmp && fits_idle_memory(mesh, count);
    for (int l = 0; l < count; ++l) {
        levels_.push_back(make_level(context, mesh,
                                     {l, options.level_names[static_cast<std::size_t>(l)],
                                      l == count - 1, options.legacy_mode, lend && l > 0}));
    }
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        link_levels(context, levels_[l - 1], levels_[l]);
    }
    return_freed_memory();
    for (Level& level : levels_) {
        start_state(level);
    }
    limit_time_step(levels_.front());
}

double Solver::run_cycle(const std::function<void()>& after_finest_visit) {
    ++cycle_;
    const std::size_t coarsest = levels_.size() - 1;
    double change_squared = 0.0;
    for (std::size_t l = 0; l <= coarsest; ++l) {
        const double visited = smooth(levels_[l]);
        if (l == 0) {
            change_squared = visited;
            lend_idle_memory(levels_);
            if (after_finest_visit) {
                after_finest_visit();
            }
        }
        if (l < coarsest) {
            restrict_state(levels_[l], levels_[l + 1]);
        }
    }
    for (std::size_t l = coarsest; l-- > 0;) {
        correct(levels_[l], levels_[l + 1]);
        if (l > 0) {
            smooth(levels_[l]);
        }
    }
    if (coarsest == 0) {
        limit_time_step(levels_.front());
    }
    return std::sqrt(change_squared / static_cast<double>(levels_.front().nodes.part->global_size));
}

double Solver::smooth(Level& level) {
    level.time_step = level.next_time_step;
    Global<double, 1> change_squared;
    Global<double, 1> bad_nodes;
    run_chain(context_, {"flux_stage_1", level.index}, level.nodes, edge_flux(level, level.flux),
              boundary_flux(level, level.flux),
              make_loop({"stage_1", level.index}, level.nodes, FirstStage{stage_update(level, 0)},
                        read(level.q), read(level.inverse_length), read(level.flux),
                        write(level.change), write(level.next)));
    finish_stage(level);
    run_chain(context_, {"flux_stage_2", level.index}, level.nodes, edge_flux(level, level.flux),
              boundary_flux(level, level.flux),
              make_loop({"stage_2", level.index}, level.nodes, MiddleStage{stage_update(level, 1)},
                        read(level.change), read(level.inverse_length), read(level.flux),
                        write(level.next)));
    finish_stage(level);
    run_chain(context_, {"flux_stage_3", level.index}, level.nodes, edge_flux(level, level.flux),
              boundary_flux(level, level.flux),
              make_loop({"stage_3", level.index}, level.nodes, LastStage{stage_update(level, 2)},
                        read_write(level.change), read(level.inverse_length), read(level.flux),
                        write(level.next), inc(change_squared), inc(bad_nodes)));
    finish_stage(level);
    require_valid(level, bad_nodes[0]);
    return change_squared[0];
}

void Solver::finish_stage(Level& level) {
    swap(level.q, level.next);
    rotate_states(level);
    if (options_.measure_memory_bound) {
        run_chain(
            context_, {"unstructured_stream", level.index}, level.nodes,
            make_loop({"stream_edges", level.index}, level.edges, StreamEdge{},
                      read<0>(derived(level.q), level.edge_nodes),
                      read<1>(derived(level.q), level.edge_nodes),
                      read(oriented(level.edge_normals)), inc<0>(level.flux, level.edge_nodes),
                      inc<1>(level.flux, level.edge_nodes)),
            make_loop({"stream_update", level.index}, level.nodes,
                      MiddleStage{stage_update(level, 1)}, read(level.change),
                      read(level.inverse_length), read(level.flux), write(level.next)));
    }
}

void Solver::limit_time_step(Level& level) {
    Global<double, 1> limit{{no_limit}};
    run_chain(context_, {"time_step_limit", level.index}, level.nodes,
              time_step_limit(level, limit));
    level.next_time_step = limit[0];
}

void Solver::restrict_state(const Level& fine, Level& coarse) {
    Global<double, 1> limit{{no_limit}};
    LaneDat& sum = coarse.flux;
    run_chain(context_, {"restrict", coarse.index}, coarse.nodes,
              make_loop({"sum_children", coarse.index}, fine.nodes, SumChildren{}, read(fine.q),
                        inc<0>(sum, *fine.parent)),
              make_loop({"mean_of_children", coarse.index}, coarse.nodes, MeanOfChildren{},
                        read(sum), read(*coarse.inverse_children), read_write(coarse.q)),
              time_step_limit(coarse, limit));
    coarse.next_time_step = limit[0];
}

namespace {

/// `next` is idle between visits: its memory serves as the correction's while it is needed. Plain
/// layouts have rows of different sizes and keep two arrays.
class LentMemory {
public:
    LentMemory(StateDat& lender, CorrectionDat& borrower)
        : lender_(lender.store()), borrower_(borrower.store()) {
        exchange();
    }
    ~LentMemory() { exchange(); }
    LentMemory(const LentMemory&) = delete;
    LentMemory& operator=(const LentMemory&) = delete;

private:
    void exchange() {
        if (lender_.mode == LayoutMode::vector) {
            std::swap(lender_.values, borrower_.values);
        }
    }

    DatStore& lender_;
    DatStore& borrower_;
};

}  // namespace

void Solver::correct(Level& fine, Level& coarse) {
    const LentMemory lent(coarse.next, *coarse.correction);
    par_loop(context_, {"pack_correction", coarse.index}, coarse.nodes, PackCorrection{},
             read(coarse.change), read(coarse.coordinates), write(*coarse.correction));
    Global<double, 1> limit{{no_limit}};
    run_chain(context_, {"correct", fine.index}, fine.nodes,
              make_loop({"apply_correction", fine.index}, fine.nodes, ApplyCorrection{},
                        read<0>(*coarse.correction, *fine.parent), read(fine.coordinates),
                        read(fine.change), read_write(fine.q)),
              time_step_limit(fine, limit));
    fine.next_time_step = limit[0];
}

namespace {

bool is_valid(const Level& level, LocalIndex i) {
    double size = 0.0;
    for (int d = 0; d < variables; ++d) {
        size += std::fabs(level.q.store().at(i, d));
    }
    return is_finite(size) && level.q.store().at(i, 0) > 0.0;
}

/// Local index of this rank's first bad node by global id, or -1.
LocalIndex first_bad_node(const Level& level) {
    const SetPart& nodes = *level.nodes.part;
    LocalIndex first = -1;
    for (LocalIndex i = 0; i < nodes.owned; ++i) {
        if (!is_valid(level, i) && (first < 0 || nodes.global_id(i) < nodes.global_id(first))) {
            first = i;
        }
    }
    return first;
}

}  // namespace

void Solver::require_valid(const Level& level, double bad_nodes) const {
    if (bad_nodes == 0.0) {
        return;
    }
    constexpr const char* loop = "flux_stage_3";
    const LocalIndex local = first_bad_node(level);
    const std::int64_t mine =
        local < 0 ? std::numeric_limits<std::int64_t>::max() : level.nodes.part->global_id(local);
    const std::int64_t node = context_.comm().min(mine);
    const auto of_owner = [&](const DatStore& store, int d) {
        return context_.comm().sum(node == mine ? store.at(local, d) : 0.0);
    };
    double x[3];
    for (int d = 0; d < 3; ++d) {
        x[d] = of_owner(level.coordinates.store(), d);
    }
    const double density = of_owner(level.q.store(), 0);
    DivergenceError error(
        ExitCode::run_failed,
        "Bad variable values detected, aborting: cycle " + std::to_string(cycle_) + ", level " +
            std::to_string(level.index) + ", loop '" + loop + "', " +
            std::to_string(static_cast<std::int64_t>(bad_nodes)) + " node(s), first node " +
            std::to_string(node) + " (counted from 0) at (" + std::to_string(x[0]) + ", " +
            std::to_string(x[1]) + ", " + std::to_string(x[2]) + "), density " +
            std::to_string(density) +
            " (the run diverged). Check the mesh scaling, or run fewer cycles or levels.");
    error.cycle = cycle_;
    error.level = level.index;
    error.loop = loop;
    error.node = node;
    std::copy_n(x, 3, error.coordinates);
    throw error;
}

NodeScalar step_factors(Context& context, const Mesh& mesh, const Level& level) {
    NodeScalar factors = mesh.make_dat<Node, double, 1, LaneStorage>(
        level.nodes, "step_factors_L" + std::to_string(level.index));
    par_loop(context, {"step_factor", level.index}, level.nodes, StepFactor{level.time_step},
             read(level.inverse_length), write(factors));
    return factors;
}

}  // namespace halocline::mgcfd
