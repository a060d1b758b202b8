// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where par_loop and run_chain leave for the device: by the type of the loops, looked up at run time.
#pragma once

#include <tuple>
#include <typeinfo>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/executor.hpp"
#include "halocline/loop/chain.hpp"

namespace halocline::device {

/// Names a combination of loops.
template <class Tag, class... Loops>
struct ChainKey {};
struct NoSet {};

/// Runs loops on the device; false when they have no form there.
template <class Tag, class... Loops>
bool run_on_device(Context& context, const LoopName& name, Set<Tag> set, const Loops&... loops) {
    const Program* program = context.device()->find(typeid(ChainKey<Tag, Loops...>));
    const std::tuple<const Loops*...> pointers(&loops...);
    return program != nullptr && (*program)(context, name, set.part, &pointers);
}

template <class Kernel, class... Args>
bool run_on_device(Context& context, const GlobalUpdate<Kernel, Args...>& update) {
    const Program* program =
        context.device()->find(typeid(ChainKey<NoSet, GlobalUpdate<Kernel, Args...>>));
    return program != nullptr && (*program)(context, update.name, nullptr, &update);
}

/// Before a loop runs on the host: what it looks at is current there.
template <class Arg>
void bring_to_host(const Arg& arg) {
    if constexpr (Arg::is_global) {
        arg.home->fetch(arg.value->v, Arg::size);
    } else {
        arg.store->fetch();
    }
}

/// After it: globals it changed are old on the device. Dats are noted by `mark_written`.
template <class Arg>
void leave_on_host(const Arg& arg) {
    if constexpr (Arg::is_global && Arg::access != Access::read) {
        arg.home->device_current = false;
    }
}

}  // namespace halocline::device
