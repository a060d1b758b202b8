// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD as one writes it down first: arrays and loops, one core, no library but for reading the mesh.
//
//   benchmark_plain_mgcfd -d DIRECTORY -g CYCLES
//
// The yardstick for `mgcfd`, and a second opinion on its results: it shares no kernel with it and
// follows docs/theory/mgcfd.md formula by formula. It computes what a formula names where the formula
// names it, as MG-CFD itself does, and leaves the rest to the compiler.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/io/mesh_reader.hpp"

namespace {

using halocline::Communicator;
using State = std::array<double, 5>;
using Vector = std::array<double, 3>;

constexpr double gamma_ratio = 1.4;
constexpr double smoothing = static_cast<double>(0.2F);
constexpr double damping = 1e-7;
constexpr int stages = 3;

double length(const Vector& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

struct Edge {
    int a;
    int b;
    Vector weight;
};

struct Boundary {
    int node;
    int group;
    Vector weight;
};

struct Level {
    std::vector<State> u;
    std::vector<State> start;
    std::vector<State> change;
    std::vector<State> flux;
    std::vector<Vector> x;
    std::vector<double> volume;
    std::vector<double> step;
    std::vector<Edge> edges;
    std::vector<Boundary> boundary;
    std::vector<int> parent;
};

/// Section 4: what a state says at a point.
struct Point {
    Vector velocity;
    double speed;
    double pressure;
    double sound;

    explicit Point(const State& u)
        : velocity{u[1] / u[0], u[2] / u[0], u[3] / u[0]},
          speed(length(velocity)),
          pressure((gamma_ratio - 1.0) * (u[4] - 0.5 * u[0] * speed * speed)),
          sound(std::sqrt(gamma_ratio * pressure / u[0])) {}
};

/// Section 4: w . F(U).
State flux_through(const State& u, const Point& at, const Vector& w) {
    const double volume = w[0] * at.velocity[0] + w[1] * at.velocity[1] + w[2] * at.velocity[2];
    return {volume * u[0], volume * u[1] + w[0] * at.pressure, volume * u[2] + w[1] * at.pressure,
            volume * u[3] + w[2] * at.pressure, volume * (u[4] + at.pressure)};
}

State free_stream() {
    const double density = 1.4;
    const double velocity = 1.2 * std::sqrt(gamma_ratio * 1.0 / density);
    return {density, density * velocity, 0.0, 0.0,
            density * 0.5 * velocity * velocity + 1.0 / (gamma_ratio - 1.0)};
}

/// Section 5: volumes, and weights along the edges.
void prepare(Level& level) {
    level.volume.assign(level.x.size(), 0.0);
    for (Edge& edge : level.edges) {
        const Vector& xa = level.x[static_cast<std::size_t>(edge.a)];
        const Vector& xb = level.x[static_cast<std::size_t>(edge.b)];
        const Vector d{xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2]};
        const double distance = length(d);
        const double area = length(edge.weight);
        const double share = 1.0 / 3.0 * 0.5 * distance * area;
        level.volume[static_cast<std::size_t>(edge.a)] += share;
        level.volume[static_cast<std::size_t>(edge.b)] += share;
        for (std::size_t i = 0; i < 3; ++i) {
            edge.weight[i] = d[i] / distance * area / distance * damping;
        }
    }
    for (Boundary& entry : level.boundary) {
        for (double& w : entry.weight) {
            w *= damping;
        }
    }
}

void find_step(Level& level) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < level.u.size(); ++i) {
        const Point at(level.u[i]);
        smallest = std::min(smallest, 0.5 * std::cbrt(level.volume[i]) / (at.speed + at.sound));
    }
    for (std::size_t i = 0; i < level.u.size(); ++i) {
        level.step[i] = smallest / level.volume[i];
    }
}

/// Section 7.1.
void add_edge_fluxes(Level& level) {
    for (const Edge& edge : level.edges) {
        const State& ua = level.u[static_cast<std::size_t>(edge.a)];
        const State& ub = level.u[static_cast<std::size_t>(edge.b)];
        const Point a(ua);
        const Point b(ub);
        const double kappa =
            -0.5 * smoothing * length(edge.weight) * (a.speed + a.sound + b.speed + b.sound);
        const State through_a = flux_through(ua, a, edge.weight);
        const State through_b = flux_through(ub, b, edge.weight);
        State& fa = level.flux[static_cast<std::size_t>(edge.a)];
        State& fb = level.flux[static_cast<std::size_t>(edge.b)];
        for (std::size_t i = 0; i < 5; ++i) {
            const double phi = kappa * (ua[i] - ub[i]) - 0.5 * (through_a[i] + through_b[i]);
            fa[i] += phi;
            fb[i] -= phi;
        }
    }
}

/// Section 7.2.
void add_boundary_fluxes(Level& level, const State& outside) {
    Point far(outside);
    far.pressure = 1.0;  // exactly
    for (const Boundary& entry : level.boundary) {
        const State& u = level.u[static_cast<std::size_t>(entry.node)];
        const Point at(u);
        State& f = level.flux[static_cast<std::size_t>(entry.node)];
        if (entry.group <= 2) {
            for (std::size_t i = 0; i < 3; ++i) {
                f[i + 1] += entry.weight[i] * at.pressure;
            }
        } else if (entry.group <= 7) {
            const State coming = flux_through(outside, far, entry.weight);
            const State going = flux_through(u, at, entry.weight);
            for (std::size_t i = 0; i < 5; ++i) {
                f[i] += 0.5 * (coming[i] + going[i]);
            }
        }
    }
}

/// Section 6. Returns the sum of R^2.
double visit(Level& level, const State& outside) {
    level.start = level.u;
    find_step(level);
    for (int k = 0; k < stages; ++k) {
        std::fill(level.flux.begin(), level.flux.end(), State{});
        add_edge_fluxes(level);
        add_boundary_fluxes(level, outside);
        for (std::size_t i = 0; i < level.u.size(); ++i) {
            const double factor = level.step[i] / (stages + 1 - k);
            for (std::size_t v = 0; v < 5; ++v) {
                const double next = level.start[i][v] + factor * level.flux[i][v];
                const bool is_momentum = v >= 1 && v <= 3;
                level.u[i][v] = is_momentum && std::fabs(next) < 1e-130 ? 0.0 : next;
            }
        }
    }
    double squares = 0.0;
    for (std::size_t i = 0; i < level.u.size(); ++i) {
        for (std::size_t v = 0; v < 5; ++v) {
            level.change[i][v] = level.u[i][v] - level.start[i][v];
            squares += level.change[i][v] * level.change[i][v];
        }
    }
    return squares;
}

/// Section 8, up.
void restrict_state(const Level& fine, Level& coarse) {
    std::vector<int> children(coarse.u.size(), 0);
    std::vector<State> sum(coarse.u.size(), State{});
    for (std::size_t i = 0; i < fine.u.size(); ++i) {
        const auto p = static_cast<std::size_t>(fine.parent[i]);
        ++children[p];
        for (std::size_t v = 0; v < 5; ++v) {
            sum[p][v] += fine.u[i][v];
        }
    }
    for (std::size_t c = 0; c < coarse.u.size(); ++c) {
        for (std::size_t v = 0; v < 5 && children[c] > 0; ++v) {
            coarse.u[c][v] = sum[c][v] * (1.0 / children[c]);
        }
    }
}

/// Section 8, down.
void correct(Level& fine, const Level& coarse) {
    for (std::size_t i = 0; i < fine.u.size(); ++i) {
        const auto p = static_cast<std::size_t>(fine.parent[i]);
        const Vector d{std::fabs(fine.x[i][0] - coarse.x[p][0]),
                       std::fabs(fine.x[i][1] - coarse.x[p][1]),
                       std::fabs(fine.x[i][2] - coarse.x[p][2])};
        const double distance = length(d);
        const State scale{distance, d[0], d[1], d[2], distance};
        for (std::size_t v = 0; v < 5; ++v) {
            fine.u[i][v] -= scale[v] * (coarse.change[p][v] - fine.change[i][v]);
        }
    }
}

/// Section 9. Returns the rms of level 0.
double run_cycle(std::vector<Level>& levels, const State& outside) {
    const std::size_t coarsest = levels.size() - 1;
    double squares = 0.0;
    for (std::size_t l = 0; l <= coarsest; ++l) {
        const double sum = visit(levels[l], outside);
        squares = l == 0 ? sum : squares;
        if (l < coarsest) {
            restrict_state(levels[l], levels[l + 1]);
        }
    }
    for (std::size_t l = coarsest; l-- > 0;) {
        correct(levels[l], levels[l + 1]);
        if (l > 0) {
            visit(levels[l], outside);
        }
    }
    return std::sqrt(squares / static_cast<double>(levels[0].u.size()));
}

template <class T>
std::vector<T> rows_of(const halocline::MeshDeclaration& mesh, int dat) {
    const std::vector<double>& values = mesh.dats[static_cast<std::size_t>(dat)].doubles();
    constexpr std::size_t dim = std::tuple_size_v<T>;
    std::vector<T> rows(values.size() / dim);
    for (std::size_t i = 0; i < values.size(); ++i) {
        rows[i / dim][i % dim] = values[i];
    }
    return rows;
}

Level take_level(const halocline::MeshDeclaration& mesh, const halocline::MgcfdLevel& from,
                 const State& outside) {
    const auto targets = [&](int map) { return mesh.maps[static_cast<std::size_t>(map)].targets; };
    Level level;
    level.x = rows_of<Vector>(mesh, from.coordinates);
    for (auto* states : {&level.u, &level.start, &level.change, &level.flux}) {
        states->assign(level.x.size(), outside);
    }
    level.step.resize(level.x.size());
    const std::vector<Vector> weights = rows_of<Vector>(mesh, from.edge_weights);
    const auto ends = targets(from.edge_nodes);
    for (std::size_t e = 0; e < weights.size(); ++e) {
        level.edges.push_back(
            {static_cast<int>(ends[2 * e]), static_cast<int>(ends[2 * e + 1]), weights[e]});
    }
    const std::vector<Vector> walls = rows_of<Vector>(mesh, from.boundary_weights);
    const auto nodes = targets(from.boundary_node);
    const auto groups = rows_of<std::array<double, 1>>(mesh, from.boundary_group);
    for (std::size_t e = 0; e < walls.size(); ++e) {
        level.boundary.push_back(
            {static_cast<int>(nodes[e]), static_cast<int>(groups[e][0]), walls[e]});
    }
    if (from.parent >= 0) {
        for (const auto parent : targets(from.parent)) {
            level.parent.push_back(static_cast<int>(parent));
        }
    }
    prepare(level);
    return level;
}

int run(const Communicator& comm, const std::string& directory, int cycles) {
    const State outside = free_stream();
    std::vector<Level> levels;
    {
        const auto input = halocline::read_mgcfd_input(comm, directory + "/input.dat");
        const auto mesh = halocline::read_mgcfd_mesh(comm, input, directory, {});
        for (const auto& level : mesh.levels) {
            levels.push_back(take_level(mesh.declaration, level, outside));
        }
    }
    const double start_s = halocline::wall_seconds();
    double rms = 0.0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        rms = run_cycle(levels, outside);
    }
    std::printf("rms of cycle %d = %.17g\n", cycles, rms);
    std::printf("Max total runtime = %.6f\n", halocline::wall_seconds() - start_s);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const auto program = [](const Communicator& comm, int count, char** words) {
        std::string directory = ".";
        int cycles = 25;
        for (int i = 1; i + 1 < count; i += 2) {
            const std::string flag = words[i];
            if (flag == "-d") {
                directory = words[i + 1];
            } else if (flag == "-g") {
                cycles = std::atoi(words[i + 1]);
            } else {
                throw halocline::UsageError("unknown flag '" + flag + "'. Flags are -d and -g.");
            }
        }
        return run(comm, directory, cycles);
    };
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_plain_mgcfd",
                                      program);
}
