// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device form of loops of one type: host code, the kernel of the emulated device and, where a
// compiler of GPU code does this, the kernel of GPUs.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "halocline/backend/device/kernels/strategy_run.hpp"
#include "halocline/backend/device/launch/forms.hpp"
#include "halocline/backend/device/plans/keys.hpp"

namespace halocline::device {

namespace {
struct UnnamedProbe {};
}  // namespace

namespace detail {

template <class LoopT>
inline constexpr bool loop_has_form = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool loop_has_form<Loop<Kernel, Tag, Args...>> = (Args::has_device_form && ...);

}  // namespace detail

/// How loops of type `LoopsT` (a loop, a chain, or an update of globals) run on a device.
template <class LoopsT>
struct FormOf;
template <class Tag, class... Loops>
struct FormOf<Chain<Tag, Loops...>> {
    using Key = ChainKey<Tag, Loops...>;
    static constexpr bool exists = (detail::loop_has_form<Loops> && ...);
    static bool run(Context& context, const LoopName& name, const SetPart* set,
                    const void* pointers) {
        const auto& loops = *static_cast<const detail::LoopPointers<Loops...>*>(pointers);
        return detail::StrategyRun<Loops...>(context, name, *set, loops).run();
    }
};

/// A loop by itself is a chain of one.
template <class Kernel, class Tag, class... Args>
struct FormOf<Loop<Kernel, Tag, Args...>> : FormOf<Chain<Tag, Loop<Kernel, Tag, Args...>>> {};

template <class Kernel, class... Args>
struct FormOf<GlobalUpdate<Kernel, Args...>> {
    using Update = GlobalUpdate<Kernel, Args...>;
    using Key = ChainKey<NoSet, Update>;
    static constexpr bool exists = (Args::has_device_form && ...);
    static bool run(Context& context, const LoopName&, const SetPart*, const void* update) {
        detail::run_update(context, *static_cast<const Update*>(update),
                           std::index_sequence_for<Args...>{});
        return true;
    }
};

/// Gives loops of type `LoopsT` their device form; where there can be none, says that they were seen.
template <class LoopsT>
void add_form(std::string_view source = HALOCLINE_SOURCE) {
#if defined(HALOCLINE_GPU_COMPILER)
    constexpr bool on_gpu = true;
#else
    constexpr bool on_gpu = false;
#endif
    const std::string name =
        portable_name(typeid(typename FormOf<LoopsT>::Key).name(), typeid(UnnamedProbe).name());
    if constexpr (FormOf<LoopsT>::exists) {
        add_form({std::string(source), name}, {&FormOf<LoopsT>::run, on_gpu});
    } else {
        add_form({std::string(source), name}, {nullptr, on_gpu});
    }
}

}  // namespace halocline::device
