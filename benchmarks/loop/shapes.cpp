// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every loop shape that is tested, on the openmp back end with one thread and on the serial one, on a
// grid of squares: which shapes lose, and by how much.
//   benchmark_shapes [--nodes=N] [flags of race.hpp]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "numbering.hpp"
#include "race.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::benchmarks {
namespace {

using test::LoopShape;
using test::LoopTime;
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

/// A loop of a shape: seconds by round.
struct Line {
    std::string name;
    std::vector<double> serial_s;
    std::vector<double> openmp_s;
    std::string strategy;

    [[nodiscard]] double ratio() const {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < serial_s.size(); ++round) {
            ratios.push_back(openmp_s[round] / serial_s[round]);
        }
        return median(ratios);
    }
};

/// How a loop ran last; "by element" where packs lost.
std::string told(const LoopStatistics& row) {
    return row.strategy + (row.reason.starts_with("element by element") ? ", by element" : "");
}

/// Runs a shape on both back ends in each round and adds a line for each of its loops.
void race_shape(const Communicator& comm, const LoopShape& shape, const WorldTables& tables,
                const RaceFlags& flags, std::vector<Line>& lines) {
    const std::size_t first = lines.size();
    for (int round = 0; round < flags.repetitions; ++round) {
        std::vector<double> results[2];
        for (const Backend backend : {Backend::serial, Backend::openmp}) {
            const bool is_serial = backend == Backend::serial;
            WorldOptions options;
            options.backend = backend;
            options.repetitions = flags.iterations;
            LoopWorld world(comm, tables, options);
            results[is_serial ? 0 : 1] = shape.run(world);
            const std::vector<LoopTime>& times = world.times();
            if (round == 0 && is_serial) {
                for (const LoopTime& time : times) {
                    lines.push_back({shape.name + ": " + time.name, {}, {}, ""});
                }
            }
            for (std::size_t k = 0; k < times.size(); ++k) {
                Line& line = lines[first + k];
                (is_serial ? line.serial_s : line.openmp_s).push_back(times[k].seconds);
                if (!is_serial) {
                    line.strategy = told(world.context().loops().row(times[k].name.c_str()));
                }
            }
        }
        require_same_bits(shape.name, results[0], results[1]);
    }
}

void print(std::vector<Line> lines) {
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.ratio() > b.ratio(); });
    fmt::print("{:<44} {:<24} {:>11} {:>11} {:>8}\n", "shape: loop", "strategy", "serial us",
               "openmp us", "ratio");
    int slower = 0;
    for (const Line& line : lines) {
        slower += line.ratio() > 1.05 ? 1 : 0;
        fmt::print("{:<44} {:<24} {:>11.1f} {:>11.1f} {:>8.2f}\n", line.name, line.strategy,
                   1e6 * median(line.serial_s), 1e6 * median(line.openmp_s), line.ratio());
    }
    fmt::print("{} of {} loops are slower than serial by more than 5 %\n\n", slower, lines.size());
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
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_shapes",
                                      halocline::benchmarks::run);
}
