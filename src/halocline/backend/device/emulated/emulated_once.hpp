// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that compute each element once, on the emulated device.
#pragma once

#include "halocline/backend/device/emulated/emulated_launch.hpp"
#include "halocline/backend/device/kernels/element_run.hpp"
#include "halocline/backend/device/launch/collect.hpp"

namespace halocline::device {

/// Every 32nd element, then those after them: an order as little like the serial one as that of a GPU,
/// so that what depends on it shows, and yet the same in every run.
template <class LoopT>
void run_emulated(const ElementsView<LoopT>& view) {
    for (LocalIndex lane = 0; lane < slice; ++lane) {
        for (LocalIndex element = view.loop.first + lane; element < view.loop.end;
             element += slice) {
            Contributions<LoopT> share;
            share.clear();
            ElementRun<LoopT>(view, element).run(get<0>(share.of));
            detail::AddContributions<LoopT>(view.loop, share);
        }
    }
    if (view.loop.is_last != 0) {
        static_cast<void>(FinishReductions<LoopT>(view.loop));
    }
}

inline void run_emulated(const CollectView& view) {
    for (LocalIndex d = 0; d < view.dim; ++d) {
        for (LocalIndex target = 0; target < view.targets; ++target) {
            collect(view, target, d);
        }
    }
}

template <class... Loops>
void run_emulated(const OnceView<Loops...>& view) {
    view.with_current([](const auto& step) { run_emulated(step); });
}

}  // namespace halocline::device
