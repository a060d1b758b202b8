// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops with atomics on the emulated device.
#pragma once

#include "halocline/backend/device/element_run.hpp"
#include "halocline/backend/device/emulated_launch.hpp"

namespace halocline::device {

namespace detail {

/// Every 32nd element, then those after them: an order as little like the serial one as that of a GPU,
/// so that what depends on it shows, and yet the same in every run.
template <class LoopT>
void run_step(const ScatterView<LoopT>& view) {
    for (LocalIndex lane = 0; lane < slice; ++lane) {
        for (LocalIndex element = view.first + lane; element < view.end; element += slice) {
            ElementRun<LoopT>(view, element).run();
        }
    }
}
template <class LoopT>
void run_step(const ChainView<LoopT>& view) {
    run_all_targets(view);
}

}  // namespace detail

template <class... Loops>
void launch_emulated_step(Device& device, Stream& stream, const AtomicsView<Loops...>& view) {
    auto& emulated = dynamic_cast<EmulatedDevice&>(device);
    AtomicsView<Loops...> translated = view;
    translated.visit(AddressTranslator{emulated});
    emulated.launch(stream, [translated] {
        translated.with_current([](const auto& step) { detail::run_step(step); });
    });
}

}  // namespace halocline::device
