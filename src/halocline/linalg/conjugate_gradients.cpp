// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An iteration: multiply, advance, precondition, turn; each a chain or a loop.
#include "halocline/linalg/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include "halocline/backend/device/launch/executor.hpp"

#include "halocline/backend/par_loop.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/linalg/recipe.hpp"
#include "halocline/mesh/aliased_memory.hpp"

namespace halocline::linalg {

template <class S>
ConjugateGradients<S>::ConjugateGradients(Context& context, const Mesh& mesh,
                                          const EdgeOperator& op, Multigrid<S>& preconditioner,
                                          NullSpace& null_space, const SolverOptions& options)
    : context_(context),
      op_(op),
      preconditioner_(preconditioner),
      null_space_(null_space),
      options_(options),
      sum_(mesh.make_temporary<Node, double, 1>(op.nodes, "operator_sum")),
      solution_(mesh.make_dat<Node, double, 1>(op.nodes, "solution")),
      residual_(mesh.make_dat<Node, double, 1>(op.nodes, "residual")),
      direction_(mesh.make_dat<Node, double, 1>(op.nodes, "direction")),
      product_(mesh.make_dat<Node, double, 1>(op.nodes, "product")) {
    if (options.method == "single_reduction") {
        z_product_ = mesh.make_dat<Node, double, 1>(op.nodes, "z_product");
    }
    if (context.device() == nullptr) {
        solution_.handle().values.release();
    }
    prepare_device();
}

template <class S>
void ConjugateGradients<S>::work_in(DatStore& idle) {
    validate<ContractError>(
        context_.backend() == Backend::openmp,
        "dat '" + idle.name +
            "' cannot share its memory with a linear solver of another back end "
            "than openmp (devices have memory of their own for each dat). Call "
            "work_in on openmp only.");
    AliasedMemory aliased(idle);
    for (Dat1* const vector : {&residual_, &direction_, &product_}) {
        aliased.share_with(vector->handle());
    }
}

template <class S>
void ConjugateGradients<S>::prepare_device() {
    device::Executor* const device = context_.device();
    if (device == nullptr) {
        return;
    }
    if (z_product_) {
        reduce_once();  // iterations begin with what it leaves
    }
    device->recorder().prepare(
        iteration_, [] { return std::vector<const void*>{}; }, [this] { iterate(); },
        device->halos().obstacle(context_));
}

namespace {

template <class X>
auto operator_sum(const EdgeOperator& op, const X& x, Sum& sum) {
    return make_loop("edge_laplacian", op.edges, EdgeLaplacian{}, read<0>(x, op.edge_nodes),
                     read<1>(x, op.edge_nodes), read(op.weights), inc<0>(sum, op.edge_nodes),
                     inc<1>(sum, op.edge_nodes));
}

}  // namespace

template <class S>
void ConjugateGradients<S>::multiply(const Dat1& v) {
    energy_.set({});
    if (op_.diagonal) {
        run_chain(context_, "operator", op_.nodes, operator_sum(op_, v, sum_),
                  make_loop("shifted_product", op_.nodes, ShiftedProduct{}, read(sum_),
                            read(op_.diagonal), read(v), write(product_), inc(energy_)));
    } else {
        run_chain(context_, "operator", op_.nodes, operator_sum(op_, v, sum_),
                  make_loop("product", op_.nodes, Product{}, read(sum_), read(v), write(product_),
                            inc(energy_)));
    }
}

template <class S>
void ConjugateGradients<S>::take_solution(Field<Node> x) {
    if (context_.device() != nullptr) {
        par_loop(context_, "copy_x", op_.nodes, Copy<>{}, read(x), write(solution_));
        return;
    }
    DatStore& given = *x.store;
    const halocline::detail::ArgSets nodes{op_.nodes.part, op_.nodes.part};
    halocline::detail::check_sets("solution", *op_.nodes.part, given, nodes);
    given.require_set();
    given.fetch();
    DatStore& own = solution_.handle();
    own.values = Buffer<double>::borrow(given.values.data(), given.values.size());
    own.mark_changed();
}

template <class S>
void ConjugateGradients<S>::return_solution(Field<Node> x) {
    if (context_.device() != nullptr) {
        par_loop(context_, "keep_x", op_.nodes, Copy<>{}, read(solution_), write(x));
        return;
    }
    solution_.handle().values.release();
    x.store->mark_written();
}

template <class S>
void ConjugateGradients<S>::begin(Field<Node> b, Field<Node> x, SolveReport& report) {
    Level<S>& level = preconditioner_.finest();
    restore_order(level);
    // The norm of b counts without its null space.
    par_loop(context_, "copy_b", op_.nodes, Copy<>{}, read(b), write(residual_));
    null_space_.remove(residual_);
    take_solution(x);
    multiply(solution_);
    first_squares_.set({});
    par_loop(context_, "begin", op_.nodes, Begin{preconditioner_.first_damping()},
             read(level.inverse), read_write(product_), read_write(residual_), write(direction_),
             write(level.rhs), write(level.guess), inc(first_squares_));
    report.reference = std::sqrt(first_squares_[0]);
    report.norms.push_back(std::sqrt(first_squares_[1]));
    // Where iterations find them, which is not the host on a device.
    update_globals(context_, make_global_update("reset_history", ResetHistory{}, write(energy_),
                                                write(along_), write(before_)));
}

template <class S>
void ConjugateGradients<S>::precondition(bool with_products) {
    preconditioner_.precondition();
    Level<S>& level = preconditioner_.finest();
    const double damping = preconditioner_.last_damping();
    products_.set({});
    if (damping == 0.0 && with_products) {
        par_loop(context_, "multiply", op_.nodes, Multiply{}, read(level.guess), read(residual_),
                 read(product_), inc(products_));
    } else if (damping != 0.0) {
        run_chain(
            context_, "last_sweep", op_.nodes, recipe::edge_sum(level, level.guess),
            make_loop("relax_and_multiply", op_.nodes, SmoothAndMultiply{damping}, read(level.sum),
                      read(level.diagonal), read(level.inverse), read(level.rhs), read(level.guess),
                      read(residual_), read(product_), write(level.next), inc(products_)));
        take_next(level);
    }
}

template <class S>
void ConjugateGradients<S>::update_direction() {
    const Vector<S>& z = preconditioner_.finest().guess;
    if (options_.method == "plain") {
        par_loop(context_, "update_direction", op_.nodes, UpdateDirection{}, read(products_),
                 read(along_), read(z), read_write(direction_));
        update_globals(context_, make_global_update("keep_product", KeepProduct{}, read(products_),
                                                    write(along_)));
    } else {
        par_loop(context_, "update_direction", op_.nodes, UpdateDirectionFlexibly{},
                 read(products_), read(energy_), read(z), read_write(direction_));
    }
    restore_order(preconditioner_.finest());
}

template <class S>
void ConjugateGradients<S>::step_twice_reduced() {
    Level<S>& level = preconditioner_.finest();
    precondition(true);
    update_direction();
    multiply(direction_);
    squares_.set({});
    par_loop(context_, "advance", op_.nodes, Advance{preconditioner_.first_damping()},
             read(products_), read(energy_), read(direction_), read(product_), read(level.inverse),
             read_write(solution_), read_write(residual_), write(level.rhs), write(level.guess),
             inc(squares_));
}

template <class S>
void ConjugateGradients<S>::reduce_once() {
    Level<S>& level = preconditioner_.finest();
    precondition(false);
    all_products_.set({});
    if (op_.diagonal) {
        run_chain(context_, "operator", op_.nodes, operator_sum(op_, level.guess, sum_),
                  make_loop("all_shifted_products", op_.nodes, AllShiftedProducts{}, read(sum_),
                            read(op_.diagonal), read(level.guess), read(residual_),
                            write(*z_product_), inc(all_products_)));
    } else {
        run_chain(context_, "operator", op_.nodes, operator_sum(op_, level.guess, sum_),
                  make_loop("all_products", op_.nodes, AllProducts{}, read(sum_), read(level.guess),
                            read(residual_), write(*z_product_), inc(all_products_)));
    }
}

template <class S>
void ConjugateGradients<S>::step_once_reduced() {
    Level<S>& level = preconditioner_.finest();
    update_globals(context_,
                   make_global_update("steps", SingleReductionSteps{}, read(all_products_),
                                      read(before_), write(steps_), write(before_)));
    Vector<S>& guess = level.is_swapped ? level.next : level.guess;
    par_loop(context_, "advance_at_once", op_.nodes, AdvanceAtOnce{preconditioner_.first_damping()},
             read(steps_), read(level.guess), read(*z_product_), read(level.inverse),
             read_write(direction_), read_write(product_), read_write(solution_),
             read_write(residual_), write(level.rhs), write(guess));
    restore_order(level);
}

namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

}  // namespace

/// Iterations over which a preconditioned residual should have become a tenth at least.
constexpr std::size_t patience = 30;

template <class S>
bool ConjugateGradients<S>::stagnates(const SolveReport& report) const {
    const std::vector<double>& norms = report.norms;
    return options_.preconditioner == "multigrid" && norms.size() > patience &&
           norms.back() > 0.1 * norms[norms.size() - 1 - patience];
}

template <class S>
std::string ConjugateGradients<S>::worst_level() {
    const std::vector<double> rates = preconditioner_.measure_rates();
    if (rates.empty()) {
        return "";
    }
    // A level takes over what coarser ones leave: the coarsest one that is nearly as bad is the cause.
    const double worst = *std::max_element(rates.begin(), rates.end());
    std::size_t level = rates.size() - 1;
    while (level > 0 && 1.0 - rates[level] > 1.5 * (1.0 - worst)) {
        --level;
    }
    return "; a cycle from level " + std::to_string(level) + " on reduces errors at a rate of " +
           number(rates[level]);
}

template <class S>
bool ConjugateGradients<S>::goes_on(SolveReport& report) {
    const double now = report.norms.back();
    report.converged =
        now <= options_.tolerance * report.reference || now <= options_.absolute_tolerance;
    if (report.converged) {
        return false;
    }
    if (!std::isfinite(now)) {
        report.message = "conjugate gradients stopped after " + std::to_string(report.iterations) +
                         " iterations (the residual is not finite). Look for values that are not "
                         "finite in the right-hand side, or for an operator that is not positive.";
        return false;
    }
    if (stagnates(report)) {
        report.message = "multigrid stagnates after " + std::to_string(report.iterations) +
                         " iterations with a residual of " + number(now / report.reference) +
                         " times the right-hand side (rate " + number(report.rate()) +
                         " an iteration" + worst_level() +
                         "). Take more sweeps, fewer pairings a level or storage double.";
        return false;
    }
    if (report.iterations >= options_.most_iterations) {
        report.message = "conjugate gradients with preconditioner " + options_.preconditioner +
                         " reached " + std::to_string(report.iterations) +
                         " iterations with a residual of " + number(now / report.reference) +
                         " times the right-hand side (rate " + number(report.rate()) +
                         " an iteration). Allow more iterations or a larger tolerance.";
        return false;
    }
    return true;
}

template <class S>
void ConjugateGradients<S>::iterate() {
    if (z_product_) {
        // The norm comes with the products of the next step: the last preconditioning is for it alone.
        step_once_reduced();
        reduce_once();
    } else {
        step_twice_reduced();
    }
}

template <class S>
double ConjugateGradients<S>::residual_norm() const {
    return std::sqrt(z_product_ ? all_products_[2] : squares_[0]);
}

template <class S>
SolveReport ConjugateGradients<S>::solve(Field<Node> b, Field<Node> x) {
    const double begin_s = wall_seconds();
    SolveReport report;
    begin(b, x, report);
    bool more = goes_on(report);
    if (more && z_product_) {
        reduce_once();
    }
    while (more) {
        if (device::Executor* const device = context_.device()) {
            device->recorder().repeat(iteration_, {}, [this] { iterate(); });
        } else {
            iterate();
        }
        ++report.iterations;
        report.norms.push_back(residual_norm());
        more = goes_on(report);
    }
    null_space_.remove(solution_);
    return_solution(x);
    report.seconds = wall_seconds() - begin_s;  // the last check waited for all but what `x` gets
    return report;
}

template class ConjugateGradients<double>;
template class ConjugateGradients<float>;

}  // namespace halocline::linalg
