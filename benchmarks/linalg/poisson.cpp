// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Times set-up and solution of Poisson problems, and checks that what is solved is solved.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "grid_poisson.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/halocline.hpp"
#include "halocline/linalg/solver.hpp"
#include "halocline/memory/memory_account.hpp"
#include "shapes.hpp"

namespace {

using namespace halocline;

struct Node {};
struct Edge {};

using Words = std::map<std::string, std::string>;

/// --name=value, each with a default.
Words words_of(int argc, char** argv, Words words) {
    for (int i = 1; i < argc; ++i) {
        const std::string word(argv[i]);
        const auto equals = word.find('=');
        const std::string name = word.substr(0, equals);
        validate<UsageError>(
            word.starts_with("--") && equals != std::string::npos && words.contains(name.substr(2)),
            "'" + word + "' is not understood. Write --name=value.");
        words[name.substr(2)] = word.substr(equals + 1);
    }
    return words;
}

/// The program's own word on how well b - A x = 0 holds, where the problem is one that peers get, too:
/// a box or a square on one rank, not stretched. Empty elsewhere.
std::string describe_residual(Words& words, const Set<Node>& nodes, const Dat<Node, double, 1>& x) {
    const bool grid_of_points = words["shape"] == "box" || words["shape"] == "square";
    if (!grid_of_points || std::atof(words["stretched"].c_str()) != 1.0 ||
        nodes.part->owned != nodes.part->global_size) {
        return "";
    }
    const bench::PointGrid grid{words["shape"] == "box" ? 3 : 2, std::atoi(words["n"].c_str())};
    std::vector<double> values(static_cast<std::size_t>(grid.nodes()));
    for (LocalIndex i = 0; i < nodes.part->owned; ++i) {
        values[static_cast<std::size_t>(nodes.part->global_id(i))] = x.store().at(i, 0);
    }
    char text[64];
    std::snprintf(text, sizeof text, "true_residual=%.2e ", bench::true_residual(grid, values));
    return text;
}

/// Bytes a node of this rank: buffers by what they hold (values include maps), and all that is resident.
std::string describe_memory(const Set<Node>& nodes) {
    const auto a_node = [&](std::int64_t bytes) {
        return static_cast<double>(bytes) / nodes.part->owned;
    };
    char text[160];
    std::snprintf(text, sizeof text, "values=%.0f plans=%.0f copies=%.0f resident=%.0f peak=%.0f ",
                  a_node(buffer_bytes(MemoryUse::values)), a_node(buffer_bytes(MemoryUse::plans)),
                  a_node(buffer_bytes(MemoryUse::copies)), a_node(resident_memory_bytes()),
                  a_node(peak_memory_bytes()));
    return text;
}

/// Bytes a second of CPU time that one thread moves in a = b + 3 c, the best of some runs.
double triad_rate() {
    constexpr std::size_t size = std::size_t{1} << 24U;
    Buffer<double> a(size, 0.0);
    const Buffer<double> b(size, 1.0), c(size, 2.0);
    double best = 0.0;
    for (int run = 0; run < 8; ++run) {
        const double begin_s = cpu_seconds();
        for (std::size_t i = 0; i < size; ++i) {
            a[i] = b[i] + 3.0 * c[i];
        }
        const double rate = 3.0 * sizeof(double) * static_cast<double>(size);
        best = std::max(best, rate / (cpu_seconds() - begin_s));
    }
    return a[size - 1] == 7.0 ? best : 0.0;
}

/// Bytes that the loops of an iteration move by their account, and how fast beside the triad.
std::string describe_traffic(Context& context, int iterations, double cpu_s) {
    double bytes = 0.0;
    for (const LoopStatistics& loop : context.loops().rows()) {
        bytes += static_cast<double>(loop.bytes);
    }
    const double rate = bytes / cpu_s;
    const double triad = triad_rate();
    char text[120];
    std::snprintf(text, sizeof text, "moved=%.3fGB/it rate=%.1fGB/s triad=%.1fGB/s share=%.0f%% ",
                  bytes / iterations * 1e-9, rate * 1e-9, triad * 1e-9, 100.0 * rate / triad);
    return text;
}

int program(Runtime& runtime, int argc, char** argv) {
    Words words = words_of(argc, argv, {{"shape", "box"},       {"n", "64"},
                                        {"stretched", "1"},     {"pairings", "3"},
                                        {"k", "auto"},          {"k_nodes", "500"},
                                        {"method", "flexible"}, {"preconditioner", "multigrid"},
                                        {"smoother", "jacobi"}, {"sweeps", "1"},
                                        {"damping", "0.76"},    {"storage", "float"},
                                        {"tolerance", "1e-8"},  {"repetitions", "3"},
                                        {"coarsest", "150"},    {"replicated", "1500"},
                                        {"renumber", "1"},      {"loops", "0"},
                                        {"traffic", "0"},       {"history", "0"}});
    const auto real = [&](const char* name) { return std::atof(words[name].c_str()); };
    const auto whole = [&](const char* name) { return std::atoi(words[name].c_str()); };
    bench::Poisson poisson =
        bench::declare_poisson(runtime.comm(), words["shape"], whole("n"), real("stretched"));
    linalg::HierarchyOptions coarsening;
    coarsening.pairings = whole("pairings");
    coarsening.storage = words["storage"];
    coarsening.coarsest = whole("coarsest");
    coarsening.most_replicated = whole("replicated");
    const double hierarchy_s = cpu_seconds();
    linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(runtime.comm(), poisson.mesh, poisson.op, coarsening);
    const double hierarchy_cpu_s = cpu_seconds() - hierarchy_s;
    const double distribute_s = wall_seconds();
    DistributeOptions division;
    division.renumber = whole("renumber") != 0;
    Mesh mesh = runtime.distribute(std::move(poisson.mesh), division);
    const double solver_s = wall_seconds();
    const auto nodes = mesh.set<Node>("nodes");
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    linalg::SolverOptions options;
    options.method = words["method"];
    options.preconditioner = words["preconditioner"];
    options.smoother = words["smoother"];
    options.sweeps = whole("sweeps");
    options.damping = real("damping");
    if (words["k"] != "auto") {
        options.k_levels = whole("k");
    }
    options.k_nodes = whole("k_nodes");
    options.tolerance = real("tolerance");
    linalg::Solver solver(runtime.context(), mesh,
                          linalg::EdgeOperator(mesh.map<Edge, Node, 2>("edge_nodes"), weights),
                          hierarchy, options);
    const double ready_s = wall_seconds();
    const double setup_cpu_s = cpu_seconds() - hierarchy_s;
    auto b = mesh.make_dat<Node, double, 1>(nodes, "b");
    auto x = mesh.make_dat<Node, double, 1>(nodes, "x");
    b.fill([&](LocalIndex i, int) { return bench::value_of(nodes.part->global_id(i)); });
    std::vector<double> seconds, cpu;
    linalg::SolveReport report;
    for (int k = 0; k < whole("repetitions"); ++k) {
        x.fill(Values<double, 1>{{0.0}});
        if (k == 1) {
            runtime.context().restart_account();
        }
        const double begin_s = cpu_seconds();
        report = solver.solve(b, x);
        seconds.push_back(report.seconds);
        cpu.push_back(cpu_seconds() - begin_s);
    }
    const double first = seconds.front();
    const double first_cpu_s = cpu.front();
    const double solves_cpu_s = std::accumulate(cpu.begin() + 1, cpu.end(), 0.0);
    std::sort(seconds.begin(), seconds.end());
    std::sort(cpu.begin(), cpu.end());
    if (runtime.comm().is_root()) {
        std::printf(
            "%s n=%s levels=%zu opcx=%.3f its=%d rate=%.3f hierarchy=%.3fs "
            "distribute=%.3fs "
            "solver=%.3fs first=%.3fs solve=%.4fs (median of %zu, spread %.4f..%.4f) cpu=%.4fs "
            "ns/node/it=%.2f launches=%d hierarchy_cpu=%.3f setup_cpu=%.3f first_cpu=%.3f %s%s%s\n",
            words["shape"].c_str(), words["n"].c_str(), hierarchy.levels.size(),
            hierarchy.operator_complexity(), report.iterations, report.rate(), hierarchy.setup_s,
            solver_s - distribute_s, ready_s - solver_s, first, seconds[seconds.size() / 2],
            seconds.size(), seconds.front(), seconds.back(), cpu[cpu.size() / 2],
            cpu[cpu.size() / 2] * 1e9 / report.iterations /
                static_cast<double>(hierarchy.levels[0].nodes),
            solver.launches(), hierarchy_cpu_s, setup_cpu_s, first_cpu_s,
            describe_memory(nodes).c_str(), describe_residual(words, nodes, x).c_str(),
            report.message.c_str());
        if (whole("history") != 0) {
            for (const auto& level : hierarchy.levels) {
                std::printf("  %lld nodes %lld edges\n", static_cast<long long>(level.nodes),
                            static_cast<long long>(level.edges));
            }
            for (const double norm : report.norms) {
                std::printf("  %.3e\n", norm / report.reference);
            }
        }
    }
    if (whole("traffic") != 0 && seconds.size() > 1) {
        const auto solves = static_cast<int>(seconds.size()) - 1;  // since the account began anew
        std::printf(
            "%s\n",
            describe_traffic(runtime.context(), solves * report.iterations, solves_cpu_s).c_str());
    }
    if (whole("loops") != 0) {
        runtime.print_loops();
    }
    return report.converged ? 0 : 5;
}

}  // namespace

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
