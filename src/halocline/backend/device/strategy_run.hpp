// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A chain by the strategy of its choice, or by each in turn until the faster one is known.
#pragma once

#include <memory>
#include <string_view>

#include "halocline/backend/device/atomics_run.hpp"

namespace halocline::device::detail {

/// A gather computes each target's changes and nothing else: a loop that also changes its own elements
/// must run once an element.
template <class... Loops>
inline constexpr bool can_gather =
    !((Loops::has_indirect_change && Loops::has_direct_change) || ...);

template <class... Loops>
class StrategyRun {
public:
    StrategyRun(Context& context, const LoopName& name, const SetPart& set,
                const LoopPointers<Loops...>& loops, CudaLaunch<ChainView<Loops...>> gather,
                CudaLaunch<AtomicsView<Loops...>> atomics)
        : context_(context),
          executor_(*context.device()),
          name_(name),
          set_(set),
          loops_(loops),
          gather_(gather),
          atomics_(atomics) {}

    /// False when nothing on the device can run these loops.
    bool run() {
        const StrategyFit fit{gather_fits(), atomics_fit()};
        StrategyEntry& entry = apply_to(
            [&](const auto*... loop) -> StrategyEntry& {
                const std::array<std::string_view, sizeof...(Loops)> members{loop->name.name...};
                return executor_.strategies().entry(name_, members, fit);
            },
            loops_);
        if (entry.decided()) {
            return run_as(entry.turn(), fit);
        }
        if (executor_.is_dry()) {  // all that either needs goes to the device
            run_as(DeviceStrategy::gather, fit);
            return run_as(DeviceStrategy::atomics, fit);
        }
        return run_timed(entry, fit);
    }

private:
    [[nodiscard]] bool gather_fits() const {
        OneStoreAType types;
        apply_to([&](const auto*... loop) { (types.add(*loop), ...); }, loops_);
        return can_gather<Loops...> && types.holds();
    }

    /// Temporaries are cleared before the loops: a dat that others see must not be among them.
    [[nodiscard]] bool atomics_fit() const {
        bool fit = !executor_.is_cuda() || atomics_ != nullptr;
        const auto look_at = [&](const auto& arg) {
            if constexpr (IsTemporary<std::remove_cvref_t<decltype(arg)>>::value) {
                fit = fit && arg.store->temporary;
            }
        };
        apply_to([&](const auto*... loop) { (loop->for_each_arg(look_at), ...); }, loops_);
        return fit;
    }

    bool run_as(DeviceStrategy strategy, StrategyFit fit) {
        if (strategy == DeviceStrategy::atomics) {
            AtomicsRun<Loops...>(context_, name_, loops_, atomics_).run();
            return true;
        }
        if (fit.gather) {
            run_fused<Loops...>(context_, name_, set_, loops_, gather_);
        }
        return fit.gather;
    }

    bool run_timed(StrategyEntry& entry, StrategyFit fit) {
        const DeviceStrategy strategy = entry.turn();
        const std::unique_ptr<StreamTimer> timer = executor_.device().make_timer();
        Stream& stream = executor_.stream(executor_.stream_of(name_));
        timer->start(stream);
        run_as(strategy, fit);
        timer->stop(stream);
        const auto& modelled_s = executor_.strategies().options().modelled_s;
        entry.note(modelled_s ? modelled_s(name_.text(), strategy) : timer->seconds());
        if (entry.complete()) {
            const double gather_s = entry.seconds(DeviceStrategy::gather);
            const double atomics_s = entry.seconds(DeviceStrategy::atomics);
            entry.choose(context_.slowest_device(gather_s), context_.slowest_device(atomics_s));
        }
        return true;
    }

    Context& context_;
    Executor& executor_;
    const LoopName& name_;
    const SetPart& set_;
    const LoopPointers<Loops...>& loops_;
    CudaLaunch<ChainView<Loops...>> gather_;
    CudaLaunch<AtomicsView<Loops...>> atomics_;
};

template <class... Loops>
bool run_chain(Context& context, const LoopName& name, const SetPart& set,
               const LoopPointers<Loops...>& loops, CudaLaunch<ChainView<Loops...>> gather,
               CudaLaunch<AtomicsView<Loops...>> atomics) {
    return StrategyRun<Loops...>(context, name, set, loops, gather, atomics).run();
}

/// Loops on the targets themselves have nothing to choose.
template <class... Loops, class Tag>
bool run_chain(Context& context, const LoopName& name, const SetPart& set,
               const LoopPointers<Loops...>& loops, CudaLaunch<ChainView<Loops...>> cuda,
               CudaLaunch<NoAtomicsView<Chain<Tag, Loops...>>> /*atomics*/) {
    OneStoreAType types;
    apply_to([&](const auto*... loop) { (types.add(*loop), ...); }, loops);
    if (types.holds()) {
        run_fused<Loops...>(context, name, set, loops, cuda);
    }
    return types.holds();
}

}  // namespace halocline::device::detail
