// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A set, a value for each of its elements, and a kernel that runs once for each.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

struct Cell {};  // names a kind of element, so that the compiler tells kinds apart

struct ToFahrenheit {
    template <class V>  // a double, or eight of them at once
    HALOCLINE_HD void operator()(const halocline::Values<V, 1>& celsius,
                                 halocline::Values<V, 1>& fahrenheit) const {
        fahrenheit[0] = V(1.8) * celsius[0] + V(32.0);
    }
};

int program(halocline::Runtime& runtime) {
    halocline::MeshDeclaration declaration;
    const int cells = declaration.add_set("cells", 4);
    declaration.add_dat("celsius", cells, 1, runtime.block(std::vector{-40.0, 0.0, 20.0, 100.0}));

    halocline::Mesh mesh = runtime.distribute(std::move(declaration));
    const auto set = mesh.set<Cell>("cells");
    const auto celsius = mesh.take_dat<Cell, double, 1>("celsius");
    auto fahrenheit = mesh.make_dat<Cell, double, 1>(set, "fahrenheit");

    par_loop(runtime.context(), "to_fahrenheit", set, ToFahrenheit{}, read(celsius),
             write(fahrenheit));

    const std::vector<double> result = runtime.gather(fahrenheit);
    for (std::size_t i = 0; i < result.size() && runtime.comm().is_root(); ++i) {
        std::printf("cell %zu: %g F\n", i, result[i]);
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
