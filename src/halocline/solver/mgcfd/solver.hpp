// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The multigrid cycle of MG-CFD as a recipe of named loops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/run/divergence.hpp"
#include "halocline/solver/mgcfd/level.hpp"

namespace halocline::mgcfd {

struct SolverOptions {
    std::vector<std::string> level_names;  ///< one a level, finest first; what messages call them
    bool legacy_mode = false;              ///< volumes and weights as the files have them
    bool measure_memory_bound = false;     ///< stream the flux's operands after every stage
    /// Look for bad states after a cycle instead of after a visit: all ranks alike, when one of them
    /// has a device, which would wait for every look.
    bool check_once_a_cycle = false;
};

/// Smoothing visits going up and down a grid hierarchy (docs/theory/mgcfd.md, sections 6, 8, 9).
class Solver {
public:
    /// Takes the levels from `mesh`, which must outlive the solver. Collective.
    Solver(Context& context, Mesh& mesh, const SolverOptions& options);

    /// One cycle. `after_finest_visit` runs when level 0 was smoothed, before any correction.
    /// @returns sqrt(sum R^2 / N) of level 0, N its number of nodes
    /// @throws run::DivergenceError when a state is no state any more
    /// @note Collective.
    double run_cycle(const std::function<void()>& after_finest_visit = {});

    /// Some cycles will have this `after_finest_visit`: a device records them, too. It launches at most.
    void expect_observer(const std::function<void()>& after_finest_visit);

    [[nodiscard]] int cycles() const { return cycle_; }
    /// The states are those after so many cycles.
    void continue_after(int cycles) { cycle_ = cycles; }
    /// On a device: whether cycles are submitted as graphs, and why if not.
    [[nodiscard]] const device::RepeatedWork& cycle_work() const { return cycle_work_; }
    [[nodiscard]] std::vector<Level>& levels() { return levels_; }
    [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }

private:
    void visit_levels(const std::function<void()>& after_finest_visit);
    void smooth(Level& level, Visit& visit);
    void prepare_device(device::RepeatedWork& work,
                        const std::function<void()>& after_finest_visit);
    /// Which level holds which memory: stages swap them.
    [[nodiscard]] std::vector<const void*> arrangement() const;
    void require_valid_visits() const;
    void finish_stage(Level& level);
    void limit_time_step(Level& level);
    void restrict_state(const Level& fine, Level& coarse);
    void correct(Level& fine, Level& coarse);
    void require_valid(const Level& level, double bad_nodes) const;

    Context& context_;
    SolverOptions options_;
    std::vector<Level> levels_;
    device::RepeatedWork cycle_work_;
    device::RepeatedWork observed_work_;  ///< cycles with `after_finest_visit`
    int cycle_ = 0;
};

/// Step factors tau / V of a level's most recent visit. Collective.
[[nodiscard]] NodeScalar step_factors(Context& context, const Mesh& mesh, const Level& level);

}  // namespace halocline::mgcfd
