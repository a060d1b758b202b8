// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A step is three stages; a stage finds gradients, limits them, and adds what flows through faces.
#include "halocline/solver/advection_diffusion/solver.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/solver/advection_diffusion/checks.hpp"

namespace halocline::advection_diffusion {

namespace {

std::variant<Wave, Pulse> make_problem(const Options& options) {
    std::variant<Wave, Pulse> made;
    Problems::visit("problem", options.problem, [&](auto problem) {
        problem.set(options);
        made = problem;
    });
    return made;
}

}  // namespace

Solver::Solver(Context& context, Mesh& mesh, const Options& options, const std::string& file)
    : context_(context),
      options_(options),
      geometry_(make_geometry(context, mesh, file)),
      problem_(make_problem(options)),
      phi_(geometry_.nodes, "phi", mesh.layout_mode()),
      start_(geometry_.nodes, "start", mesh.layout_mode()),
      field_(geometry_.nodes, "field", mesh.layout_mode()),
      sum_(mesh.make_temporary<Node, double, 3>(geometry_.nodes, "sum")),
      gain_(mesh.make_temporary<Node, double, 1>(geometry_.nodes, "gain")) {
    steps_ = count_steps(options, largest_rate(context, mesh, geometry_, options));
    time_step_ = options.end_time / steps_;
    if (options.limiter != NoLimiter::name) {
        range_.emplace(geometry_.nodes, "range", mesh.layout_mode());
        factor_.emplace(geometry_.nodes, "factor", mesh.layout_mode());
    }
    std::visit(
        [&]<class Problem>(const Problem& problem) {
            par_loop(context_, {"initial_values", 0}, geometry_.nodes,
                     ExactValue<Problem>{problem, 0}, read(geometry_.coordinates), read(times_),
                     write(phi_));
        },
        problem_);
    prepare_device();
}

void Solver::prepare_device() {
    if (context_.device() == nullptr) {
        return;
    }
    context_.device()->recorder().prepare(
        step_work_, [] { return std::vector<const void*>{}; }, [this] { run_step(); },
        context_.device()->halos().obstacle(context_));
}

double Solver::advance(const std::function<void()>& observe) {
    if (context_.device() != nullptr) {
        context_.device()->recorder().repeat(step_work_, {}, [this] { run_step(); });
    } else {
        run_step();
    }
    const double change_squared = std::as_const(change_squared_)[0];
    if (!std::isfinite(change_squared)) {
        throw_divergence(context_.comm(), geometry_, phi_,
                         {static_cast<int>(std::as_const(done_)[0]), steps_});
    }
    if (observe) {
        observe();
    }
    return std::sqrt(change_squared / static_cast<double>(geometry_.nodes.part->global_size));
}

void Solver::run_step() {
    change_squared_.set({0.0});
    update_globals(context_, make_global_update({"begin_step", 0}, BeginStep{time_step_},
                                                read(done_), write(times_), write(then_done_)));
    run_stage(0, FirstStage{time_step_}, write(start_), read_write(phi_));
    run_stage(1, SecondStage{time_step_}, read(start_), read_write(phi_));
    run_stage(2, ThirdStage{time_step_}, read(start_), read_write(phi_), inc(change_squared_));
    update_globals(context_,
                   make_global_update({"end_step", 0}, EndStep{}, read(then_done_), write(done_)));
}

template <class Stage, class... More>
void Solver::run_stage(int stage, const Stage& kernel, const More&... more) {
    constexpr const char* names[] = {"advance_1", "advance_2", "advance_3"};
    find_field();
    Fluxes::visit("flux", options_.flux, [&]<class Flux>(Flux) {
        const auto& u = options_.velocity;
        run_chain(
            context_, {names[stage], 0}, geometry_.nodes,
            make_loop({"edge_flux", 0}, geometry_.edges,
                      EdgeFlux<Flux>{{u[0], u[1], u[2]}, options_.diffusivity},
                      read<0>(field_, geometry_.edge_nodes), read<1>(field_, geometry_.edge_nodes),
                      read<0>(geometry_.coordinates, geometry_.edge_nodes),
                      read<1>(geometry_.coordinates, geometry_.edge_nodes),
                      read(oriented(geometry_.normals)), inc<0>(gain_, geometry_.edge_nodes),
                      inc<1>(gain_, geometry_.edge_nodes)),
            make_loop({"stage", 0}, geometry_.nodes, kernel, read(gain_),
                      read(geometry_.inverse_volume), more...));
    });
    hold_boundary(stage);
}

void Solver::find_field() {
    run_chain(context_, {"gradient", 0}, geometry_.nodes,
              make_loop({"sum_differences", 0}, geometry_.edges, SumDifferences{},
                        read<0>(phi_, geometry_.edge_nodes), read<1>(phi_, geometry_.edge_nodes),
                        read<0>(geometry_.coordinates, geometry_.edge_nodes),
                        read<1>(geometry_.coordinates, geometry_.edge_nodes),
                        inc<0>(sum_, geometry_.edge_nodes), inc<1>(sum_, geometry_.edge_nodes)),
              make_loop({"solve_gradient", 0}, geometry_.nodes, SolveGradient{}, read(phi_),
                        read(sum_), read(geometry_.inverse_moments), write(field_)));
    Limiters::visit("limiter", options_.limiter, [&]<class Limiter>(Limiter) {
        if constexpr (!std::is_same_v<Limiter, NoLimiter>) {
            limit<Limiter>();
        }
    });
}

template <class Limiter>
void Solver::limit() {
    const auto& edge_nodes = geometry_.edge_nodes;
    par_loop(context_, {"start_range", 0}, geometry_.nodes, StartRange{}, read(phi_),
             write(*range_), write(*factor_));
    par_loop(context_, {"widen_range", 0}, geometry_.edges, WidenRange{}, read<0>(phi_, edge_nodes),
             read<1>(phi_, edge_nodes), reduce_min<0>(*range_, edge_nodes),
             reduce_min<1>(*range_, edge_nodes));
    par_loop(context_, {"limit", 0}, geometry_.edges, LimitEdge<Limiter>{},
             read<0>(field_, edge_nodes), read<1>(field_, edge_nodes),
             read<0>(geometry_.coordinates, edge_nodes), read<1>(geometry_.coordinates, edge_nodes),
             read<0>(*range_, edge_nodes), read<1>(*range_, edge_nodes),
             read<0>(geometry_.volume, edge_nodes), read<1>(geometry_.volume, edge_nodes),
             reduce_min<0>(*factor_, edge_nodes), reduce_min<1>(*factor_, edge_nodes));
    par_loop(context_, {"store_factor", 0}, geometry_.nodes, StoreFactor{}, read(*factor_),
             read_write(field_));
}

void Solver::hold_boundary(int stage) {
    std::visit(
        [&]<class Problem>(const Problem& problem) {
            par_loop(context_, {"boundary_values", 0}, geometry_.boundary_nodes,
                     ExactValue<Problem>{problem, stage}, read(geometry_.coordinates), read(times_),
                     write(phi_));
        },
        problem_);
}

Error Solver::error() {
    Global<double, 1> squares{};
    Global<double, 1> space{};
    Global<double, 1> largest{};
    std::visit(
        [&]<class Problem>(const Problem& problem) {
            par_loop(context_, {"exact_error", 0}, geometry_.nodes, ExactError<Problem>{problem},
                     read(geometry_.coordinates), read(times_), read(geometry_.volume), read(phi_),
                     inc(squares), inc(space), reduce_max(largest));
        },
        problem_);
    return {std::sqrt(squares[0] / space[0]), largest[0]};
}

Totals Solver::totals() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Global<double, 1> total{};
    Global<double, 1> least{{infinity}};
    Global<double, 1> largest{{-infinity}};
    par_loop(context_, {"measure", 0}, geometry_.nodes, MeasurePhi{}, read(geometry_.volume),
             read(phi_), inc(total), reduce_min(least), reduce_max(largest));
    return {total[0], least[0], largest[0]};
}

}  // namespace halocline::advection_diffusion
