// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where packs gain less than they cost, elements run one after the other: on one thread, and in ranges of
// targets on several. On one, what is written past the caches goes through them where that is faster.
#pragma once

#include <span>

#include "halocline/backend/openmp/element_traits.hpp"
#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/variant_choice.hpp"
#include "halocline/core/function_ref.hpp"

namespace halocline::detail {

/// Whether the serial back end does not run the very same function.
template <class LoopT>
inline constexpr bool differs_from_serial = layout_of_elements<LoopT> != LayoutMode::plain ||
                                            sharing_of_elements<LoopT> != Sharing::nothing;

/// `Run`: a SerialRun, on dats that lie as it has them.
template <class Run, class LoopT>
StrategyChoice run_elements(Context& context, const LoopT& loop, const char* reason) {
    recall_values(loop.uses);
    Run(context, loop).run();
    note_derived_writes(loop, [](std::size_t) { return false; });
    return {LoopT::has_shared_change ? Strategy::scatter : Strategy::direct, reason};
}

/// Whether elements have code of their own beside that of the serial back end. Two-ended loops have none:
/// most gain from packs, and each would compile two functions more.
template <class LoopT>
inline constexpr bool has_own_elements = !is_swap_symmetric<typename LoopT::Kernel>;

/// Whether a loop that may take its elements one by one computes them once a range: in the order of memory
/// then, not of the file.
template <class LoopT>
bool computes_once(Context& context, const LoopT& loop) {
    if constexpr (may_take_one_by_one<LoopT> && !has_several_target_kinds<LoopT>()) {
        return strategy_alone(context, loop) == Strategy::once;
    } else {
        return false;
    }
}

template <class LoopT>
StrategyChoice run_variant(Context& context, const LoopT& loop, VariantChoice::Variant variant) {
    if constexpr (has_own_elements<LoopT>) {
        if (variant == VariantChoice::Variant::elements && context.threads() == 1 &&
            !computes_once(context, loop)) {
            using Run = SerialRun<LoopT, layout_of_elements<LoopT>, sharing_of_elements<LoopT>>;
            return run_elements<Run>(context, loop, "element by element, which is faster here");
        }
    }
    if (variant == VariantChoice::Variant::elements_in_rows) {
        return run_elements<SerialRun<LoopT>>(
            context, loop, "element by element, on compact rows, which is faster here");
    }
    return run_vector_loop(
        context, loop,
        {variant == VariantChoice::Variant::cached_packs ? LargeWrites::through_caches
                                                         : LargeWrites::past_caches,
         variant == VariantChoice::Variant::elements});
}

/// Whether elements find all they need: no memory or map was given back for copies in another order, and
/// all has the layout of this back end.
[[nodiscard]] bool finds_all(ArgUses uses);
/// Whether elements run in the order of the file: then there are no messages either, which they cannot hide.
[[nodiscard]] bool may_run_elements(const Context& context, ArgUses uses);

/// Whether several threads may take the elements of their ranges one by one. They hide messages as with
/// packs.
template <class LoopT>
bool threads_may_take_one_by_one(const LoopT& loop) {
    if constexpr (may_take_one_by_one<LoopT> && !has_several_target_kinds<LoopT>()) {
        return finds_all(loop.uses) && !completes_rows(loop) && shares_by_type(loop);
    } else {
        return false;
    }
}

/// Several threads share the elements in other ways than one. Elements beside derived values cannot make
/// these follow; in rows there are none.
template <class LoopT>
VariantChoice::Allowed allowed_variants(const Context& context, const LoopT& loop) {
    using Variant = VariantChoice::Variant;
    VariantChoice::Allowed allowed = VariantChoice::only_packs();
    const bool is_automatic = context.shared_targets() == SharedTargets::automatic;
    if (context.threads() > 1) {
        const bool may_choose = is_automatic || context.variant();
        if (may_choose && threads_may_take_one_by_one(loop)) {
            allowed |= VariantChoice::only(Variant::elements);
        }
        return allowed;
    }
    if (!is_automatic) {
        return allowed;
    }
    if (apply_to([](const auto&... arg) { return (is_large_write(arg) || ...); }, loop.args)) {
        allowed |= VariantChoice::only(Variant::cached_packs);
    }
    if (may_run_elements(context, loop.uses)) {
        if (has_own_elements<LoopT> && !completes_rows(loop) && shares_by_type(loop)) {
            allowed |= VariantChoice::only(Variant::elements);
        }
        allowed |= VariantChoice::only(Variant::elements_in_rows);
    }
    return allowed;
}

/// Of loops that run together. Where elements are those of the serial back end, there is one way.
template <class... Loops>
VariantChoice::Allowed allowed_together(const Context& context, const Loops&... loops) {
    const VariantChoice::Allowed of_all =
        (~VariantChoice::Allowed() & ... & allowed_variants(context, loops));
    constexpr bool is_one_way = ((has_own_elements<Loops> && !differs_from_serial<Loops>)&&...);
    return is_one_way ? of_all & ~VariantChoice::only(VariantChoice::Variant::elements_in_rows)
                      : of_all;
}

/// From which round on elements are tried. Two-ended kernels mostly gain from packs: short runs shall not pay
/// for trying.
enum class FirstTrial { at_once, in_second_round };
template <class... Loops>
inline constexpr FirstTrial first_trial_of_elements = (is_swap_symmetric<typename Loops::Kernel> ||
                                                       ...)
                                                          ? FirstTrial::in_second_round
                                                          : FirstTrial::at_once;

/// Calls `run(variant)` with the variant that is fastest, or whose turn it is until that is known. The
/// dats of `loops` lie then as the variant wants them.
void run_fastest(Context& context, const LoopName& name, VariantChoice::Allowed allowed,
                 FirstTrial of_elements, std::span<const ArgUses> loops,
                 FunctionRef<void(VariantChoice::Variant variant)> run);

/// A loop by itself on this rank's threads; returns how it ran, and why so.
template <class LoopT>
StrategyChoice run_on_cores(Context& context, const LoopT& loop) {
    const ArgUses uses = loop.uses;
    StrategyChoice choice{};
    run_fastest(context, loop.name, allowed_together(context, loop), first_trial_of_elements<LoopT>,
                {&uses, 1}, [&](VariantChoice::Variant variant) {
                    choice = run_variant(context, loop, variant);
                });
    return choice;
}

/// How the loops of a chain ran together, and why so.
struct ChainChoice {
    const char* strategy;
    const char* reason;
};

/// Loops that can be fused; or each of them element by element, temporaries in memory.
template <class Tag, class... Loops>
ChainChoice run_fused(Context& context, const LoopName& name, Set<Tag> set, const Loops&... loops) {
    using Variant = VariantChoice::Variant;
    const VariantChoice::Allowed allowed =
        allowed_together(context, loops...) & ~VariantChoice::only(Variant::cached_packs);
    const ArgUses uses[] = {loops.uses...};
    ChainChoice choice{};
    run_fastest(context, name, allowed, first_trial_of_elements<Loops...>, uses,
                [&](Variant variant) {
                    if (variant != Variant::packs) {
                        (reset_temporaries(loops.uses), ...);
                        const StrategyChoice choices[] = {run_variant(context, loops, variant)...};
                        choice = {"loop by loop", choices[0].reason};
                        return;
                    }
                    (release_temporaries(loops.uses), ...);
                    VectorChain<Tag, Loops...>(context, set, loops...).run();
                    choice = {"fused", "all its loops run block by block"};
                });
    return choice;
}

}  // namespace halocline::detail
