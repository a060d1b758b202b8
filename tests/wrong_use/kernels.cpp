// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that do not take what their loop gives. Each WRONG_USE fails to compile, with one reason.
#include "halocline/halocline.hpp"

using halocline::Values;

struct Node {};

#if WRONG_USE == 1  // two values where the dat has one
struct Kernel {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 1>& to) const {
        to[0] = from[0] + from[1];
    }
};
#elif WRONG_USE == 2  // changes what is read
struct Kernel {
    template <class V>
    void operator()(Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] = from[0];
    }
};
#elif WRONG_USE == 3  // an argument is missing
struct Kernel {
    template <class V>
    void operator()(Values<V, 1>& to) const {
        to[0] = V(0.0);
    }
};
#elif WRONG_USE == 4  // for doubles only
struct Kernel {
    void operator()(const Values<double, 1>& from, Values<double, 1>& to) const { to[0] = from[0]; }
};
#endif

void loop(halocline::Runtime& runtime, halocline::Set<Node> nodes,
          const halocline::Dat<Node, double, 1>& from, halocline::Dat<Node, double, 1>& to) {
    par_loop(runtime.context(), "loop", nodes, Kernel{}, read(from), write(to));
}
