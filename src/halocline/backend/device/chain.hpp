// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms of chains, made where their types are listed.
#pragma once

#include "halocline/backend/device/dispatch.hpp"
#include "halocline/backend/device/strategy_run.hpp"

namespace halocline::device {

/// Gives chains of type `ChainT` (as `make_chain` returns it) a device form. `cuda`, `atomics` null:
/// not on CUDA, not with atomics there.
template <class ChainT>
struct ChainForm;
template <class Tag, class... Loops>
struct ChainForm<Chain<Tag, Loops...>> {
    using View = ChainView<Loops...>;
    using WithAtomics = AtomicsViewOf<Chain<Tag, Loops...>>;
    static void add(Executor& executor, CudaLaunch<View> cuda,
                    CudaLaunch<WithAtomics> atomics = nullptr) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add(
            typeid(ChainKey<Tag, Loops...>),
            [cuda, atomics](Context& context, const LoopName& name, const SetPart* set,
                            const void* pointers) {
                const auto& loops = *static_cast<const detail::LoopPointers<Loops...>*>(pointers);
                return detail::run_chain<Loops...>(context, name, *set, loops, cuda, atomics);
            });
    }
};

/// A loop by itself is a chain of one.
template <class Kernel, class Tag, class... Args>
struct ChainForm<Loop<Kernel, Tag, Args...>> : ChainForm<Chain<Tag, Loop<Kernel, Tag, Args...>>> {};

template <class Kernel, class... Args>
struct ChainForm<GlobalUpdate<Kernel, Args...>> {
    using View = UpdateView<Kernel, Args...>;
    static void add(
        Executor& executor, CudaLaunch<View> cuda,
        CudaLaunch<NoAtomicsView<GlobalUpdate<Kernel, Args...>>> /*atomics*/ = nullptr) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add(typeid(ChainKey<NoSet, GlobalUpdate<Kernel, Args...>>),
                     [cuda](Context& context, const LoopName&, const SetPart*, const void* update) {
                         detail::run_update(
                             context, *static_cast<const GlobalUpdate<Kernel, Args...>*>(update),
                             cuda, std::index_sequence_for<Args...>{});
                         return true;
                     });
    }
};

}  // namespace halocline::device
