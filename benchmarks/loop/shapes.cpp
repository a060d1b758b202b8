// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every loop shape that is tested, on the openmp back end with one thread and on the serial one, on a
// grid of squares: which shapes lose, and by how much. The serial back end runs a second time beside them:
// by how much it loses to itself is what the machine's disturbances make of the same code. Loops are called
// as often as the flag says, and up to 20 times as often until they have taken 50 ms: short ones are called
// often in programs, too.
//   benchmark_shapes [--nodes=N] [flags of race.hpp]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <initializer_list>
#include <string>
#include <vector>

#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "numbering.hpp"
#include "race.hpp"
#include "support/loop_shapes.hpp"
#include "turns.hpp"

namespace halocline::benchmarks {
namespace {

using test::LoopShape;
using test::LoopWorld;
using test::WorldOptions;
using test::WorldTables;

/// A map over a grid that closes in itself: target(row, column), counted round its end.
template <class Target>
std::vector<GlobalIndex> grid_map(GlobalIndex rows, int arity, GlobalIndex targets, Target target) {
    std::vector<GlobalIndex> map;
    for (GlobalIndex row = 0; row < rows; ++row) {
        for (int k = 0; k < arity; ++k) {
            map.push_back(target(row, k) % targets);
        }
    }
    return map;
}

/// Entries are missing where they are missing in `pattern`.
std::vector<GlobalIndex> with_gaps_of(const std::vector<GlobalIndex>& pattern,
                                      std::vector<GlobalIndex> map) {
    for (std::size_t i = 0; i < map.size(); ++i) {
        map[i] = pattern[i] == absent ? absent : map[i];
    }
    return map;
}

/// A square grid of nodes in place of the random maps of tests, in its own order.
WorldTables grid(GlobalIndex wanted_nodes) {
    const auto width = std::lround(std::sqrt(static_cast<double>(wanted_nodes)) / 2.0) * 2;
    const GlobalIndex nodes = width * width;
    WorldTables tables({nodes, 2 * nodes, 2 * nodes, nodes, nodes / 8, nodes / 4, nodes / 2});
    const GlobalIndex corner[] = {0, 1, width + 1, width};
    const auto along = [&](GlobalIndex e, int k) { return e / 2 + k * (e % 2 == 0 ? 1 : width); };
    const auto quad = [&](GlobalIndex q, int k) { return q + corner[k]; };
    tables.edge_nodes = grid_map(2 * nodes, 2, nodes, along);
    tables.side_nodes = with_gaps_of(tables.side_nodes, grid_map(2 * nodes, 2, nodes, along));
    tables.triangle_nodes = grid_map(2 * nodes, 3, nodes, [&](GlobalIndex t, int k) {
        return quad(t / 2, t % 2 == 0 ? k : (k + 2) % 4);
    });
    tables.quad_nodes = grid_map(nodes, 4, nodes, quad);
    tables.near_nodes = with_gaps_of(tables.near_nodes, grid_map(nodes, 4, nodes, quad));
    tables.mark_node = grid_map(nodes / 8, 1, nodes, [](GlobalIndex m, int) { return 8 * m; });
    tables.parent = grid_map(nodes, 1, nodes / 4, [](GlobalIndex i, int) { return i / 4; });
    tables.pair_nodes =
        grid_map(nodes / 2, 2, nodes, [&](GlobalIndex p, int k) { return 2 * p + k * width; });
    tables.pair_claims =
        grid_map(nodes / 2, 2, nodes, [](GlobalIndex p, int k) { return 2 * p + k; });
    tables.pair_coarse =
        grid_map(nodes / 2, 1, nodes / 4, [](GlobalIndex p, int) { return p / 2; });
    return tables;
}

/// The same grid with nodes and elements at random places.
WorldTables shuffled(WorldTables tables) {
    std::mt19937_64 random(1);
    const auto numbers = [&](GlobalIndex count) {
        return new_numbers(count, Numbering::shuffled, random);
    };
    const auto nodes = numbers(tables.sizes.nodes);
    const auto coarse = numbers(tables.sizes.coarse);
    const auto move = [&](std::vector<GlobalIndex>& map, int arity, const auto& targets,
                          const auto& elements) {
        rename_targets(map, targets);
        map = moved_rows(map, static_cast<std::size_t>(arity), elements);
    };
    const auto edges = numbers(tables.sizes.edges);
    const auto triangles = numbers(tables.sizes.triangles);
    const auto quads = numbers(tables.sizes.quads);
    const auto pairs = numbers(tables.sizes.pairs);
    move(tables.edge_nodes, 2, nodes, edges);
    move(tables.side_nodes, 2, nodes, edges);
    move(tables.triangle_nodes, 3, nodes, triangles);
    move(tables.quad_nodes, 4, nodes, quads);
    move(tables.near_nodes, 4, nodes, quads);
    move(tables.mark_node, 1, nodes, numbers(tables.sizes.marks));
    move(tables.parent, 1, coarse, nodes);
    move(tables.pair_nodes, 2, nodes, pairs);
    move(tables.pair_claims, 2, nodes, pairs);
    move(tables.pair_coarse, 1, coarse, pairs);
    return tables;
}

/// Calls of a back end before the other has its turn; the first ones find other data in the caches.
constexpr int calls_a_turn = 30;

/// Appends the median of each turn's calls.
void append_turns(std::vector<double>& turns_s, const std::vector<double>& calls_s) {
    const auto calls = static_cast<std::ptrdiff_t>(calls_s.size());
    const std::ptrdiff_t turns = std::max<std::ptrdiff_t>(calls / calls_a_turn, 1);
    for (std::ptrdiff_t turn = 0; turn < turns; ++turn) {
        const auto first = calls_s.begin() + turn * calls / turns;
        const auto last = calls_s.begin() + (turn + 1) * calls / turns;
        turns_s.push_back(median({first, last}));
    }
}

/// Median of the ratios within a turn: what else the machine does may change from one to the next.
double median_ratio(const std::vector<double>& of, const std::vector<double>& to) {
    std::vector<double> ratios;
    for (std::size_t turn = 0; turn < of.size(); ++turn) {
        ratios.push_back(of[turn] / to[turn]);
    }
    return median(ratios);
}

/// A loop of a shape: medians of turns.
struct Line {
    std::string name;
    std::vector<double> serial_s;
    std::vector<double> openmp_s;
    std::vector<double> serial_again_s;
    std::string strategy;

    [[nodiscard]] double ratio() const { return median_ratio(openmp_s, serial_s); }
    [[nodiscard]] double control() const { return median_ratio(serial_again_s, serial_s); }
};

/// How a loop ran last; "by element" where packs lost.
std::string told(const LoopStatistics& row) {
    return row.strategy + (row.reason.starts_with("element by element") ? ", by element" : "");
}

/// What one back end made of a shape.
struct Outcome {
    std::vector<double> results;
    std::vector<test::TimedCalls> times;
    std::vector<std::string> strategies;  ///< of each loop that was timed
};

/// Runs a shape.
Outcome run_shape(const Communicator& comm, const LoopShape& shape, const WorldTables& tables,
                  const WorldOptions& options) {
    LoopWorld world(comm, tables, options);
    Outcome outcome{shape.run(world), world.times(), {}};
    for (const test::TimedCalls& of_loop : outcome.times) {
        outcome.strategies.push_back(told(world.context().loops().row(of_loop.name.c_str())));
    }
    return outcome;
}

/// How often each loop of a shape is called, by the times of a few calls.
std::vector<int> calls_of_loops(const Communicator& comm, const LoopShape& shape,
                                const WorldTables& tables, int at_least) {
    constexpr double seconds_at_least = 0.05;
    constexpr int most_times = 20;
    WorldOptions options;
    options.repetitions = 5;
    std::vector<int> calls;
    for (const test::TimedCalls& loop : run_shape(comm, shape, tables, options).times) {
        const double needed = seconds_at_least / median(loop.seconds);
        calls.push_back(
            std::clamp(static_cast<int>(std::ceil(needed)), at_least, most_times * at_least));
    }
    return calls;
}

/// Calls `function` some lines of a cache deeper in the stack: which of a loop's stores cross a page hangs on
/// that, and makes up to a quarter of its time.
template <class Function>
[[gnu::noinline]] auto call_deeper(int lines, Function&& function) {
    volatile char* room =
        static_cast<char*>(__builtin_alloca(static_cast<std::size_t>(lines) * 64));
    room[0] = 0;
    return function();
}

/// The back ends on one processor: some calls of the first, some of the next.
std::vector<Outcome> run_in_turns(const Communicator& comm, const LoopShape& shape,
                                  const WorldTables& tables, const std::vector<int>& calls,
                                  int round, std::initializer_list<Backend> backends) {
    constexpr int lines_a_page = 64;
    const int lines = 1 + round * 23 % lines_a_page;
    Turns turns(static_cast<int>(backends.size()), calls_a_turn);
    std::vector<std::future<Outcome>> players;
    for (const Backend backend : backends) {
        const int who = static_cast<int>(players.size());
        players.push_back(std::async(std::launch::async, [&, who, backend] {
            Turns::Player player(turns, who);
            WorldOptions options;
            options.backend = backend;
            options.repetitions_of_loops = calls;
            options.before_repetition = [&] { player.before_call(); };
            return call_deeper(lines, [&] { return run_shape(comm, shape, tables, options); });
        }));
    }
    std::vector<Outcome> outcomes;
    for (std::future<Outcome>& player : players) {
        outcomes.push_back(player.get());
    }
    return outcomes;
}

/// Runs a shape on both back ends in each round and adds a line for each of its loops.
void race_shape(const Communicator& comm, const LoopShape& shape, const WorldTables& tables,
                const RaceFlags& flags, std::vector<Line>& lines) {
    const std::size_t first = lines.size();
    const std::vector<int> calls = calls_of_loops(comm, shape, tables, flags.iterations);
    for (int round = 0; round < flags.repetitions; ++round) {
        const std::vector<Outcome> of = run_in_turns(
            comm, shape, tables, calls, round, {Backend::serial, Backend::openmp, Backend::serial});
        for (std::size_t k = 0; k < of[0].times.size(); ++k) {
            if (round == 0) {
                lines.push_back({shape.name + ": " + of[0].times[k].name, {}, {}, {}, ""});
            }
            Line& line = lines[first + k];
            append_turns(line.serial_s, of[0].times[k].seconds);
            append_turns(line.openmp_s, of[1].times[k].seconds);
            append_turns(line.serial_again_s, of[2].times[k].seconds);
            line.strategy = of[1].strategies[k];
        }
        require_same_bits(shape.name, of[0].results, of[1].results);
    }
}

void print(std::vector<Line> lines) {
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.ratio() > b.ratio(); });
    fmt::print("{:<44} {:<24} {:>11} {:>11} {:>8} {:>8}\n", "shape: loop", "strategy", "serial us",
               "openmp us", "ratio", "control");
    int slower = 0;
    int slower_than_itself = 0;
    for (const Line& line : lines) {
        slower += line.ratio() > 1.05 ? 1 : 0;
        slower_than_itself += line.control() > 1.05 ? 1 : 0;
        fmt::print("{:<44} {:<24} {:>11.1f} {:>11.1f} {:>8.2f} {:>8.2f}\n", line.name,
                   line.strategy, 1e6 * median(line.serial_s), 1e6 * median(line.openmp_s),
                   line.ratio(), line.control());
    }
    fmt::print("{} of {} loops are slower than serial by more than 5 %; serial than itself: {}\n\n",
               slower, lines.size(), slower_than_itself);
}

int run(const Communicator& comm, int argc, char** argv) {
    const RaceFlags flags =
        read_race_flags(argc, argv, "nodes", {.size = 100'000, .repetitions = 3, .iterations = 7});
    for (const Numbering numbering : flags.numberings) {
        const WorldTables tables =
            numbering == Numbering::natural ? grid(flags.size) : shuffled(grid(flags.size));
        std::vector<Line> lines;
        for (const LoopShape& shape : test::all_shapes()) {
            if (!flags.wants(shape.name)) {
                continue;
            }
            try {
                race_shape(comm, shape, tables, flags, lines);
            } catch (const ContractError& error) {  // sums of integers that a small mesh can hold
                if (comm.is_root()) {
                    fmt::print("{} is left out: {}\n", shape.name, error.what());
                }
            }
        }
        if (comm.is_root()) {
            fmt::print("{} nodes, {}\n", tables.sizes.nodes, numbering_name(numbering));
            print(std::move(lines));
        }
    }
    return 0;
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_SERIALIZED, "benchmark_shapes",
                                      halocline::benchmarks::run);
}
