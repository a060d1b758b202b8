// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels on the emulated device: the same body as on a GPU, run by the stream's thread on the hidden
// addresses of device memory.
#pragma once

#include <algorithm>
#include <vector>

#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/backend/device/kernels/global_run.hpp"
#include "halocline/backend/device/kernels/target_run.hpp"
#include "halocline/backend/device/views/address_translator.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::device {

namespace detail {

/// Adds one target's share to the places, as a block of threads does on a GPU.
template <class... Loops>
class AddContributions {
public:
    AddContributions(const ChainView<Loops...>& view, const Contributions<Loops...>& share) {
        add_loops(view, share, typename ChainView<Loops...>::Indices{});
    }

private:
    template <std::size_t... l>
    void add_loops(const ChainView<Loops...>& view, const Contributions<Loops...>& share,
                   std::index_sequence<l...>) {
        (add_loop(get<l>(view.loops), get<l>(share.of), typename LoopView<Loops>::Indices{}), ...);
    }
    template <class LoopT, std::size_t... a>
    void add_loop(const LoopView<LoopT>& loop, const LoopContributions<LoopT>& share,
                  std::index_sequence<a...>) {
        (add_arg<typename LoopView<LoopT>::template Arg<a>>(get<a>(loop.args), get<a>(share.of)),
         ...);
    }
    template <class Arg>
    void add_arg(const ArgView<Arg>& arg, const Contribution<Arg>& share) {
        if constexpr (is_reduction<Arg>) {
            for (int d = 0; d < Arg::size; ++d) {
                if constexpr (Arg::access == Access::inc) {
                    arg.place[d].shares[0].bins.add(share.values[d]);
                } else {
                    const std::int64_t key = kept_key<Arg::access == Access::min>(share.values[d]);
                    std::int64_t& largest = arg.place[d].shares[0].key;
                    largest = std::max(largest, key);
                }
            }
        }
    }
};

}  // namespace detail

/// Tile by tile, as blocks of threads do it on a GPU.
template <class... Loops>
void run_emulated(const ChainView<Loops...>& view) {
    using Stage = StagedChain<Loops...>;
    std::vector<detail::Pair> memory(Stage::any ? Stage::bytes / sizeof(detail::Pair) : 0);
    for (LocalIndex first = view.first; first < view.end; first += tile) {
        Stage stage(view, first / tile, reinterpret_cast<unsigned char*>(memory.data()));
        stage.load(0, 1, [] {});
        stage.complete(0, 1);
        for (LocalIndex target = first; target < std::min(first + tile, view.end); ++target) {
            Contributions<Loops...> share;
            share.clear();
            TargetRun<Loops...> run(view, target, stage, share);
            run.prepare();
            run.run();
            detail::AddContributions<Loops...>(view, share);
        }
    }
    if (view.is_last != 0) {
        static_cast<void>(FinishReductions<Loops...>(view));
    }
}

template <class Kernel, class... Args>
void run_emulated(const UpdateView<Kernel, Args...>& view) {
    GlobalRun<Kernel, Args...>(view).run();
}

template <class View>
void launch_emulated(Device& device, Stream& stream, const View& view) {
    auto& emulated = dynamic_cast<EmulatedDevice&>(device);
    View translated = view;
    translated.visit(AddressTranslator{emulated});
    emulated.launch(stream, [translated] { run_emulated(translated); });
}

}  // namespace halocline::device
