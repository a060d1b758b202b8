// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Times MG-CFD's edge flux alone, as one par_loop on one core, on each back end and numbering, and its
// arithmetic on data in the first-level cache.
//   benchmark_edge_flux [--nodes=N] [flags of google-benchmark]
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "box_mesh.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "halocline/solver/mgcfd/kernels.hpp"

namespace halocline::benchmarks {
namespace {

using euler::GasState;
using mgcfd::EdgeFlux;
using mgcfd::variables;

struct Node {};
struct Edge {};

struct Case {
    const char* name;
    Backend backend;
    Numbering numbering;
    bool renumber;
};

/// The plain back end takes the mesh as it comes; the fast one renumbers, as mgcfd does.
constexpr std::array<Case, 4> cases{{
    {"serial/natural", Backend::serial, Numbering::natural, false},
    {"openmp/natural", Backend::openmp, Numbering::natural, true},
    {"serial/shuffled", Backend::serial, Numbering::shuffled, false},
    {"openmp/shuffled", Backend::openmp, Numbering::shuffled, true},
}};

/// A mesh and the loop over it. Made once a case, since random interleaving returns to it.
class Subject {
public:
    Subject(const Communicator& comm, const Case& which, GlobalIndex nodes)
        : runtime_(comm, {which.backend, 1}),
          mesh_(
              runtime_.distribute(make_box(nodes, which.numbering), {.renumber = which.renumber})),
          edge_nodes_(mesh_.map<Edge, Node, 2>("edge_nodes")),
          edges_(mesh_.set<Edge>("edges")),
          q_(mesh_.take_dat<Node, double, variables, DerivedStorage<GasState>>("q")),
          normals_(mesh_.take_dat<Edge, double, 3>("normals")),
          flux_(mesh_.make_dat<Node, double, variables, LaneStorage>(mesh_.set<Node>("nodes"),
                                                                     "flux")) {
        run();  // plans are made at the first call
    }

    void run() {
        par_loop(runtime_.context(), "edge_flux", edges_, EdgeFlux{},
                 read<0>(derived(q_), edge_nodes_), read<1>(derived(q_), edge_nodes_),
                 read(oriented(normals_)), inc<0>(flux_, edge_nodes_), inc<1>(flux_, edge_nodes_));
    }

    /// Flux sums after the one call of the constructor.
    [[nodiscard]] std::vector<double> result() const { return runtime_.gather(flux_); }
    /// (edges, bytes by count) of one call.
    [[nodiscard]] const LoopStatistics& account() {
        return runtime_.context().loops().rows().front();
    }

private:
    Runtime runtime_;
    Mesh mesh_;
    Map<Edge, Node, 2> edge_nodes_;
    Set<Edge> edges_;
    Dat<Node, double, variables, DerivedStorage<GasState>> q_;
    Dat<Edge, double, 3> normals_;
    Dat<Node, double, variables, LaneStorage> flux_;
};

void time_loop(benchmark::State& state, Subject& subject) {
    for (auto _ : state) {
        subject.run();
        benchmark::ClobberMemory();
    }
    const LoopStatistics& account = subject.account();
    const double edges = static_cast<double>(account.elements) / static_cast<double>(account.calls);
    const double bytes = static_cast<double>(account.bytes) / static_cast<double>(account.calls);
    using benchmark::Counter;
    state.counters["edges"] = edges;
    state.counters["bytes_per_edge"] = bytes / edges;
    state.counters["s_per_edge"] =
        Counter(edges, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

/// The kernel on packs of edges that stay in the first-level cache: what no layout can beat.
void time_arithmetic(benchmark::State& state) {
    constexpr int packs = 8;
    constexpr int edges = packs * pack_lanes;
    std::vector<Values<Pack, 8>> a(packs);
    std::vector<Values<Pack, 8>> b(packs);
    std::vector<Values<Pack, 3>> normal(packs, {Pack(0.3), Pack(0.4), Pack(0.5)});
    for (int p = 0; p < packs; ++p) {
        const double shift = 0.01 * p;
        a[static_cast<std::size_t>(p)] = {Pack(1.4), Pack(1.7 + shift), Pack(0.1), Pack(0.2),
                                          Pack(3.5), Pack(0.7),         Pack(1.0), Pack(2.2)};
        b[static_cast<std::size_t>(p)] = {Pack(1.4), Pack(1.6), Pack(0.1), Pack(shift),
                                          Pack(3.4), Pack(0.7), Pack(1.1), Pack(2.1)};
    }
    const EdgeFlux kernel;
    Values<Pack, variables> sum_a{};
    Values<Pack, variables> sum_b{};
    for (auto _ : state) {
        for (std::size_t p = 0; p < packs; ++p) {
            kernel(a[p], b[p], normal[p], sum_a, sum_b);
        }
        benchmark::DoNotOptimize(sum_a);
        benchmark::DoNotOptimize(sum_b);
        benchmark::ClobberMemory();
    }
    using benchmark::Counter;
    state.counters["s_per_edge"] =
        Counter(edges, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

/// Takes `--nodes=N` out of the arguments; google-benchmark reads the rest.
GlobalIndex take_nodes(int& argc, char** argv) {
    constexpr std::string_view flag = "--nodes=";
    GlobalIndex nodes = 1'000'000;
    int kept = 0;
    for (int i = 0; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.substr(0, flag.size()) == flag) {
            nodes = std::atoll(word.substr(flag.size()).data());
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    validate<UsageError>(nodes >= 8, "--nodes takes a number from 8 (a box has eight corners).");
    return nodes;
}

using Subjects = std::array<std::unique_ptr<Subject>, cases.size()>;

/// Both back ends on both numberings must agree to the last bit before their times mean anything.
void require_same_bits(const Subjects& subjects) {
    for (std::size_t i = 0; i < cases.size(); i += 2) {
        const std::vector<double> plain = subjects[i]->result();
        const std::vector<double> fast = subjects[i + 1]->result();
        validate<ContractError>(
            std::memcmp(plain.data(), fast.data(), plain.size() * sizeof(double)) == 0,
            std::string(cases[i].name) + " and " + cases[i + 1].name +
                " differ. Run the tests of the loop layer.");
        validate<ContractError>(plain.front() != 0.0, "the flux is zero: nothing was computed.");
    }
}

int run(const Communicator& comm, int argc, char** argv) {
    const GlobalIndex nodes = take_nodes(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return static_cast<int>(ExitCode::usage);
    }
    Subjects subjects;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        subjects[i] = std::make_unique<Subject>(comm, cases[i], nodes);
        benchmark::RegisterBenchmark((std::string("edge_flux/") + cases[i].name).c_str(), time_loop,
                                     std::ref(*subjects[i]))
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("edge_flux/arithmetic", time_arithmetic);
    require_same_bits(subjects);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_edge_flux",
                                      halocline::benchmarks::run);
}
