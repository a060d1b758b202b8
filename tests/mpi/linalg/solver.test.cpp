// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Solutions: right ones, and the same bits whoever computes them.
#include "halocline/linalg/solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "communicators.hpp"
#include "halocline/mesh/aliased_memory.hpp"
#include "halocline/runtime/runtime.hpp"
#include "support/bits.hpp"
#include "support/error_of.hpp"
#include "support/poisson.hpp"

namespace halocline::test {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

struct Node {};
struct Edge {};

struct Way {
    Backend backend = Backend::serial;
    int threads = 1;
    std::string partitioner = "auto";
    std::string storage = "float";
    GlobalIndex most_replicated = 1500;  ///< nodes of levels that all ranks have
    bool aliased = false;                ///< vectors, and b, lie in an idle dat
};

struct Outcome {
    linalg::SolveReport report;
    std::vector<double> x;
    std::vector<linalg::LevelSize> levels;
    std::vector<double> rates;
    int launches = 0;
    std::int64_t exchanges = 0;  ///< of the solve
};

/// b of node `a`.
double load_of(GlobalIndex a) { return chance(static_cast<std::uint64_t>(a) + 99) - 0.5; }

Outcome solve(const Communicator& comm, const WholeOperator& whole,
              const linalg::SolverOptions& options, const Way& way, bool with_rates = false) {
    ContextOptions context;
    context.backend = way.backend;
    context.threads = way.threads;
    Runtime runtime(comm, context);
    DeclaredProblem problem = declare(comm, whole);
    linalg::HierarchyOptions coarsening;
    coarsening.coarsest = 12;
    coarsening.storage = way.storage;
    coarsening.most_replicated = way.most_replicated;
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(comm, problem.mesh, problem.op, coarsening);
    DistributeOptions division;
    division.partitioner = way.partitioner;
    Mesh mesh = runtime.distribute(std::move(problem.mesh), division);
    const auto nodes = mesh.set<Node>("nodes");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    std::optional<Dat<Node, double, 1>> diagonal;
    if (!whole.diagonal.empty()) {
        diagonal = mesh.take_dat<Node, double, 1>("diagonal");
    }
    const linalg::EdgeOperator op = diagonal ? linalg::EdgeOperator(edge_nodes, weights, *diagonal)
                                             : linalg::EdgeOperator(edge_nodes, weights);
    linalg::Solver solver(runtime.context(), mesh, op, hierarchy, options);
    auto b = mesh.make_dat<Node, double, 1>(nodes, "b");
    auto x = mesh.make_dat<Node, double, 1>(nodes, "x");
    auto idle = mesh.make_dat<Node, double, 3, LaneStorage>(nodes, "idle");
    if (way.aliased) {
        solver.work_in(idle.handle());
        AliasedMemory(idle.handle()).share_with(b.handle());
    }
    b.fill([&](LocalIndex i, int) { return load_of(nodes.part->global_id(i)); });
    Outcome outcome;
    const std::int64_t before = runtime.context().halo_ledger().exchanges;
    outcome.report = solver.solve(b, x);
    outcome.exchanges = runtime.context().halo_ledger().exchanges - before;
    outcome.x = runtime.gather(x);
    outcome.levels = hierarchy.levels;
    outcome.launches = solver.launches();
    if (with_rates) {
        outcome.rates = solver.measure_rates();
    }
    return outcome;
}

/// Largest |b - A x| over nodes, b without its mean on the parts of nodes in `parts`.
double largest_residual(const WholeOperator& op, const std::vector<double>& x,
                        const std::vector<int>& parts) {
    std::vector<double> b, left;
    for (GlobalIndex a = 0; a < op.nodes; ++a) {
        b.push_back(load_of(a));
    }
    const int count = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end()) + 1;
    for (int part = 0; part < count; ++part) {
        double sum = 0.0, nodes = 0.0;
        for (std::size_t a = 0; a < b.size(); ++a) {
            if (parts[a] == part) {
                sum += b[a];
                nodes += 1.0;
            }
        }
        for (std::size_t a = 0; a < b.size(); ++a) {
            b[a] -= parts[a] == part ? sum / nodes : 0.0;
        }
    }
    left = b;
    for (std::size_t a = 0; a < op.diagonal.size(); ++a) {
        left[a] -= op.diagonal[a] * x[a];
    }
    for (std::size_t e = 0; e < op.weights.size(); ++e) {
        const auto i = static_cast<std::size_t>(op.ends[2 * e]);
        const auto j = static_cast<std::size_t>(op.ends[2 * e + 1]);
        left[i] -= op.weights[e] * (x[i] - x[j]);
        left[j] -= op.weights[e] * (x[j] - x[i]);
    }
    double largest = 0.0;
    for (const double value : left) {
        largest = std::max(largest, std::fabs(value));
    }
    return largest;
}

/// Coarse levels divided, replicated, and first one and then the other.
const std::vector<Way> all_ways{
    {Backend::serial, 1, "block", "float", 0},   {Backend::openmp, 1, "auto", "float", 1500},
    {Backend::openmp, 2, "random", "float", 40}, {Backend::openmp, 2, "auto", "float", 40, true},
    {Backend::check, 1, "auto", "float", 40},    {Backend::emulated, 1, "auto", "float", 0},
    {Backend::emulated, 1, "auto", "float", 40}};

/// The same bits and iterations as on one rank of the serial back end, and a residual that small.
void expect_same_everywhere(const WholeOperator& op, const linalg::SolverOptions& options,
                            const std::vector<int>& parts, const std::string& storage = "float",
                            const std::vector<Way>& ways = all_ways) {
    const Outcome expected = solve(self(), op, options, {Backend::serial, 1, "auto", storage});
    EXPECT_TRUE(expected.report.converged) << expected.report.message;
    // |b|_inf is at most 0.5, |b|_2 at most 0.5 sqrt(nodes); the residual of the recurrence drifts from the
    // true one by rounding, far below the tolerance.
    EXPECT_LE(largest_residual(op, expected.x, parts),
              options.tolerance * std::sqrt(static_cast<double>(op.nodes)));
    for (Way way : ways) {
        way.storage = storage;
        const Outcome outcome = solve(world(), op, options, way);
        EXPECT_TRUE(same_numbers(outcome.x, expected.x)) << backend_name(way.backend);
        EXPECT_TRUE(same_numbers(outcome.report.norms, expected.report.norms))
            << backend_name(way.backend);
        EXPECT_EQ(outcome.report.iterations, expected.report.iterations);
    }
}

std::vector<int> one_part(const WholeOperator& op) {
    return std::vector<int>(static_cast<std::size_t>(op.nodes), 0);
}

/// A mass term, as of a time step.
WholeOperator with_diagonal(WholeOperator op) {
    for (GlobalIndex a = 0; a < op.nodes; ++a) {
        op.diagonal.push_back(a % 5 == 0 ? 0.3 : 0.0);
    }
    return op;
}

// -u'' = b on three nodes: b = (1, 0, -1) without null space, x = (1, 0, -1).
TEST(Solver, SolvesAPathByHand) {
    Runtime runtime(self(), {Backend::serial, 1});
    DeclaredProblem problem = declare(self(), path(3));
    const linalg::Hierarchy hierarchy = linalg::declare_hierarchy(self(), problem.mesh, problem.op);
    Mesh mesh = runtime.distribute(std::move(problem.mesh));
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    linalg::Solver solver(runtime.context(), mesh,
                          linalg::EdgeOperator(mesh.map<Edge, Node, 2>("edge_nodes"), weights),
                          hierarchy);
    auto b = mesh.make_dat<Node, double, 1>(mesh.set<Node>("nodes"), "b");
    auto x = mesh.make_dat<Node, double, 1>(mesh.set<Node>("nodes"), "x");
    // The mean of 5 does not count.
    b.fill([&](LocalIndex i, int) {
        return 5.0 + 1.0 - static_cast<double>(b.set().part->global_id(i));
    });
    x.fill(Values<double, 1>{{7.0}});
    const linalg::SolveReport report = solver.solve(b, x);
    EXPECT_TRUE(report.converged);
    const std::vector<double> result = runtime.gather(x);
    EXPECT_NEAR(result[0], 1.0, 1e-7);
    EXPECT_NEAR(result[1], 0.0, 1e-7);
    EXPECT_NEAR(result[2], -1.0, 1e-7);
}

/// K-cycles also on levels that are as small as here.
linalg::SolverOptions two_steps_everywhere() {
    linalg::SolverOptions options;
    options.k_nodes = 0;
    return options;
}

TEST(Solver, HasTheSameBitsOnAGrid) {
    const WholeOperator op = grid(33, 27);
    expect_same_everywhere(op, two_steps_everywhere(), one_part(op));
    expect_same_everywhere(op, {}, one_part(op));
}
TEST(Solver, HasTheSameBitsWithDoubles) {
    const WholeOperator op = grid(21, 18, 0.6);
    expect_same_everywhere(op, two_steps_everywhere(), one_part(op), "double");
}
TEST(Solver, HasTheSameBitsWithADiagonal) {
    expect_same_everywhere(with_diagonal(grid(19, 23, 0.5)), two_steps_everywhere(), {});
}
TEST(Solver, HasTheSameBitsByEveryMethod) {
    for (const std::string_view method : linalg::method_names()) {
        for (const std::string_view preconditioner : linalg::preconditioner_names()) {
            linalg::SolverOptions options = two_steps_everywhere();
            options.method = method;
            options.preconditioner = preconditioner;
            const WholeOperator op = with_diagonal(grid(9, 11));
            expect_same_everywhere(op, options, {}, "float",
                                   {{Backend::openmp, 2, "auto"}, {Backend::emulated, 1, "auto"}});
        }
    }
}
TEST(Solver, SmoothsByChebyshev) {
    linalg::SolverOptions options;
    options.smoother = "chebyshev";
    options.sweeps = 2;
    const WholeOperator op = grid(25, 17);
    expect_same_everywhere(op, options, one_part(op));
}

// Two grids and a node without edges: each has its own mean.
TEST(Solver, TakesAwayTheMeanOfEachPart) {
    WholeOperator op = grid(13, 12);
    const WholeOperator other = grid(10, 9, 0.5);
    std::vector<int> parts(static_cast<std::size_t>(op.nodes), 0);
    for (std::size_t e = 0; e < other.weights.size(); ++e) {
        op.add(other.ends[2 * e] + op.nodes, other.ends[2 * e + 1] + op.nodes, other.weights[e]);
    }
    op.nodes += other.nodes + 1;
    parts.resize(static_cast<std::size_t>(op.nodes), 1);
    parts.back() = 2;
    expect_same_everywhere(op, {}, parts);
    // A diagonal on the second part only: the first and the lonely node stay singular.
    op.diagonal.assign(static_cast<std::size_t>(op.nodes), 0.0);
    op.diagonal[static_cast<std::size_t>(op.nodes) - 5] = 2.0;
    std::vector<int> singular = parts;
    for (int& part : singular) {
        part = part == 1 ? -1 : part;
    }
    expect_same_everywhere(op, {}, singular);
}

// All that is launched between two looks at the residual, the coarsest level's solution included.
TEST(Solver, RecordsAnIterationAsOneGraph) {
    const Way way{Backend::emulated};
    EXPECT_GT(solve(self(), grid(33, 27), {}, way).launches, 0);
    EXPECT_EQ(solve(self(), grid(33, 27), {}, {Backend::openmp}).launches, 0);
}

TEST(Solver, LaunchesFloatsAsOftenAsDoubles) {
    const WholeOperator op = grid(33, 27);
    const int floats = solve(self(), op, {}, {Backend::emulated, 1, "auto", "float"}).launches;
    const int doubles = solve(self(), op, {}, {Backend::emulated, 1, "auto", "double"}).launches;
    EXPECT_EQ(floats, doubles);
}

TEST(Solver, ExchangesNothingOnLevelsThatAllRanksHave) {
    const WholeOperator op = grid(33, 27);
    const Way divided{Backend::openmp, 1, "auto", "float", 0};
    const Way replicated{Backend::openmp, 1, "auto", "float", 1500};
    const Outcome many = solve(world(), op, two_steps_everywhere(), divided);
    const Outcome few = solve(world(), op, two_steps_everywhere(), replicated);
    if (world().size() == 1) {
        EXPECT_EQ(many.exchanges, 0);
        EXPECT_EQ(few.exchanges, 0);
        return;
    }
    // All coarse levels are small here: the finest one's loops, and the sums of each visit, are left.
    EXPECT_LE(few.exchanges, 6 * (few.report.iterations + 1));
    EXPECT_GT(many.exchanges, 2 * few.exchanges);
}

TEST(Solver, StopsAtAnAbsoluteTolerance) {
    linalg::SolverOptions options;
    options.absolute_tolerance = 1e-3;
    const Outcome outcome = solve(world(), grid(33, 27), options, {Backend::openmp});
    const std::vector<double>& norms = outcome.report.norms;
    EXPECT_TRUE(outcome.report.converged);
    EXPECT_LE(norms.back(), 1e-3);
    EXPECT_GT(norms[norms.size() - 2], 1e-3);
}

TEST(Solver, SaysWhenItIsNotDone) {
    linalg::SolverOptions options;
    options.preconditioner = "jacobi";
    options.most_iterations = 3;
    const Outcome outcome = solve(world(), grid(30, 30), options, {Backend::openmp});
    EXPECT_FALSE(outcome.report.converged);
    EXPECT_THAT(outcome.report.message,
                AllOf(HasSubstr("jacobi reached 3 iterations"), HasSubstr("Allow more")));
}

TEST(Solver, NamesTheLevelAtWhichItStagnates) {
    linalg::SolverOptions options;
    options.damping = 0.001;  // smoothing that does next to nothing
    options.most_iterations = 60;
    options.k_nodes = 0;
    const Outcome outcome = solve(world(), grid(60, 60), options, {Backend::openmp});
    EXPECT_FALSE(outcome.report.converged);
    EXPECT_THAT(outcome.report.message,
                AllOf(HasSubstr("multigrid"), HasSubstr("level "), HasSubstr("rate")));
}

TEST(Solver, MeasuresRatesOfItsLevels) {
    const Outcome outcome = solve(world(), grid(64, 64), {}, {Backend::openmp}, true);
    ASSERT_EQ(outcome.rates.size(), outcome.levels.size() - 1);
    for (const double rate : outcome.rates) {
        EXPECT_GT(rate, 0.0);
        EXPECT_LT(rate, 0.9);
    }
}

TEST(Solver, RefusesASmallDatToWorkIn) {
    Runtime runtime(self(), {.backend = Backend::openmp});
    DeclaredProblem problem = declare(self(), grid(9, 9));
    Mesh mesh = runtime.distribute(std::move(problem.mesh));
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    const linalg::EdgeOperator op(mesh.map<Edge, Node, 2>("edge_nodes"), weights);
    linalg::Solver solver(runtime.context(), mesh, op,
                          {.preconditioner = "jacobi", .k_levels = {}});
    auto small = mesh.make_dat<Node, double, 2, LaneStorage>(mesh.set<Node>("nodes"), "small");
    EXPECT_THAT(error_of([&] { solver.work_in(small.handle()); }), HasSubstr("'small'"));
}

TEST(Solver, RefusesToWorkInMemoryOffCores) {
    Runtime runtime(self(), {.backend = Backend::serial});
    DeclaredProblem problem = declare(self(), grid(9, 9));
    Mesh mesh = runtime.distribute(std::move(problem.mesh));
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    const linalg::EdgeOperator op(mesh.map<Edge, Node, 2>("edge_nodes"), weights);
    linalg::Solver solver(runtime.context(), mesh, op,
                          {.preconditioner = "jacobi", .k_levels = {}});
    auto idle = mesh.make_dat<Node, double, 3>(mesh.set<Node>("nodes"), "idle");
    EXPECT_THAT(error_of([&] { solver.work_in(idle.handle()); }), HasSubstr("openmp"));
}

TEST(Solver, RefusesUnknownWords) {
    const auto error = [](auto&& change) {
        linalg::SolverOptions options;
        change(options);
        return error_of([&] { linalg::validate_options(options); });
    };
    EXPECT_THAT(error([](auto& options) { options.method = "fast"; }),
                AllOf(HasSubstr("2: "), HasSubstr("'fast'"), HasSubstr("single_reduction")));
    EXPECT_THAT(error([](auto& options) { options.preconditioner = "ilu"; }),
                HasSubstr("multigrid, chebyshev, jacobi, none"));
    EXPECT_THAT(error([](auto& options) { options.damping = 1.5; }), HasSubstr("damping"));
    EXPECT_THAT(error([](auto& options) { options.sweeps = 0; }), HasSubstr("sweeps"));
}

}  // namespace
}  // namespace halocline::test
