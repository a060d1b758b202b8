// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: globals. A sum that is exact, whatever the order of its terms, and a minimum.
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::min;  // for doubles; packs bring their own
using halocline::Values;

struct Account {};

struct Total {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& amount, Values<V, 1>& sum,
                                 Values<V, 1>& smallest) const {
        sum[0] += amount[0];
        smallest[0] = min(smallest[0], amount[0]);
    }
};

int program(halocline::Runtime& runtime) {
    const std::vector<double> amounts{1e16, 1.0, -1e16, 3.0, 0.5};
    halocline::MeshDeclaration declaration;
    const int set = declaration.add_set("accounts", 5);
    declaration.add_dat("amount", set, 1, runtime.block(amounts));

    halocline::Mesh mesh = runtime.distribute(std::move(declaration));
    const auto amount = mesh.take_dat<Account, double, 1>("amount");
    halocline::Global<double, 1> sum;  // starts at 0
    halocline::Global<double, 1> smallest{{std::numeric_limits<double>::infinity()}};

    par_loop(runtime.context(), "total", mesh.set<Account>("accounts"), Total{}, read(amount),
             inc(sum), reduce_min(smallest));

    if (runtime.comm().is_root()) {
        const double one_by_one = std::accumulate(amounts.begin(), amounts.end(), 0.0);
        std::printf("added one by one: %g (1e16 + 1 is 1e16 in double precision)\n", one_by_one);
        std::printf("the loop's sum:   %g\n", sum[0]);
        std::printf("the smallest:     %g\n", smallest[0]);
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
