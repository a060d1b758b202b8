// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A chain by the strategy of its choice.
#pragma once

#include <array>
#include <string_view>

#include "halocline/backend/device/kernels/once_run.hpp"
#include "halocline/backend/device/views/unique_dat_types.hpp"
#include "halocline/loop/shared_maps.hpp"

namespace halocline::device::detail {

/// A gather computes each target's changes and nothing else: what happens once an element (a reduction,
/// a change of the element's own, of what no other element reaches, of targets of another kind) it cannot do.
template <class LoopT>
inline constexpr bool loop_gathers = true;
template <class Kernel, class Tag, class... Args>
inline constexpr bool loop_gathers<Loop<Kernel, Tag, Args...>> =
    !runs_by_element<Loop<Kernel, Tag, Args...>> ||
    (fits_targets<Loop<Kernel, Tag, Args...>> && !Loop<Kernel, Tag, Args...>::has_direct_change &&
     !(Args::is_exclusive || ...) && !(is_reduction<Args> || ...) &&
     !halocline::detail::has_several_target_kinds<Loop<Kernel, Tag, Args...>>());

template <class LoopT>
inline constexpr bool has_temporaries = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool has_temporaries<Loop<Kernel, Tag, Args...>> = (Temporary<Args> || ...);

template <class... Loops>
class StrategyRun {
    static constexpr bool can_gather = (loop_gathers<Loops> && ...);
    static constexpr bool can_run_once =
        ((runs_by_element<Loops> || has_temporaries<Loops>) || ...);

public:
    StrategyRun(Context& context, const LoopName& name, const SetPart& set,
                const LoopPointers<Loops...>& loops)
        : context_(context), name_(name), set_(set), loops_(loops) {}

    /// False when nothing on the device can run these loops.
    bool run() {
        const StrategyFit fit{gather_fits(), once_fits()};
        const DeviceStrategy strategy = choose(fit);
        if constexpr (can_run_once) {
            if (strategy == DeviceStrategy::once && fit.once) {
                OnceRun<Loops...>(context_, name_, loops_).run();
                return true;
            }
        }
        if constexpr (can_gather) {
            if (fit.gather) {
                run_fused<Loops...>(context_, name_, set_, loops_);
                return true;
            }
        }
        return false;
    }

private:
    [[nodiscard]] DeviceStrategy choose(StrategyFit fit) {
        if constexpr ((changes_through_maps<Loops> || ...)) {
            const auto names = [](const auto*... loop) {
                return std::array<std::string_view, sizeof...(Loops)>{loop->name.name...};
            };
            const auto members = apply_to(names, loops_);
            return context_.device()->strategies().choose(name_, members, fit);
        } else {
            return fit.gather ? DeviceStrategy::gather : DeviceStrategy::once;
        }
    }

    [[nodiscard]] bool gather_fits() const {
        UniqueDatTypes types;
        apply_to([&](const auto*... loop) { (types.add(*loop), ...); }, loops_);
        return can_gather && types.holds();
    }

    /// The kernel that collects knows so many changes.
    [[nodiscard]] static constexpr bool once_fits() {
        return can_run_once &&
               ((halocline::detail::changing_arguments<Loops>() <= most_collected_changes) && ...);
    }

    Context& context_;
    const LoopName& name_;
    const SetPart& set_;
    const LoopPointers<Loops...>& loops_;
};

}  // namespace halocline::device::detail
