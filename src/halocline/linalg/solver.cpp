// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One core for each storage of the preconditioner.
#include "halocline/linalg/solver.hpp"

#include <algorithm>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/linalg/conjugate_gradients.hpp"

namespace halocline::linalg {

class SolverCore {
public:
    virtual ~SolverCore() = default;
    virtual SolveReport solve(Field<Node> b, Field<Node> x) = 0;
    virtual void work_in(DatStore& idle) = 0;
    virtual std::vector<double> measure_rates() = 0;
    [[nodiscard]] virtual const device::RepeatedWork& iteration() const = 0;

    SolverOptions settings;
    Hierarchy coarsening;
    SolveTotals totals;
};

namespace {

template <class S>
class CoreOf final : public SolverCore {
public:
    CoreOf(Context& context, Mesh& mesh, const EdgeOperator& op, const Hierarchy* hierarchy,
           const SolverOptions& options)
        : null_space_(context, mesh, op, hierarchy),
          preconditioner_(context, mesh, op,
                          options.preconditioner == "multigrid" ? hierarchy : nullptr, options),
          gradients_(context, mesh, op, preconditioner_, null_space_, options) {}

    SolveReport solve(Field<Node> b, Field<Node> x) override { return gradients_.solve(b, x); }
    void work_in(DatStore& idle) override { gradients_.work_in(idle); }
    std::vector<double> measure_rates() override { return preconditioner_.measure_rates(); }
    [[nodiscard]] const device::RepeatedWork& iteration() const override {
        return gradients_.iteration();
    }

private:
    NullSpace null_space_;
    Multigrid<S> preconditioner_;
    ConjugateGradients<S> gradients_;
};

std::unique_ptr<SolverCore> make_core(Context& context, Mesh& mesh, const EdgeOperator& op,
                                      const Hierarchy* hierarchy, const SolverOptions& options) {
    validate_options(options);
    validate<UsageError>(options.preconditioner != "multigrid" || hierarchy != nullptr,
                         "preconditioner multigrid has no levels here. Call declare_hierarchy "
                         "before the mesh is distributed and pass what it returns.");
    validate<RunError>(options.preconditioner != "multigrid" || hierarchy->bad_node < 0,
                       "the coarsest level's operator is not positive definite (negative weights "
                       "outweigh the others at its node " +
                           std::to_string(hierarchy == nullptr ? -1 : hierarchy->bad_node) +
                           "). Improve the mesh where cells are flat.");
    std::unique_ptr<SolverCore> core;
    if (hierarchy != nullptr && hierarchy->options.storage == "float") {
        core = std::make_unique<CoreOf<float>>(context, mesh, op, hierarchy, options);
    } else {
        core = std::make_unique<CoreOf<double>>(context, mesh, op, hierarchy, options);
    }
    core->settings = options;
    if (hierarchy != nullptr) {
        core->coarsening = *hierarchy;
    }
    if (options.preconditioner != "multigrid") {
        core->coarsening.levels = {{op.nodes.part->global_size, op.edges.part->global_size}};
    }
    return core;
}

}  // namespace

Solver::Solver(Context& context, Mesh& mesh, const EdgeOperator& op, const Hierarchy& hierarchy,
               const SolverOptions& options)
    : core_(make_core(context, mesh, op, &hierarchy, options)) {}
Solver::Solver(Context& context, Mesh& mesh, const EdgeOperator& op, const SolverOptions& options)
    : core_(make_core(context, mesh, op, nullptr, options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

SolveReport Solver::solve_fields(Field<Node> b, Field<Node> x) {
    SolveReport report = core_->solve(b, x);
    if (core_->coarsening.freed_blocks != nullptr) {
        core_->coarsening.freed_blocks->end();  // plans and copies are made by now
        core_->coarsening.freed_blocks.reset();
    }
    SolveTotals& totals = core_->totals;
    ++totals.solves;
    totals.iterations += report.iterations;
    totals.most_iterations = std::max(totals.most_iterations, report.iterations);
    totals.last_rate = report.rate();
    totals.solve_s += report.seconds;
    return report;
}
const SolveTotals& Solver::totals() const { return core_->totals; }
const SolverOptions& Solver::options() const { return core_->settings; }
const Hierarchy& Solver::hierarchy() const { return core_->coarsening; }
void Solver::work_in(DatStore& idle) { core_->work_in(idle); }
std::vector<double> Solver::measure_rates() { return core_->measure_rates(); }
int Solver::launches() const { return core_->iteration().launches(); }

}  // namespace halocline::linalg
