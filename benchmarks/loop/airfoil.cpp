// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// OP2's airfoil, ported loop by loop, against plain loops: a two-dimensional inviscid flow, cell-centred.
//   benchmark_airfoil [--cells=N] [flags of race.hpp]
// The kernels increment both cells of an edge and promise nothing about symmetry, as they were.
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "airfoil_gas.hpp"
#include "airfoil_mesh.hpp"
#include "airfoil_plain.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "race.hpp"
#include "variants.hpp"

namespace halocline::benchmarks {
namespace {

using airfoil::cfl;
using airfoil::eps;
using airfoil::gam;
using airfoil::gm1;

struct Node {};
struct Cell {};
struct Edge {};
struct Bedge {};

struct SaveSoln {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 4>& q, Values<V, 4>& qold) const {
        qold = q;
    }
};

/// |u . n| + c |n| of one side of a cell.
template <class V>
HALOCLINE_HD V wave_speed(const Values<V, 2>& a, const Values<V, 2>& b, V u, V v, V c) {
    const V dx = b[0] - a[0];
    const V dy = b[1] - a[1];
    return abs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

/// Area over time step of a cell.
struct AdtCalc {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 2>& x3, const Values<V, 2>& x4,
                                 const Values<V, 4>& q, Values<V, 1>& adt) const {
        const V ri = V(1.0) / q[0];
        const V u = ri * q[1];
        const V v = ri * q[2];
        const V c = sqrt(V(gam * gm1) * (ri * q[3] - V(0.5) * (u * u + v * v)));
        V sum = wave_speed(x1, x2, u, v, c);
        sum += wave_speed(x2, x3, u, v, c);
        sum += wave_speed(x3, x4, u, v, c);
        sum += wave_speed(x4, x1, u, v, c);
        adt[0] = sum * V(1.0 / cfl);
    }
};

template <class V>
HALOCLINE_HD V pressure(const Values<V, 4>& q, V ri) {
    return V(gm1) * (q[3] - V(0.5) * ri * (q[1] * q[1] + q[2] * q[2]));
}

/// Mean flux of two states through the face n = (dy, -dx), and `mu` times their difference.
template <class V>
HALOCLINE_HD Values<V, 4> face_flux(V dx, V dy, const Values<V, 4>& a, const Values<V, 4>& b,
                                    V mu) {
    const V ria = V(1.0) / a[0];
    const V pa = pressure(a, ria);
    const V vola = ria * (a[1] * dy - a[2] * dx);
    const V rib = V(1.0) / b[0];
    const V pb = pressure(b, rib);
    const V volb = rib * (b[1] * dy - b[2] * dx);
    const V half(0.5);
    return {{half * (vola * a[0] + volb * b[0]) + mu * (a[0] - b[0]),
             half * (vola * a[1] + pa * dy + volb * b[1] + pb * dy) + mu * (a[1] - b[1]),
             half * (vola * a[2] - pa * dx + volb * b[2] - pb * dx) + mu * (a[2] - b[2]),
             half * (vola * (a[3] + pa) + volb * (b[3] + pb)) + mu * (a[3] - b[3])}};
}

struct ResCalc {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 4>& q1, const Values<V, 4>& q2,
                                 const Values<V, 1>& adt1, const Values<V, 1>& adt2,
                                 Values<V, 4>& res1, Values<V, 4>& res2) const {
        const V mu = V(0.5) * (adt1[0] + adt2[0]) * V(eps);
        const Values<V, 4> flux = face_flux(x1[0] - x2[0], x1[1] - x2[1], q1, q2, mu);
        for (int d = 0; d < 4; ++d) {
            res1[d] += flux[d];
            res2[d] -= flux[d];
        }
    }
};

/// A wall has its pressure only; elsewhere the flow far away lies behind the face.
struct BresCalc {
    std::array<double, 4> far;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& x1, const Values<V, 2>& x2,
                                 const Values<V, 4>& q, const Values<V, 1>& adt,
                                 const Values<V, 1>& bound, Values<V, 4>& res) const {
        const V dx = x1[0] - x2[0];
        const V dy = x1[1] - x2[1];
        const V p = pressure(q, V(1.0) / q[0]);
        const Values<V, 4> wall{{V(0.0), p * dy, -(p * dx), V(0.0)}};
        const Values<V, 4> outside{{V(far[0]), V(far[1]), V(far[2]), V(far[3])}};
        const Values<V, 4> open = face_flux(dx, dy, q, outside, adt[0] * V(eps));
        for (int d = 0; d < 4; ++d) {
            res[d] += select(bound[0] > V(0.5), wall[d], open[d]);
        }
    }
};

struct Update {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 4>& qold, Values<V, 4>& q, Values<V, 4>& res,
                                 const Values<V, 1>& adt, Values<V, 1>& rms) const {
        const V adti = V(1.0) / adt[0];
        V sum(0.0);
        for (int d = 0; d < 4; ++d) {
            const V del = adti * res[d];
            q[d] = qold[d] - del;
            res[d] = V(0.0);
            sum += del * del;
        }
        rms[0] += sum;
    }
};

MeshDeclaration declare(const Runtime& runtime, const AirfoilMesh& mesh) {
    MeshDeclaration declaration;
    const int nodes = declaration.add_set("nodes", mesh.nodes);
    const int cells = declaration.add_set("cells", mesh.cells);
    const int edges = declaration.add_set("edges", mesh.edges);
    const int bedges = declaration.add_set("bedges", mesh.bedges);
    declaration.add_map("pedge", edges, nodes, 2, runtime.block(mesh.pedge, 2));
    declaration.add_map("pecell", edges, cells, 2, runtime.block(mesh.pecell, 2));
    declaration.add_map("pbedge", bedges, nodes, 2, runtime.block(mesh.pbedge, 2));
    declaration.add_map("pbecell", bedges, cells, 1, runtime.block(mesh.pbecell));
    declaration.add_map("pcell", cells, nodes, 4, runtime.block(mesh.pcell, 4));
    declaration.add_dat("x", nodes, 2, runtime.block(mesh.x, 2));
    declaration.add_dat("bound", bedges, 1, runtime.block(mesh.bound));
    return declaration;
}

class Airfoil {
public:
    Airfoil(const Communicator& comm, const ContextOptions& options, const AirfoilMesh& whole,
            Order order)
        : runtime_(comm, options), mesh_(distributed(runtime_, declare(runtime_, whole), order)) {
        const std::array<double, 4> far = airfoil::far_state();
        q_.fill({{far[0], far[1], far[2], far[3]}});
    }

    /// Waits for a device, too.
    void iterate(int iterations) {
        for (int i = 0; i < iterations; ++i) {
            iteration_.run();
        }
        static_cast<void>(changes());
    }
    void print_loops() { runtime_.print_loops(); }

    /// (cell, 4) by global index, on every rank.
    [[nodiscard]] std::vector<double> state() const { return runtime_.gather(q_); }
    [[nodiscard]] double changes() const { return rms_[0]; }

private:
    void iterate() {
        Context& context = runtime_.context();
        par_loop(context, "save_soln", cells_, SaveSoln{}, read(q_), write(qold_));
        rms_.set({{0.0}});
        for (int stage = 0; stage < 2; ++stage) {
            par_loop(context, "adt_calc", cells_, AdtCalc{}, read<0>(x_, pcell_),
                     read<1>(x_, pcell_), read<2>(x_, pcell_), read<3>(x_, pcell_), read(q_),
                     write(adt_));
            par_loop(context, "res_calc", edges_, ResCalc{}, read<0>(x_, pedge_),
                     read<1>(x_, pedge_), read<0>(q_, pecell_), read<1>(q_, pecell_),
                     read<0>(adt_, pecell_), read<1>(adt_, pecell_), inc<0>(res_, pecell_),
                     inc<1>(res_, pecell_));
            par_loop(context, "bres_calc", bedges_, BresCalc{airfoil::far_state()},
                     read<0>(x_, pbedge_), read<1>(x_, pbedge_), read<0>(q_, pbecell_),
                     read<0>(adt_, pbecell_), read(bound_), inc<0>(res_, pbecell_));
            par_loop(context, "update", cells_, Update{}, read(qold_), write(q_), read_write(res_),
                     read(adt_), inc(rms_));
        }
    }

    Runtime runtime_;
    Mesh mesh_;
    Set<Cell> cells_{mesh_.set<Cell>("cells")};
    Set<Edge> edges_{mesh_.set<Edge>("edges")};
    Set<Bedge> bedges_{mesh_.set<Bedge>("bedges")};
    Map<Edge, Node, 2> pedge_{mesh_.map<Edge, Node, 2>("pedge")};
    Map<Edge, Cell, 2> pecell_{mesh_.map<Edge, Cell, 2>("pecell")};
    Map<Bedge, Node, 2> pbedge_{mesh_.map<Bedge, Node, 2>("pbedge")};
    Map<Bedge, Cell, 1> pbecell_{mesh_.map<Bedge, Cell, 1>("pbecell")};
    Map<Cell, Node, 4> pcell_{mesh_.map<Cell, Node, 4>("pcell")};
    Dat<Node, double, 2> x_{mesh_.take_dat<Node, double, 2>("x")};
    Dat<Bedge, double, 1> bound_{mesh_.take_dat<Bedge, double, 1>("bound")};
    Dat<Cell, double, 4> q_{mesh_.make_dat<Cell, double, 4>(cells_, "q")};
    Dat<Cell, double, 4> qold_{mesh_.make_dat<Cell, double, 4>(cells_, "qold")};
    Dat<Cell, double, 4> res_{mesh_.make_dat<Cell, double, 4>(cells_, "res")};
    Dat<Cell, double, 1> adt_{mesh_.make_dat<Cell, double, 1>(cells_, "adt")};
    Global<double, 1> rms_;
    RepeatedLoops iteration_ = runtime_.repeat([this] { iterate(); });
};

/// The plain loops and all variants on one mesh.
class Subjects {
public:
    Subjects(const Communicator& comm, const RaceFlags& flags, Numbering numbering)
        : comm_(comm),
          numbering_(numbering),
          mesh_(make_airfoil_mesh(flags.size, numbering)),
          plain_(mesh_) {
        for (Variant& variant : variants(flags.threads)) {
            if (flags.wants(variant.name)) {
                ports_.push_back(
                    std::make_unique<Airfoil>(comm, variant.options, mesh_, variant.order));
                variants_.push_back(std::move(variant));
            }
        }
        title_ = std::string("airfoil, ") + numbering_name(numbering) + ", " +
                 std::to_string(mesh_.cells) + " cells";
    }

    /// All results have the same bits, those of the plain loops included: the order in which a cell
    /// gets its increments is the same. The sum of the changes is exact here and added up there.
    void require_agreement(const char* when) {
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            const std::string what = title_ + ", " + variants_[i].name + ", " + when;
            require_same_bits(what, plain_.state(), ports_[i]->state());
            require_same_bits(what + ", rms", {ports_.front()->changes()}, {ports_[i]->changes()});
            const double cells = static_cast<double>(mesh_.cells);
            validate<DiffersError>(
                relative_difference({plain_.changes()}, {ports_[i]->changes()}) <=
                    2.0 * cells * 1.2e-16,  // one rounding a term
                what + ": the sum of the changes is not that of the plain loops.");
        }
        validate<DiffersError>(plain_.changes() > 0.0, title_ + ": nothing changed.");
    }

    [[nodiscard]] Race race(int iterations) {
        const double work = static_cast<double>(mesh_.cells) * iterations;
        Race race(comm_, numbering_, title_, "ns a cell and iteration", 1e-9 * work);
        race.add({"plain", {}, {}, [this, iterations] {
                      for (int i = 0; i < iterations; ++i) {
                          plain_.iterate();
                      }
                  }});
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            race.add({variants_[i].name,
                      {"plain", variants_[i].one_thread},
                      {},
                      [port = ports_[i].get(), iterations] { port->iterate(iterations); }});
        }
        return race;
    }

    /// Where the time went on devices: GB/s of each loop by counted bytes.
    void print_device_loops() {
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            if (is_device(variants_[i].options.backend.value_or(Backend::openmp))) {
                ports_[i]->print_loops();
            }
        }
    }

private:
    Communicator comm_;
    Numbering numbering_;
    AirfoilMesh mesh_;
    PlainAirfoil plain_;
    std::string title_;
    std::vector<Variant> variants_;
    std::vector<std::unique_ptr<Airfoil>> ports_;
};

int run(const Communicator& comm, int argc, char** argv) {
    const RaceFlags flags = read_race_flags(argc, argv, "cells", {.size = 2'000'000});
    std::vector<std::string> races;
    for (const Numbering numbering : flags.numberings) {
        Subjects subjects(comm, flags, numbering);
        Race race = subjects.race(flags.iterations);
        race.warm_up();
        subjects.require_agreement("before the clock runs");
        race.run(flags.repetitions);
        subjects.require_agreement("after all repetitions");
        race.print();
        subjects.print_device_loops();
        races.push_back(race.json());
    }
    write_json(comm, flags.json, races);
    return 0;
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_airfoil",
                                      halocline::benchmarks::run);
}
