// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms of chains, made where their types are listed.
#pragma once

#include "halocline/backend/device/chain_run.hpp"
#include "halocline/backend/device/dispatch.hpp"
#include "halocline/backend/device/refresh.hpp"

namespace halocline::device {

/// Gives chains of type `ChainT` (as `make_chain` returns it) a device form. `cuda` null: not on CUDA.
template <class ChainT>
struct ChainForm;
template <class Tag, class... Loops>
struct ChainForm<Chain<Tag, Loops...>> {
    using View = ChainView<Loops...>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add(typeid(ChainKey<Tag, Loops...>), [cuda](Context& context, const LoopName& name,
                                                             const SetPart* set,
                                                             const void* loops) {
            return detail::run_chain<Loops...>(
                context, name, *set, *static_cast<const std::tuple<const Loops*...>*>(loops), cuda);
        });
    }
};

/// A loop by itself is a chain of one.
template <class Kernel, class Tag, class... Args>
struct ChainForm<Loop<Kernel, Tag, Args...>> : ChainForm<Chain<Tag, Loop<Kernel, Tag, Args...>>> {};

/// Lets halos of dats of type `DatT` travel without the host.
template <class DatT>
struct ChainForm<HaloRefresh<DatT>> {
    using View = RefreshView<DatT>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
        if (executor.is_cuda() && cuda == nullptr) {
            return;
        }
        executor.add_refresh(typeid(DatT), [cuda](Executor& on, const DatStore& dat) {
            const RawDat raw = dat.raw_on_device();
            const View view{raw.values, raw.layout.component_stride, dat.set->owned,
                            dat.set->total};
            detail::queue(on, view, cuda);
        });
    }
};

template <class Kernel, class... Args>
struct ChainForm<GlobalUpdate<Kernel, Args...>> {
    using View = UpdateView<Kernel, Args...>;
    static void add(Executor& executor, CudaLaunch<View> cuda) {
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
