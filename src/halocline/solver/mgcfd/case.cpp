// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The solver's answers to what a run asks.
#include "halocline/solver/mgcfd/case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "halocline/dist/distribute.hpp"
#include "halocline/io/file_io_times.hpp"
#include "halocline/io/result_names.hpp"
#include "halocline/run/at_points.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "halocline/solver/mgcfd/validation.hpp"

namespace halocline::mgcfd {

namespace {

/// Chains of the cycle that change nodes through maps, and the loops in them that do.
constexpr std::array<std::string_view, 9> loops_with_strategies_{
    "flux_stage_1", "flux_stage_2",  "flux_stage_3", "restrict",    "unstructured_stream",
    "edge_flux",    "boundary_flux", "sum_children", "stream_edges"};

/// Stages of the finest level that reduce nothing.
constexpr std::array<std::string_view, 2> timed_stages{"flux_stage_1", "flux_stage_2"};

/// Exchanges of the state in one cycle: three stages a visit, then restriction; levels between the
/// finest and the coarsest are visited twice.
int exchanges_a_cycle(std::size_t level, std::size_t levels) {
    const bool is_finest = level == 0;
    const bool is_coarsest = level + 1 == levels;
    return (is_finest || is_coarsest ? 3 : 6) + (is_coarsest ? 0 : 1);
}

/// Time of the streaming kernel beside the flux stages; empty when it did not run.
std::optional<record::MemoryBound> memory_bound(const RunRecord& record) {
    double stream_s = 0.0;
    double flux_s = 0.0;
    for (const record::Loop& loop : record.loops) {
        stream_s +=
            loop.name == "unstructured_stream" || loop.name == "stream_edges" ? loop.seconds : 0.0;
        flux_s +=
            loop.name.rfind("flux_stage", 0) == 0 || loop.name == "edge_flux" ? loop.seconds : 0.0;
    }
    if (stream_s == 0.0 || flux_s == 0.0) {
        return std::nullopt;
    }
    return record::MemoryBound{stream_s / static_cast<double>(record.results.cycles),
                               stream_s / flux_s};
}

template <class Real>
Real kinetic_energy(const Real* q) {
    return 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0];
}

template <class Real>
Real pressure(const Real* q) {
    return euler::gamma_minus_one * (q[4] - kinetic_energy(q));
}

/// A field of `components` from a function of the state at a point.
template <int components, auto point>
constexpr FieldFunction field = run::at_points<variables, components, point>;

std::vector<run::OutputField> flow_fields() {
    return {{"density", "1", 1, true, field<1, [](const double* q, double* rho) { *rho = q[0]; }>},
            {"momentum", "1", 3, true,
             field<3,
                   [](const double* q, double* m) {
                       m[0] = q[1];
                       m[1] = q[2];
                       m[2] = q[3];
                   }>},
            {"energy", "1", 1, true, field<1, [](const double* q, double* e) { *e = q[4]; }>},
            {"pressure", "1", 1, true, field<1, [](const auto* q, auto* p) { *p = pressure(q); }>},
            {"mach", "1", 1, true,
             field<1,
                   [](const auto* q, auto* mach) {
                       *mach = math::sqrt(2.0 * kinetic_energy(q) / (euler::gamma * pressure(q)));
                   }>},
            {"velocity", "1", 3, false, field<3, [](const double* q, double* u) {
                 std::transform(q + 1, q + 4, u, [&](double m) { return m / q[0]; });
             }>}};
}

class RunningSolver final : public run::Solver {
public:
    RunningSolver(Context& context, Mesh& mesh, const Options& options,
                  const SolverOptions& solver_options)
        : context_(context),
          mesh_(mesh),
          options_(options),
          solver_(context, mesh, solver_options) {}

    double step(const std::function<void()>& observe) override {
        return solver_.run_cycle(observe);
    }
    [[nodiscard]] int steps() const override { return options_.steps; }
    [[nodiscard]] int levels() const override { return static_cast<int>(solver_.levels().size()); }
    [[nodiscard]] const DatStore& state(int level) const override {
        return solver_.levels()[static_cast<std::size_t>(level)].q.store();
    }
    [[nodiscard]] const DatStore& state_handle(int level) const override {
        return solver_.levels()[static_cast<std::size_t>(level)].q.handle();
    }
    [[nodiscard]] std::vector<RowPart> state_parts() const override {
        return {{"density", 1}, {"momentum", 3}, {"energy", 1}};
    }
    [[nodiscard]] std::vector<run::OutputField> fields() const override { return flow_fields(); }
    [[nodiscard]] run::SolverState everything() override {
        run::SolverState state;
        for (Level& level : solver_.levels()) {
            state.add("variables_L" + std::to_string(level.index), level.q);
            state.add(level.time_step);
            state.add(level.next_time_step);
        }
        return state;
    }
    void continue_after(int steps) override { solver_.continue_after(steps); }
    void expect_observer(const std::function<void()>& observe) override {
        solver_.expect_observer(observe);
    }
    [[nodiscard]] LocalIndex owned_elements() const override {
        return solver_.levels().front().nodes.part->owned;
    }
    [[nodiscard]] std::span<const std::string_view> timed_loops() const override {
        return timed_stages;
    }
    [[nodiscard]] const device::RepeatedWork* repeated_work() const override {
        return &solver_.cycle_work();
    }

    void write_results(run::Output& output, int steps) override {
        for (const Level& level : solver_.levels()) {
            if (options_.output_variables) {
                output.write_state(level.index, steps);
            }
            if (options_.output_fluxes) {
                const LaneDat zero =
                    mesh_.make_dat<Node, double, variables, LaneStorage>(level.nodes, "fluxes");
                output.write_level("fluxes", level.index, zero.store(), steps);
            }
            if (options_.output_step_factors) {
                const NodeScalar factors = step_factors(context_, mesh_, level);
                output.write_level("step_factors", level.index, factors.store(), steps);
            }
        }
    }

    [[nodiscard]] std::optional<record::Validation> validate(const run::Console& console) override {
        return validate_result(context_.comm(), options_, mesh_, solver_.levels(), console);
    }

    void complete(RunRecord& record) override {
        record.results.memory_bound = memory_bound(record);
    }

private:
    Context& context_;
    Mesh& mesh_;
    const Options& options_;
    mgcfd::Solver solver_;
};

}  // namespace

std::string Case::settings() const { return options_.legacy_mode ? "legacy_mode" : ""; }

ReadOptions Case::reading(int ranks) const { return {options_.legacy_mode, true, ranks > 1}; }

std::vector<HaloSample> Case::exchanges(const MeshPart& part,
                                        const std::vector<MgcfdLevel>& levels) const {
    std::vector<HaloSample> samples;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const SetPart& nodes = part.sets[static_cast<std::size_t>(levels[l].node_set)];
        samples.push_back({&nodes, variables, exchanges_a_cycle(l, levels.size())});
    }
    return samples;
}

std::span<const std::string_view> Case::loops_with_strategies() const {
    return loops_with_strategies_;
}

std::vector<std::string> Case::own_files() const {
    return {file_io_times_path(options_.output_prefix)};
}

void Case::describe(record::Settings& settings) const {
    settings.legacy_mode = options_.legacy_mode;
}

void Case::require_inputs(const Communicator& comm, int levels) const {
    if (options_.validate_result) {
        require_solutions(comm, options_, levels);
    }
}

std::unique_ptr<run::Solver> Case::start(Context& context, Mesh& mesh,
                                         const std::vector<std::string>& level_files,
                                         bool any_device) {
    return std::make_unique<RunningSolver>(
        context, mesh, options_,
        SolverOptions{level_files, options_.legacy_mode, options_.measure_memory_bound,
                      any_device});
}

void Case::write_own_files(const Communicator& comm, const RunRecord& record) {
    const std::string method =
        resolve_partition(options_.partitioner, options_.partitioner_method).method;
    append_file_io_times(comm, options_.output_prefix,
                         {options_.partitioner + "-" + method, options_.flow_interval,
                          static_cast<std::int64_t>(record.io.files.size()), record.io.blocked_s,
                          record.results.total_runtime_s});
}

}  // namespace halocline::mgcfd
