// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A cycle: smooth, restrict, solve the coarser level once or by two steps, correct, smooth.
#include "halocline/linalg/multigrid.hpp"

#include <cmath>

#include "halocline/backend/par_loop.hpp"
#include "halocline/linalg/recipe.hpp"

namespace halocline::linalg {

namespace {

/// Chebyshev smoothing damps the upper part of the spectrum, from this fraction of its end on.
constexpr double smoothing_spread = 4.0;
/// As a preconditioner by itself it should reach further down.
constexpr double alone_spread = 30.0;
/// Sweeps that stand for the solution on a coarsest level that nobody holds whole.
constexpr int coarsest_sweeps = 8;

std::vector<double> damping_factors(const SolverOptions& options) {
    if (options.preconditioner == "multigrid") {
        return options.smoother == "chebyshev"
                   ? chebyshev_factors(options.sweeps, smoothing_spread)
                   : std::vector<double>(static_cast<std::size_t>(options.sweeps), options.damping);
    }
    return options.preconditioner == "chebyshev" ? chebyshev_factors(options.degree, alone_spread)
                                                 : std::vector<double>{1.0};
}

/// In [-1, 1), of a number alone: an error with all wavelengths.
double scattered(GlobalIndex node) {
    auto bits = static_cast<std::uint64_t>(node) + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

template <class S>
Multigrid<S>::Multigrid(Context& context, Mesh& mesh, const EdgeOperator& op,
                        const Hierarchy* hierarchy, const SolverOptions& options)
    : context_(context), mesh_(mesh), factors_(damping_factors(options)) {
    const std::size_t count = hierarchy == nullptr ? 1 : hierarchy->levels.size();
    const int k_levels = options.k_levels.value_or(usual_k_levels(op.nodes.part->global_size));
    levels_.reserve(count);
    levels_.push_back(make_finest<S>(context, mesh, op, options.preconditioner == "none"));
    for (std::size_t l = 1; l < count; ++l) {
        const int index = static_cast<int>(l);
        levels_[l - 1].parent = mesh.map<Node, Node, 1>(hierarchy->name("parent", index - 1));
        levels_.push_back(make_coarse<S>(context, mesh, *hierarchy, index));
        Level<S>& level = levels_.back();
        if (index <= k_levels && l + 1 < count &&
            level.nodes.part->global_size >= options.k_nodes) {
            level.first_direction = mesh.make_dat<Node, S, 1>(level.nodes, "first_direction");
            level.first_product = mesh.make_dat<Node, S, 1>(level.nodes, "first_product");
        }
    }
    if (hierarchy != nullptr && hierarchy->has_inverse) {
        inverse_ = make_inverse(mesh, *hierarchy);
    }
}

template <class S>
void Multigrid<S>::sweep(Level<S>& level, double damping) {
    run_chain(context_, recipe::smoothing(level, damping));
    take_next(level);
}

template <class S>
double Multigrid<S>::last_damping() const {
    if (levels_.size() > 1) {
        return factors_.front();
    }
    return factors_.size() > 1 && !inverse_ ? factors_.back() : 0.0;
}

template <class S>
void Multigrid<S>::precondition() {
    if (levels_.size() > 1 || inverse_) {
        cycle(0, true);
        return;
    }
    for (std::size_t k = 1; k + 1 < factors_.size(); ++k) {
        sweep(levels_.front(), factors_[k]);
    }
}

template <class S>
void Multigrid<S>::cycle(std::size_t l, bool leave_last) {
    Level<S>& level = levels_[l];
    if (l + 1 == levels_.size()) {
        solve_coarsest();
        return;
    }
    for (std::size_t k = 1; k < factors_.size(); ++k) {
        sweep(level, factors_[k]);
    }
    Level<S>& coarse = levels_[l + 1];
    run_chain(context_, recipe::residual(level));
    if (coarse.sums) {
        run_chain(context_, recipe::sums_of_children(level, coarse));
        par_loop(context_, recipe::collection(coarse, factors_.front()));
    } else {
        run_chain(context_, recipe::restriction(level, coarse, factors_.front()));
    }
    if (coarse.first_direction) {
        two_steps(l + 1);
    } else {
        cycle(l + 1, false);
    }
    correct(l);
    for (std::size_t k = factors_.size(); k-- > (leave_last ? 1U : 0U);) {
        sweep(level, factors_[k]);
    }
}

template <class S>
void Multigrid<S>::correct(std::size_t l) {
    Level<S>& coarse = levels_[l + 1];
    if (!coarse.first_direction) {
        par_loop(context_, recipe::correction(levels_[l], coarse));
    } else {
        par_loop(context_, recipe::correction_of_two(levels_[l], coarse));
        // Two cycles and the swap between them have brought its memory there.
        swap(coarse.next, *coarse.first_direction);
    }
    restore_order(coarse);
}

template <class S>
void Multigrid<S>::two_steps(std::size_t l) {
    Level<S>& level = levels_[l];
    cycle(l, false);
    level.first_products.set({});
    run_chain(context_, recipe::first_products(level));
    swap(level.guess, *level.first_direction);
    par_loop(context_, recipe::reduction(level, factors_.front()));
    cycle(l, false);
    level.second_products.set({});
    run_chain(context_, recipe::second_products(level));
}

template <class S>
void Multigrid<S>::solve_coarsest() {
    Level<S>& level = levels_.back();
    if (inverse_) {
        run_chain(context_, recipe::solution(level, *inverse_));
        return;
    }
    for (int k = 0; k < coarsest_sweeps; ++k) {
        sweep(level, factors_[static_cast<std::size_t>(k) % factors_.size()]);
    }
}

template <class S>
std::vector<double> Multigrid<S>::measure_rates() {
    std::vector<double> rates;
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
        rates.push_back(measure_rate(l));
    }
    return rates;
}

template <class S>
double Multigrid<S>::measure_rate(std::size_t l) {
    constexpr int cycles = 8;
    Level<S>& level = levels_[l];
    Vector<S> error = mesh_.make_dat<Node, S, 1>(level.nodes, "error");
    const SetPart& set = *level.nodes.part;
    error.fill([&](LocalIndex i, int) { return static_cast<S>(scattered(set.global_id(i))); });
    double before = 0.0;
    double rate = 0.0;
    for (int k = 0; k <= cycles; ++k) {
        Global<double, 1> energy{};
        run_chain(context_, recipe::error_energy(level, error, energy, factors_.front()));
        const double now = energy[0];
        if (k > 0) {
            rate = before > 0.0 ? std::sqrt(now / before) : 0.0;
        }
        before = now;
        cycle(l, false);
        par_loop(context_, recipe::error_correction(level, error));
        restore_order(level);
    }
    return rate;
}

template class Multigrid<double>;
template class Multigrid<float>;

}  // namespace halocline::linalg
