// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: a whole flow on four sets, and its state in an HDF5 file from which it goes on.
#include <cstdio>
#include <string_view>
#include <utility>

#include "halocline/halocline.hpp"
#include "kernels.hpp"
#include "mesh.hpp"

struct Node {};
struct Cell {};
struct Edge {};
struct Bedge {};

int program(halocline::Runtime& runtime, int argc, char** argv) {
    halocline::Mesh mesh = runtime.distribute(declare_channel(runtime, 24));
    const auto cells = mesh.set<Cell>("cells");
    const auto edges = mesh.set<Edge>("edges");
    const auto bedges = mesh.set<Bedge>("bedges");
    const auto pedge = mesh.map<Edge, Node, 2>("pedge");
    const auto pecell = mesh.map<Edge, Cell, 2>("pecell");
    const auto pbedge = mesh.map<Bedge, Node, 2>("pbedge");
    const auto pbecell = mesh.map<Bedge, Cell, 1>("pbecell");
    const auto pcell = mesh.map<Cell, Node, 4>("pcell");
    const auto x = mesh.take_dat<Node, double, 2>("x");
    const auto wall = mesh.take_dat<Bedge, double, 1>("wall");
    auto q = mesh.make_dat<Cell, double, 4>(cells, "q");
    auto qold = mesh.make_dat<Cell, double, 4>(cells, "qold");
    auto res = mesh.make_dat<Cell, double, 4>(cells, "res");
    auto adt = mesh.make_dat<Cell, double, 1>(cells, "adt");
    halocline::Global<double, 1> rms;

    halocline::Context& context = runtime.context();
    const auto iterate = [&] {
        par_loop(context, "save_soln", cells, airfoil::SaveSoln{}, read(q), write(qold));
        rms.set({{0.0}});
        for (int stage = 0; stage < 2; ++stage) {
            par_loop(context, "adt_calc", cells, airfoil::AdtCalc{}, read<0>(x, pcell),
                     read<1>(x, pcell), read<2>(x, pcell), read<3>(x, pcell), read(q), write(adt));
            par_loop(context, "res_calc", edges, airfoil::ResCalc{}, read<0>(x, pedge),
                     read<1>(x, pedge), read<0>(q, pecell), read<1>(q, pecell),
                     read<0>(adt, pecell), read<1>(adt, pecell), inc<0>(res, pecell),
                     inc<1>(res, pecell));
            par_loop(context, "bres_calc", bedges, airfoil::BresCalc{}, read<0>(x, pbedge),
                     read<1>(x, pbedge), read<0>(q, pbecell), read<0>(adt, pbecell), read(wall),
                     inc<0>(res, pbecell));
            par_loop(context, "update", cells, airfoil::Update{}, read(qold), write(q),
                     read_write(res), read(adt), inc(rms));
        }
    };
    const auto run = [&](int first, int last) {
        for (int iteration = first; iteration <= last; ++iteration) {
            iterate();
        }
        if (runtime.comm().is_root()) {
            std::printf("iteration %3d: squared changes %.15g\n", last, rms[0]);
        }
    };

    q.fill({{airfoil::far[0], airfoil::far[1], airfoil::far[2], airfoil::far[3]}});
    run(1, 50);
    const char* file =
        "airfoil.h5";  // rows in the order of the declaration, on any number of ranks
    write_fields(runtime.comm(), file, {q});
    run(51, 100);
    read_fields(runtime.comm(), file, {q});
    run(51, 100);
    if (argc > 1 && std::string_view(argv[1]) == "--times") {
        runtime.print_report();
        runtime.print_loops();
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
