// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop with a root, a choice and a sum, as the user's compiler sees it with its warnings on.
#include "halocline/halocline.hpp"

struct Cell {};

struct Length {
    template <class V>
    void operator()(const halocline::Values<V, 2>& x, halocline::Values<V, 1>& length,
                    halocline::Values<V, 1>& sum) const {
        using halocline::max;
        using halocline::sqrt;
        length[0] = sqrt(max(x[0] * x[0], x[1]));
        sum[0] += length[0];
    }
};

void run_user_loop(halocline::Runtime& runtime, halocline::Mesh& mesh) {
    const auto cells = mesh.set<Cell>("cells");
    const auto x = mesh.take_dat<Cell, double, 2>("x");
    auto length = mesh.make_dat<Cell, double, 1>(cells, "length");
    halocline::Global<double, 1> sum;
    par_loop(runtime.context(), "length", cells, Length{}, read(x), write(length), inc(sum));
}
