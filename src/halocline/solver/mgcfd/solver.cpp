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
#include "halocline/mesh/first_element.hpp"
#include "halocline/solver/mgcfd/aliased_states.hpp"
#include "halocline/solver/mgcfd/recipe.hpp"

namespace halocline::mgcfd {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The limit found for the level's present state becomes the time step of the visit that begins.
void begin_visit(Context& context, Level& level) {
    update_globals(context, recipe::begin_visit(level));
}

}  // namespace

Solver::Solver(Context& context, Mesh& mesh, const SolverOptions& options)
    : context_(context), options_(options) {
    const auto count = static_cast<int>(options.level_names.size());
    levels_.reserve(options.level_names.size());
    const bool alias = context.backend() == Backend::openmp && fits_aliased_states(mesh, count);
    for (int l = 0; l < count; ++l) {
        levels_.push_back(make_level(context, mesh,
                                     {l, options.level_names[static_cast<std::size_t>(l)],
                                      l == count - 1, options.legacy_mode, alias && l > 0}));
    }
    for (std::size_t l = 1; l < levels_.size(); ++l) {
        link_levels(context, levels_[l - 1], levels_[l]);
        levels_[l].q_is_aliased = levels_[l].spare && is_restricted_whole(levels_[l]);
    }
    return_freed_memory();
    std::for_each(levels_.begin(), levels_.end(), allocate_state);
    alias_coarse_states(levels_);
    std::for_each(levels_.begin(), levels_.end(), set_free_stream);
    if (context.device() != nullptr) {
        options_.check_once_a_cycle = true;
    }
    limit_time_step(levels_.front());
    prepare_device(cycle_work_, {});
}

void Solver::expect_observer(const std::function<void()>& after_finest_visit) {
    prepare_device(observed_work_, after_finest_visit);
}

void Solver::prepare_device(device::RepeatedWork& work,
                            const std::function<void()>& after_finest_visit) {
    if (context_.device() == nullptr) {
        return;
    }
    context_.device()->recorder().prepare(
        work, [this] { return arrangement(); }, [&] { visit_levels(after_finest_visit); },
        context_.device()->halos().obstacle(context_));
}

std::vector<const void*> Solver::arrangement() const {
    std::vector<const void*> memory;
    for (const Level& level : levels_) {
        memory.push_back(level.q.handle().values.data());
    }
    return memory;
}

double Solver::run_cycle(const std::function<void()>& after_finest_visit) {
    ++cycle_;
    if (context_.device() != nullptr) {
        context_.device()->recorder().repeat(after_finest_visit ? observed_work_ : cycle_work_,
                                             arrangement(),
                                             [&] { visit_levels(after_finest_visit); });
    } else {
        visit_levels(after_finest_visit);
    }
    if (options_.check_once_a_cycle) {
        require_valid_visits();
    }
    const Level& finest = levels_.front();
    return std::sqrt(finest.down.change_squared[0] /
                     static_cast<double>(finest.nodes.part->global_size));
}

void Solver::require_valid_visits() const {
    for (const Level& level : levels_) {
        require_valid(level, level.down.bad_nodes[0]);
    }
    for (std::size_t l = levels_.size() - 1; l-- > 1;) {
        require_valid(levels_[l], levels_[l].up.bad_nodes[0]);
    }
}

void Solver::visit_levels(const std::function<void()>& after_finest_visit) {
    const std::size_t coarsest = levels_.size() - 1;
    for (std::size_t l = 0; l <= coarsest; ++l) {
        smooth(levels_[l], levels_[l].down);
        if (l == 0) {
            alias_coarse_states(levels_);
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
            smooth(levels_[l], levels_[l].up);
        }
    }
    if (coarsest == 0) {
        limit_time_step(levels_.front());
    }
}

void Solver::smooth(Level& level, Visit& visit) {
    visit.change_squared.set({0.0});
    visit.bad_nodes.set({0.0});
    begin_visit(context_, level);
    run_chain(context_, recipe::flux_stage_1(level));
    finish_stage(level);
    run_chain(context_, recipe::flux_stage_2(level));
    finish_stage(level);
    run_chain(context_, recipe::flux_stage_3(level, visit));
    finish_stage(level);
    if (!options_.check_once_a_cycle) {
        require_valid(level, std::as_const(visit).bad_nodes[0]);
    }
}

void Solver::finish_stage(Level& level) {
    advance_state(level);
    if (options_.measure_memory_bound) {
        run_chain(context_, recipe::stream(level));
    }
}

void Solver::limit_time_step(Level& level) {
    level.next_time_step.set({no_limit});
    run_chain(context_, recipe::time_step_limit(level));
}

void Solver::restrict_state(const Level& fine, Level& coarse) {
    coarse.next_time_step.set({no_limit});
    run_chain(context_, recipe::restriction(fine, coarse));
}

void Solver::correct(Level& fine, Level& coarse) {
    const AliasedCorrection aliased(coarse);
    par_loop(context_, recipe::pack_correction(coarse));
    fine.next_time_step.set({no_limit});
    run_chain(context_, recipe::correction(fine, coarse));
}

namespace {

bool is_valid(const Level& level, LocalIndex i) {
    double size = 0.0;
    for (int d = 0; d < variables; ++d) {
        size += std::fabs(level.q.store().at(i, d));
    }
    return is_finite(size) && level.q.store().at(i, 0) > 0.0;
}

}  // namespace

void Solver::require_valid(const Level& level, double bad_nodes) const {
    if (bad_nodes == 0.0) {
        return;
    }
    constexpr const char* loop = "flux_stage_3";
    const FirstElement first = find_first(context_.comm(), *level.nodes.part,
                                          [&](LocalIndex i) { return !is_valid(level, i); });
    validate<ContractError>(
        first.exists(),
        "cycle " + std::to_string(cycle_) + ", level " + std::to_string(level.index) + ", loop '" +
            loop + "' counted " + std::to_string(bad_nodes) +
            " bad node(s), but every node is good (a mistake in the program, not in the case). "
            "Please report it with the run record.");
    const auto of_owner = [&](const DatStore& store, int d) {
        return context_.comm().sum(first.local >= 0 ? store.at(first.local, d) : 0.0);
    };
    double x[3];
    for (int d = 0; d < 3; ++d) {
        x[d] = of_owner(level.coordinates.store(), d);
    }
    const double density = of_owner(level.q.store(), 0);
    run::DivergenceError error(
        ExitCode::run_failed,
        "Bad variable values detected, aborting: cycle " + std::to_string(cycle_) + ", level " +
            std::to_string(level.index) + ", loop '" + loop + "', " +
            std::to_string(static_cast<std::int64_t>(bad_nodes)) + " node(s), first node " +
            std::to_string(first.global) + " (counted from 0) at (" + std::to_string(x[0]) + ", " +
            std::to_string(x[1]) + ", " + std::to_string(x[2]) + "), density " +
            (std::isnan(density) ? "nan" : std::to_string(density)) +  // a NaN's sign means nothing
            " (the run diverged). Check the mesh scaling, or run fewer cycles or levels.");
    error.step = cycle_;
    error.level = level.index;
    error.loop = loop;
    error.node = first.global;
    std::copy_n(x, 3, error.coordinates);
    throw error;
}

NodeScalar step_factors(Context& context, const Mesh& mesh, const Level& level) {
    NodeScalar factors = mesh.make_dat<Node, double, 1, LaneStorage>(
        level.nodes, "step_factors_L" + std::to_string(level.index));
    par_loop(context, {"step_factor", level.index}, level.nodes, StepFactor{level.time_step[0]},
             read(level.inverse_length), write(factors));
    return factors;
}

}  // namespace halocline::mgcfd
