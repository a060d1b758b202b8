// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What each type of loops compiles.
#pragma once

#include "halocline/backend/check/check_run.hpp"
#include "halocline/backend/loop_call.hpp"
#include "halocline/backend/openmp/element_traits.hpp"
#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/serial/serial_run.hpp"

namespace halocline::detail {

/// `Run`: a SerialRun.
template <class Run, class LoopT>
void run_one_by_one(Context& context, const void* loop) {
    Run(context, *static_cast<const LoopT*>(loop)).run();
}

template <class LoopT>
StrategyChoice run_by_packs(Context& context, const void* loop, VectorWay way) {
    return run_vector_loop(context, *static_cast<const LoopT*>(loop), way);
}

template <class LoopT>
void run_with_checks(Context& context, const void* loop) {
    const LoopT& given = *static_cast<const LoopT*>(loop);
    CheckedKernelOf<LoopT> kernel(given);
    run_checked(context, given.name, *given.set.part, given.uses, kernel);
}

template <class LoopT>
constexpr LoopWays make_ways() {
    using Serial = SerialRun<LoopT>;
    using Elements = SerialRun<LoopT, layout_of_elements<LoopT>, sharing_of_elements<LoopT>>;
    LoopWays ways{&run_one_by_one<Serial, LoopT>,
                  nullptr,
                  &run_by_packs<LoopT>,
                  &run_with_checks<LoopT>,
                  arg_bindings<LoopT>,
                  may_take_one_by_one<LoopT> && !has_several_target_kinds<LoopT>()};
    if constexpr (!is_swap_symmetric<typename LoopT::Kernel>) {
        ways.run_elements = &run_one_by_one<Elements, LoopT>;
    }
    return ways;
}
template <class LoopT>
inline constexpr LoopWays ways_of = make_ways<LoopT>();

template <class LoopT>
[[nodiscard]] LoopCall call_of(const LoopT& loop) {
    return {data_of(loop), ways_of<LoopT>, &loop};
}

}  // namespace halocline::detail
