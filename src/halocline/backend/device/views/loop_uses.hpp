// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What loops touch on the device, as the order of streams wants to know it.
#pragma once

#include <vector>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/loop/args.hpp"

namespace halocline::device::detail {

/// The loops of a chain as they were handed over.
template <class... Loops>
using LoopPointers = Tuple<const Loops*...>;

enum class Temporaries { in_registers, in_memory };

/// Appends the memory of an argument that lies on the device: nothing for values that go with the
/// launch, and for constants in row order, which change while no kernel runs.
template <class Arg>
void append_use(Executor& executor, const Arg& arg, Temporaries temporaries,
                std::vector<StreamUse>& uses) {
    constexpr bool changes = Arg::access != Access::read;
    if constexpr (Arg::is_global) {
        if (changes || arg.storage->device_current) {
            uses.push_back(
                {executor.globals().places(*arg.storage, Arg::size), DatRegion::whole, changes});
        }
    } else if (arg.store->device.values.data() != nullptr &&
               (temporaries == Temporaries::in_memory || !arg.store->temporary)) {
        uses.push_back({arg.store->device.values.data(),
                        changes ? DatRegion::owned : DatRegion::whole, changes});
    }
}

/// The launch of a chain whose dats and globals are on the device.
template <class... Loops>
LaunchOrder order_of(Executor& executor, const LoopName& name, const LoopPointers<Loops...>& loops,
                     Temporaries temporaries) {
    LaunchOrder order{name, executor.order().index(name.stream)};
    if (executor.order().size() > 1) {
        const auto append = [&](const auto& arg) {
            append_use(executor, arg, temporaries, order.uses);
        };
        apply_to([&](const auto*... loop) { (loop->for_each_arg(append), ...); }, loops);
    }
    return order;
}

/// The same launch while halos travel: it reads owned values only.
inline LaunchOrder before_halos(LaunchOrder order) {
    for (StreamUse& use : order.uses) {
        use.region = DatRegion::owned;
    }
    return order;
}

}  // namespace halocline::device::detail
