// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops of tests on any back end: on a device each gets a device form first.
#pragma once

#include <utility>

#include "halocline/backend/device/chain.hpp"
#include "halocline/backend/par_loop.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

/// Loops without device form run on the host.
template <class LoopT>
struct HasDeviceForm;
template <class Kernel, class Tag, class... Args>
struct HasDeviceForm<Loop<Kernel, Tag, Args...>> {
    using LoopT = Loop<Kernel, Tag, Args...>;
    static constexpr bool reduces_beside_maps =
        LoopT::has_indirect_change && (device::is_reduction<Args> || ...);
    static constexpr bool value = (Args::has_device_form && ...) && !reduces_beside_maps &&
                                  !detail::has_several_target_kinds<LoopT>();
};

template <class Tag, class... Loops>
void run_loops(LoopWorld& world, LoopName name, Set<Tag> set, const Loops&... loops) {
    if constexpr ((HasDeviceForm<Loops>::value && ...)) {
        if (world.context().device() != nullptr) {
            device::ChainForm<Chain<Tag, Loops...>>::add(*world.context().device(), nullptr);
        }
    }
    run_chain(world.context(), name, set, loops...);
}

/// Over a set or a subset.
template <class SetT, class Kernel, class... Args>
void run_loop(LoopWorld& world, LoopName name, SetT set, Kernel kernel, Args... args) {
    const auto loop = make_loop(name, set, std::move(kernel), args...);
    using LoopT = std::remove_const_t<decltype(loop)>;
    if constexpr (HasDeviceForm<LoopT>::value) {
        if (world.context().device() != nullptr) {
            device::ChainForm<LoopT>::add(*world.context().device(), nullptr);
        }
    }
    par_loop(world.context(), loop);
}

}  // namespace halocline::test
