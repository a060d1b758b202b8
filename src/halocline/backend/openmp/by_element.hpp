// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops of one thread: where packs gain less than they cost, elements run one after the other, and what
// is written past the caches goes through them where that is faster.
#pragma once

#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/serial/serial_run.hpp"
#include "halocline/backend/variant_choice.hpp"
#include "halocline/core/clock.hpp"

namespace halocline::detail {

/// Whether an argument lies as on the serial back end.
template <class Arg>
constexpr bool lies_plain() {
    if constexpr (Arg::is_global) {
        return true;
    } else {
        return std::is_same_v<typename Arg::DatT::Storage, RowStorage>;
    }
}

/// Where all arguments do, elements run by the very code of the serial back end.
template <class LoopT>
inline constexpr LayoutMode layout_of_elements = LayoutMode::vector;
template <class Kernel, class Tag, class... Args>
inline constexpr LayoutMode layout_of_elements<Loop<Kernel, Tag, Args...>> =
    (lies_plain<Args>() && ...) ? LayoutMode::plain : LayoutMode::vector;

/// Arguments share the rows of their map, if there are any to share.
template <class LoopT>
inline constexpr MapsOfAType maps_of_elements = []<std::size_t... i>(std::index_sequence<i...>) {
    const bool shares = (... || (!std::is_void_v<typename MapOf<ArgOf<LoopT, i>>::type> &&
                                 first_through_map<LoopT, i>() != i));
    return shares ? MapsOfAType::one : MapsOfAType::any;
}
(std::make_index_sequence<LoopT::arg_count>{});

template <class LoopT>
StrategyChoice run_by_element(Context& context, const LoopT& loop) {
    recall_values(loop.uses);
    SerialRun<LoopT, layout_of_elements<LoopT>, maps_of_elements<LoopT>>(context, loop).run();
    note_derived_writes(loop, [](std::size_t) { return false; });
    return {LoopT::has_shared_change ? Strategy::scatter : Strategy::direct,
            "element by element, which is faster here"};
}

/// Whether an argument reads, through its map, rows wider than a cache line.
template <class Arg>
constexpr bool reads_wide_rows() {
    if constexpr (Arg::is_global || !Arg::is_indirect) {
        return false;
    } else {
        return Arg::access == Access::read && row_stride<typename Arg::DatT> > simd_lanes;
    }
}

/// Two-ended kernels gain from packs, unless their rows are wide; elements would keep their plan's lists
/// and two copies of what lies on edges in memory, too.
template <class LoopT>
inline constexpr bool may_gain_by_element = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool may_gain_by_element<Loop<Kernel, Tag, Args...>> =
    !is_swap_symmetric<Kernel> || (reads_wide_rows<Args>() || ...);

template <class LoopT>
StrategyChoice run_variant(Context& context, const LoopT& loop, VariantChoice::Variant variant) {
    if constexpr (may_gain_by_element<LoopT>) {
        if (variant == VariantChoice::Variant::elements) {
            return run_by_element(context, loop);
        }
    }
    return run_vector_loop(context, loop,
                           variant == VariantChoice::Variant::cached_packs
                               ? LargeWrites::through_caches
                               : LargeWrites::past_caches);
}

/// Whether elements find all they need: no memory or map was given back for copies in another order, and
/// all lies in the layout of this back end.
[[nodiscard]] bool has_all_for_elements(ArgUses uses);

/// Elements cannot make derived values follow, nor hide messages.
template <class LoopT>
bool may_run_by_element(const Context& context, const LoopT& loop) {
    if constexpr (!may_gain_by_element<LoopT>) {
        return false;
    }
    if (completes_rows(loop) || !has_one_map_a_type(loop) || !has_all_for_elements(loop.uses)) {
        return false;
    }
    std::vector<DatStore*> halo_reads;
    append_halo_reads(loop.uses, halo_reads);
    return context.comm().size() == 1 || halo_reads.empty();
}

/// Several threads share the elements in other ways.
template <class LoopT>
VariantChoice::Allowed allowed_variants(const Context& context, const LoopT& loop) {
    VariantChoice::Allowed allowed = VariantChoice::only_packs();
    if (context.threads() == 1 && context.shared_targets() == SharedTargets::automatic) {
        allowed[static_cast<std::size_t>(VariantChoice::Variant::elements)] =
            may_run_by_element(context, loop);
        allowed[static_cast<std::size_t>(VariantChoice::Variant::cached_packs)] =
            apply_to([](const auto&... arg) { return (is_large_write(arg) || ...); }, loop.args);
    }
    return allowed;
}

/// Calls `run(variant)` with the variant that is fastest, or whose turn it is until that is known; returns what
/// it returns.
template <class Run>
auto run_fastest(Context& context, const LoopName& name, VariantChoice::Allowed allowed,
                 Run&& run) {
    if (allowed == VariantChoice::only_packs()) {
        return run(VariantChoice::Variant::packs);
    }
    VariantChoice& choice = context.variant_choice(name);
    const VariantChoice::Variant variant = choice.next(allowed);
    if (!choice.is_trying(allowed)) {
        return run(variant);
    }
    const double start_s = wall_seconds();
    const auto result = run(variant);
    choice.note(variant, wall_seconds() - start_s);
    return result;
}

/// A loop by itself on this rank's threads; returns how it ran, and why so.
template <class LoopT>
StrategyChoice run_on_cores(Context& context, const LoopT& loop) {
    return run_fastest(
        context, loop.name, allowed_variants(context, loop),
        [&](VariantChoice::Variant variant) { return run_variant(context, loop, variant); });
}

/// How the loops of a chain ran together, and why so.
struct ChainChoice {
    const char* strategy;
    const char* reason;
};

/// Loops that can be fused; or each of them element by element, temporaries in memory.
template <class Tag, class... Loops>
ChainChoice run_fused(Context& context, const LoopName& name, Set<Tag> set, const Loops&... loops) {
    constexpr auto elements = static_cast<std::size_t>(VariantChoice::Variant::elements);
    VariantChoice::Allowed allowed = VariantChoice::only_packs();
    allowed[elements] = (allowed_variants(context, loops)[elements] && ...);
    return run_fastest(context, name, allowed, [&](VariantChoice::Variant variant) -> ChainChoice {
        if constexpr ((may_gain_by_element<Loops> && ...)) {
            if (variant == VariantChoice::Variant::elements) {
                (reset_temporaries(loops.uses), ...);
                (static_cast<void>(run_by_element(context, loops)), ...);
                return {"loop by loop", "element by element, which is faster here"};
            }
        }
        (release_temporaries(loops.uses), ...);
        VectorChain<Tag, Loops...>(context, set, loops...).run();
        return {"fused", "all its loops run block by block"};
    });
}

}  // namespace halocline::detail
