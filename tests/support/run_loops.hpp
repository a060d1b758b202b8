// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops of tests, timed where their world asks for it.
#pragma once

#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

template <class Tag, class... Loops>
void run_loops(LoopWorld& world, LoopName name, Set<Tag> set, const Loops&... loops) {
    world.run(name, [&] { run_chain(world.context(), name, set, loops...); });
}

/// Over a set or a subset.
template <class SetT, class Kernel, class... Args>
void run_loop(LoopWorld& world, LoopName name, SetT set, Kernel kernel, Args... args) {
    const auto loop = make_loop(name, set, std::move(kernel), args...);
    world.run(name, [&] { par_loop(world.context(), loop); });
}

}  // namespace halocline::test
