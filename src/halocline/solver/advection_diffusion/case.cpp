// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The solver's answers to what a run asks.
#include "halocline/solver/advection_diffusion/case.hpp"

#include <fmt/core.h>

#include <array>
#include <functional>

#include "halocline/core/error.hpp"
#include "halocline/run/at_points.hpp"
#include "halocline/solver/advection_diffusion/solver.hpp"

namespace halocline::advection_diffusion {

namespace {

constexpr std::array<std::string_view, 8> loops_with_strategies_{
    "gradient",  "sum_differences", "advance_1",   "advance_2",
    "advance_3", "edge_flux",       "widen_range", "limit"};

/// Stages that reduce nothing.
constexpr std::array<std::string_view, 2> timed_stages{"advance_1", "advance_2"};

class RunningSolver final : public run::Solver {
public:
    RunningSolver(Context& context, Mesh& mesh, const Options& options, const std::string& file)
        : options_(options), solver_(context, mesh, options, file) {}

    double step(const std::function<void()>& observe) override { return solver_.advance(observe); }
    [[nodiscard]] int steps() const override { return solver_.steps(); }
    [[nodiscard]] int levels() const override { return 1; }
    [[nodiscard]] const DatStore& state(int) const override { return solver_.phi().store(); }
    [[nodiscard]] const DatStore& state_handle(int) const override {
        return solver_.phi().handle();
    }
    [[nodiscard]] std::vector<RowPart> state_parts() const override { return {{"phi", 1}}; }
    [[nodiscard]] std::vector<run::OutputField> fields() const override {
        return {{"phi", "1", 1, true,
                 run::at_points<1, 1, [](const double* state, double* phi) { *phi = *state; }>}};
    }
    [[nodiscard]] double time(int step) const override { return step * solver_.time_step(); }
    [[nodiscard]] std::string time_unit() const override { return "1"; }
    [[nodiscard]] std::vector<run::SeriesColumn> series_columns() const override {
        return {{"total", "1"}, {"min", "1"}, {"max", "1"}};
    }
    void measure_series(std::span<double> values) override {
        const Totals totals = solver_.totals();
        values[0] = totals.total;
        values[1] = totals.least;
        values[2] = totals.largest;
    }
    [[nodiscard]] run::SolverState everything() override { return solver_.everything(); }
    [[nodiscard]] LocalIndex owned_elements() const override {
        return solver_.geometry().nodes.part->owned;
    }
    [[nodiscard]] std::span<const std::string_view> timed_loops() const override {
        return timed_stages;
    }
    [[nodiscard]] const device::RepeatedWork* repeated_work() const override {
        return &solver_.step_work();
    }
    void write_results(run::Output& output, int steps) override {
        if (options_.output_variables) {
            output.write_state(0, steps);
        }
    }
    void complete(RunRecord& record) override {
        const Error error = solver_.error();
        record.results.exact_error = record::ExactError{error.l2, error.largest};
    }

private:
    const Options& options_;
    advection_diffusion::Solver solver_;
};

}  // namespace

std::string Case::settings() const {
    const auto& u = options_.velocity;
    const auto& k = options_.waves_per_length;
    const auto& c = options_.centre;
    return fmt::format(
        "problem {} flux {} limiter {} velocity {} {} {} diffusivity {} waves {} {} {} centre {} "
        "{} "
        "{} width {} end {} cfl {} steps {}",
        options_.problem, options_.flux, options_.limiter, u[0], u[1], u[2], options_.diffusivity,
        k[0], k[1], k[2], c[0], c[1], c[2], options_.width, options_.end_time, options_.cfl,
        options_.steps);
}

ReadOptions Case::reading(int ranks) const {
    return {.defer_edge_weights = ranks > 1, .dual_volumes = true};
}

std::vector<HaloSample> Case::exchanges(const MeshPart& part,
                                        const std::vector<MgcfdLevel>& levels) const {
    const SetPart& nodes = part.sets[static_cast<std::size_t>(levels.front().node_set)];
    const bool limits = options_.limiter != NoLimiter::name;
    std::vector<HaloSample> samples{{&nodes, 1, stages},
                                    {&nodes, field_components, limits ? 2 * stages : stages}};
    if (limits) {
        samples.push_back({&nodes, 2, stages});
    }
    return samples;
}

std::span<const std::string_view> Case::loops_with_strategies() const {
    return loops_with_strategies_;
}

void Case::check_options() const {
    validate<UsageError>(!options_.measure_memory_bound,
                         "--measure-mem-bound times a twin of MG-CFD's flux (the solver "
                         "advection_diffusion has none). Leave it out.");
}

std::unique_ptr<run::Solver> Case::start(Context& context, Mesh& mesh,
                                         const std::vector<std::string>& level_files, bool) {
    return std::make_unique<RunningSolver>(context, mesh, options_, level_files.front());
}

}  // namespace halocline::advection_diffusion
