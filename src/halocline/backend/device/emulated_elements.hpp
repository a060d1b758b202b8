// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops with atomics on the emulated device.
#pragma once

#include "halocline/backend/device/element_run.hpp"
#include "halocline/backend/device/emulated_launch.hpp"

namespace halocline::device {

namespace detail {

template <class LoopT, std::size_t... a>
void refresh_targets(const ScatterView<LoopT>& view, std::index_sequence<a...>) {
    const auto refresh = [&]<class Arg>(const ArgView<Arg>& arg) {
        if constexpr (leaves_derived_old<Arg>) {
            run_all_targets(refresh_of<typename Arg::DatT>(arg, view.owned_targets));
        }
    };
    (refresh(field<a>(view.args)), ...);
}

/// Every 32nd element, then those after them: an order as little like the serial one as that of a GPU,
/// so that what depends on it shows, and yet the same in every run.
template <class LoopT>
void run_step(const ScatterView<LoopT>& view) {
    for (LocalIndex lane = 0; lane < slice; ++lane) {
        for (LocalIndex element = view.first + lane; element < view.end; element += slice) {
            ElementRun<LoopT>(view, element).run();
        }
    }
    if (view.is_last != 0) {
        refresh_targets(view, typename ScatterView<LoopT>::Indices{});
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
    translated.visit(detail::AddressTranslator{emulated});
    emulated.launch(stream, [translated] {
        translated.with_current([](const auto& step) { detail::run_step(step); });
    });
}

}  // namespace halocline::device
