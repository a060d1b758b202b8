// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Prints hierarchies as text, for galerkin_oracle.py: sets, maps and dats of every level, line by line.
#include <cstdio>
#include <string>

#include "halocline/linalg/hierarchy.hpp"
#include "support/poisson.hpp"

namespace {

using namespace halocline;

template <class T>
void print_row(const std::string& name, const std::vector<T>& values) {
    std::printf("%s", name.c_str());
    for (const T value : values) {
        std::printf(" %.17g", static_cast<double>(value));
    }
    std::printf("\n");
}

void print_levels(const std::string& title, const test::WholeOperator& whole, int pairings) {
    const Communicator comm(MPI_COMM_SELF);
    test::DeclaredProblem problem = test::declare(comm, whole);
    linalg::HierarchyOptions options;
    options.storage = "double";
    options.coarsest = 10;
    options.pairings = pairings;
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(comm, problem.mesh, problem.op, options);
    std::printf("hierarchy %s %d %zu %lld\n", title.c_str(), pairings, hierarchy.levels.size(),
                static_cast<long long>(hierarchy.parts));
    for (const SetDeclaration& set : problem.mesh.sets) {
        std::printf("set:%s %lld\n", set.name.c_str(), static_cast<long long>(set.size));
    }
    for (const MapDeclaration& map : problem.mesh.maps) {
        print_row("map:" + map.name, map.targets);
    }
    for (const DatDeclaration& dat : problem.mesh.dats) {
        print_row("dat:" + dat.name, dat.doubles());
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    test::WholeOperator tangle = test::tangle(500, 5);
    test::WholeOperator shifted = tangle;
    for (GlobalIndex a = 0; a < shifted.nodes; ++a) {
        shifted.diagonal.push_back(test::chance(static_cast<std::uint64_t>(a)));
    }
    test::WholeOperator negative = test::grid(29, 31, 0.7);
    for (std::size_t e = 0; e < negative.weights.size(); e += 17) {
        negative.weights[e] *= -0.1;
    }
    for (const int pairings : {1, 3}) {
        print_levels("grid", test::grid(37, 23), pairings);
        print_levels("irregular", test::grid(29, 31, 0.7), pairings);
        print_levels("negative", negative, pairings);
        print_levels("tangle", tangle, pairings);
        print_levels("shifted", shifted, pairings);
    }
    MPI_Finalize();
    return 0;
}
