// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The solver's answers to what a run asks.
#include "halocline/solver/incompressible/case.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "halocline/core/error.hpp"
#include "halocline/linalg/fixed_nodes.hpp"
#include "halocline/linalg/record.hpp"
#include "halocline/run/at_points.hpp"
#include "halocline/solver/incompressible/checks.hpp"
#include "halocline/solver/incompressible/measures.hpp"

namespace halocline::incompressible {

namespace {

constexpr std::array<std::string_view, 6> loops_with_strategies_{
    "predict", "edge_transport", "diffuse", "edge_diffusion", "divergence", "correct"};

/// Loops that reduce nothing.
constexpr std::array<std::string_view, 2> timed{"diffuse", "divergence"};

template <int dim>
class RunningSolver final : public run::Solver {
public:
    RunningSolver(Context& context, Mesh& mesh, const Options& options,
                  const ConditionOfGroup& conditions, const linalg::Hierarchy& hierarchy,
                  LevelExtras extras, const std::string& file)
        : comm_(context.comm()),
          options_(options),
          solver_(context, mesh, options, conditions, hierarchy, extras, file),
          measures_(context, mesh, solver_, options) {}

    double step(const std::function<void()>& observe) override {
        const double rms = solver_.advance();
        if (observe) {
            measures_.pack_state();
            observe();
        }
        return rms;
    }
    [[nodiscard]] int steps() const override { return solver_.steps(); }
    [[nodiscard]] bool is_complete(int) const override { return solver_.is_complete(); }
    [[nodiscard]] int levels() const override { return 1; }
    [[nodiscard]] const DatStore& state(int) const override { return measures_.state(); }
    [[nodiscard]] const DatStore& state_handle(int) const override {
        return measures_.state_handle();
    }
    void refresh_states() override { measures_.pack_state(); }
    [[nodiscard]] std::vector<RowPart> state_parts() const override {
        std::vector<RowPart> parts{{"velocity", dim}, {"pressure", 1}};
        if (options_.scalar) {
            parts.push_back({"scalar", 1});
        }
        return parts;
    }
    [[nodiscard]] std::vector<run::OutputField> fields() const override {
        return options_.scalar ? fields_of<dim + 2>() : fields_of<dim + 1>();
    }
    [[nodiscard]] double time(int) const override { return solver_.time(); }
    [[nodiscard]] std::string time_unit() const override { return "1"; }
    [[nodiscard]] std::vector<run::SeriesColumn> series_columns() const override {
        std::vector<run::SeriesColumn> columns{
            {"kinetic_energy", "1"}, {"enstrophy", "1"}, {"divergence", "1"}};
        for (const std::string& wall : measures_.walls()) {
            for (int d = 0; d < dim; ++d) {
                columns.push_back({fmt::format("force_{}_{}", wall, "xyz"[d]), "1"});
            }
        }
        return columns;
    }
    void measure_series(std::span<double> values) override {
        const Measured<dim> measured = measures_.measure();
        values[0] = measured.kinetic_energy;
        values[1] = measured.enstrophy;
        values[2] = measured.divergence;
        auto value = values.begin() + 3;
        for (const std::array<double, dim>& force : measured.forces) {
            value = std::copy(force.begin(), force.end(), value);
        }
    }
    [[nodiscard]] run::SolverState everything() override { return solver_.everything(); }
    void continue_after(int steps) override { solver_.continue_after(steps); }
    [[nodiscard]] LocalIndex owned_elements() const override {
        return solver_.geometry().nodes.part->owned;
    }
    [[nodiscard]] std::span<const std::string_view> timed_loops() const override { return timed; }
    void write_results(run::Output& output, int steps) override {
        if (options_.output_variables) {
            output.write_state(0, steps);
        }
    }
    void complete(RunRecord& record) override {
        record.linear_solvers.push_back(
            linalg::describe(comm_, "pressure", solver_.pressure_solver()));
        if (options_.exact) {
            const FlowError error = measures_.error(*options_.exact);
            record.results.exact_error =
                record::ExactError{error.velocity_l2, error.velocity_largest, error.pressure_l2};
        }
    }

private:
    /// From rows of `width`: velocity, pressure and perhaps a scalar.
    template <int width>
    static std::vector<run::OutputField> fields_of() {
        std::vector<run::OutputField> fields{
            {"velocity", "1", 3, true,
             run::at_points<width, 3,
                            [](const double* state, double* u) {
                                for (int d = 0; d < 3; ++d) {
                                    u[d] = d < dim ? state[d] : 0.0;
                                }
                            }>},
            {"pressure", "1", 1, true,
             run::at_points<width, 1, [](const double* state, double* p) { *p = state[dim]; }>}};
        if constexpr (width == dim + 2) {
            fields.push_back({"scalar", "1", 1, true,
                              run::at_points<width, 1, [](const double* state, double* c) {
                                  *c = state[dim + 1];
                              }>});
        }
        return fields;
    }

    const Communicator& comm_;
    const Options& options_;
    incompressible::Solver<dim> solver_;
    mutable Measures<dim> measures_;  ///< packs states when they are read
};

std::string text_of(const BoundaryCondition& condition) {
    return fmt::format("{}: {} ({}) {} {}{}", condition.group, condition.kind,
                       fmt::join(condition.velocity, ", "), condition.pressure,
                       condition.scalar.value_or("-"), condition.corners ? " corners" : "");
}

}  // namespace

std::string Case::settings() const {
    std::string text = fmt::format(
        "viscosity {} scheme {} upwind {} force {} end {} courant {} step {} steady {} {} initial "
        "({}) {} pressure {} {} {} {} {} {} {} {} {} {} {}",
        options_.viscosity, options_.scheme, options_.upwind, fmt::join(options_.body_force, " "),
        options_.end_time, options_.courant, options_.time_step, options_.steady,
        options_.steady_tolerance, fmt::join(options_.initial.velocity, ", "),
        options_.initial.pressure, options_.pressure.method, options_.pressure.preconditioner,
        options_.pressure.smoother, options_.pressure.sweeps, options_.pressure.damping,
        options_.pressure.degree, options_.pressure.k_levels.value_or(-1),
        options_.pressure.k_nodes, options_.pressure.tolerance,
        options_.pressure.absolute_tolerance, options_.hierarchy_storage);
    if (options_.scalar) {
        text +=
            fmt::format("; scalar {} {}", options_.scalar->diffusivity, options_.scalar->initial);
    }
    for (const BoundaryCondition& condition : options_.boundaries) {
        text += "; " + text_of(condition);
    }
    return text;
}

ReadOptions Case::reading(int ranks) const {
    return {.defer_edge_weights = ranks > 1, .dual_volumes = true, .laplacian = true};
}

void Case::declare(const Communicator& comm, run::LoadedMesh& loaded, bool on_devices) {
    const MgcfdLevel& level = loaded.mesh.levels.front();
    MeshDeclaration& declaration = loaded.mesh.declaration;
    dimension_ = loaded.mesh.dimension;
    extras_ = {level.edge_vectors >= 0, level.has_own_faces};
    conditions_ = assign_conditions(comm, loaded, options_, loaded.input.level_files.front());
    declaration.coordinates.push_back(level.coordinates);
    linalg::DeclaredOperator laplacian{level.edge_nodes, level.stiffness, -1};
    if (has_outlet(options_)) {
        laplacian = linalg::fix_nodes(comm, declaration, laplacian,
                                      outlet_nodes(loaded, options_, conditions_), "pressure");
    }
    linalg::HierarchyOptions choices;
    choices.prefix = "levels";
    choices.storage = options_.hierarchy_storage;
    choices.most_replicated = options_.most_replicated.value_or(
        on_devices ? linalg::most_replicated_on_devices : linalg::most_replicated_on_cores);
    hierarchy_ = linalg::declare_hierarchy(comm, declaration, laplacian, choices);
}

std::vector<HaloSample> Case::exchanges(const MeshPart& part,
                                        const std::vector<MgcfdLevel>& levels) const {
    const SetPart& nodes = part.sets[static_cast<std::size_t>(levels.front().node_set)];
    constexpr int usual_iterations = 8;
    return {{&nodes, dimension_, 6}, {&nodes, 1, 3 * usual_iterations}};
}

std::span<const std::string_view> Case::loops_with_strategies() const {
    return loops_with_strategies_;
}

void Case::check_options() const {
    validate<UsageError>(!options_.measure_memory_bound,
                         "--measure-mem-bound times a twin of MG-CFD's flux (the solver "
                         "incompressible has none). Leave it out.");
    validate_options(options_);
}

std::unique_ptr<run::Solver> Case::start(Context& context, Mesh& mesh,
                                         const std::vector<std::string>& level_files, bool) {
    const std::string& file = level_files.front();
    if (dimension_ == 2) {
        return std::make_unique<RunningSolver<2>>(context, mesh, options_, conditions_, hierarchy_,
                                                  extras_, file);
    }
    return std::make_unique<RunningSolver<3>>(context, mesh, options_, conditions_, hierarchy_,
                                              extras_, file);
}

}  // namespace halocline::incompressible
