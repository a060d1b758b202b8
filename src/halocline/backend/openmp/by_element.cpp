// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/by_element.hpp"

#include <algorithm>
#include <vector>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/derived_writes.hpp"
#include "halocline/backend/openmp/loop_dats.hpp"
#include "halocline/core/clock.hpp"

namespace halocline::detail {

namespace {

using Variant = VariantChoice::Variant;
using Allowed = VariantChoice::Allowed;

/// Whether elements find all they need: no memory or map was given back for copies in another order, and
/// all has the layout of this back end.
bool finds_all(ArgUses uses) {
    return std::all_of(uses.begin(), uses.end(), [](const ArgUse& use) {
        if (use.is_global()) {
            return true;
        }
        const bool is_mapped =
            !use.is_indirect() || !use.map->targets.empty() || use.from->total == 0;
        return is_mapped && use.store->keeper == nullptr && use.store->mode == LayoutMode::vector;
    });
}

/// Whether elements run in the order of the file: then there are no messages either, which they cannot hide.
bool may_run_elements(const Context& context, ArgUses uses) {
    std::vector<DatStore*> halo_reads;
    append_halo_reads(uses, halo_reads);
    return finds_all(uses) && (context.comm().size() == 1 || halo_reads.empty());
}

/// Whether several threads may take the elements of their ranges one by one. They hide messages as with
/// packs.
bool threads_may_take_one_by_one(const LoopCall& call) {
    const LoopData& data = call.data;
    return call.ways.may_take_one_by_one && finds_all(data.uses) &&
           !completes_rows(data.name, data.uses) && shares_by_type(data.uses);
}

/// Several threads share the elements in other ways than one. Elements beside derived values cannot make
/// these follow; in rows there are none.
Allowed allowed_variants(const Context& context, const LoopCall& call) {
    const LoopData& data = call.data;
    Allowed allowed = VariantChoice::only_packs();
    const bool is_automatic = context.shared_targets() == SharedTargets::automatic;
    if (context.threads() > 1) {
        const bool may_choose = is_automatic || context.variant();
        if (may_choose && threads_may_take_one_by_one(call)) {
            allowed |= VariantChoice::only(Variant::elements);
        }
        return allowed;
    }
    if (!is_automatic) {
        return allowed;
    }
    if (has_large_write(data.uses, call.ways.bindings)) {
        allowed |= VariantChoice::only(Variant::cached_packs);
    }
    if (may_run_elements(context, data.uses)) {
        if (call.ways.run_elements != nullptr && !completes_rows(data.name, data.uses) &&
            shares_by_type(data.uses)) {
            allowed |= VariantChoice::only(Variant::elements);
        }
        allowed |= VariantChoice::only(Variant::elements_in_rows);
    }
    return allowed;
}

/// Of loops that run together. Where elements are those of the serial back end, there is one way.
Allowed allowed_together(const Context& context, std::span<const LoopCall> calls) {
    Allowed allowed = ~Allowed();
    bool is_one_way = true;
    for (const LoopCall& call : calls) {
        allowed = allowed & allowed_variants(context, call);
        is_one_way &= call.ways.run_elements == call.ways.run_serial;
    }
    return is_one_way ? allowed & ~VariantChoice::only(Variant::elements_in_rows) : allowed;
}

/// `run`: one of the call's ways by elements, on dats that lie as it has them.
StrategyChoice run_elements(Context& context, const LoopCall& call,
                            void (*run)(Context& context, const void* loop), const char* reason) {
    recall_values(call.data.uses);
    run(context, call.loop);
    note_derived_writes(call.data.name, call.data.uses, [](std::size_t) { return false; });
    return {call.data.traits.has_shared_change ? Strategy::scatter : Strategy::direct, reason};
}

/// Whether a loop that may take its elements one by one computes them once a range: in the order of memory
/// then, not of the file.
bool computes_once(Context& context, const LoopCall& call) {
    return call.ways.may_take_one_by_one && strategy_alone(context, call.data) == Strategy::once;
}

StrategyChoice run_variant(Context& context, const LoopCall& call, Variant variant) {
    if (variant == Variant::elements && call.ways.run_elements != nullptr &&
        context.threads() == 1 && !computes_once(context, call)) {
        return run_elements(context, call, call.ways.run_elements,
                            "element by element, which is faster here");
    }
    if (variant == Variant::elements_in_rows) {
        return run_elements(context, call, call.ways.run_serial,
                            "element by element, on compact rows, which is faster here");
    }
    return call.ways.run_vector(
        context, call.loop,
        {variant == Variant::cached_packs ? LargeWrites::through_caches : LargeWrites::past_caches,
         variant == Variant::elements});
}

/// When elements are tried first. Two-ended kernels mostly gain from packs: short runs shall not pay for
/// trying.
enum class FirstTrial { at_once, in_longer_runs };
FirstTrial first_trial(std::span<const LoopCall> calls) {
    const bool is_two_ended = std::any_of(calls.begin(), calls.end(), [](const LoopCall& call) {
        return call.data.traits.is_swap_symmetric;
    });
    return is_two_ended ? FirstTrial::in_longer_runs : FirstTrial::at_once;
}

/// For as long as it lives, dats that loops read through copies keep their memory.
class KeptOriginals {
public:
    KeptOriginals(PlanCache& plans, bool are_kept) : plans_(plans) {
        plans_.keep_originals(are_kept);
    }
    ~KeptOriginals() { plans_.keep_originals(false); }
    KeptOriginals(const KeptOriginals&) = delete;
    KeptOriginals& operator=(const KeptOriginals&) = delete;

private:
    PlanCache& plans_;
};

/// Calls `run(variant)` with the variant that is fastest, or whose turn it is until that is known. The
/// dats of the loops lie then as the variant wants them.
void run_fastest(Context& context, const LoopName& name, Allowed allowed, FirstTrial of_elements,
                 std::span<const ArgUses> uses, FunctionRef<void(Variant variant)> run) {
    LoopDats dats(uses);
    if (context.variant().has_value() || allowed == VariantChoice::only_packs()) {
        const Variant asked = context.variant().value_or(Variant::packs);
        const Variant variant = dats.may_take(asked, allowed) ? asked : Variant::packs;
        dats.place(variant == Variant::elements_in_rows);
        run(variant);
        return;
    }
    VariantChoice& choice = context.variant_choice(name);
    const bool elements_wait = of_elements == FirstTrial::in_longer_runs && choice.is_short_run();
    if (elements_wait) {
        allowed = allowed & ~(VariantChoice::only(Variant::elements) |
                              VariantChoice::only(Variant::elements_in_rows));
    }
    allowed = dats.within_reach(allowed);
    choice.admit(allowed);
    const Allowed settled = dats.settle(choice, allowed);
    const Variant variant = choice.next(settled, allowed);
    const bool is_trial = choice.is_trial(settled, allowed);
    const KeptOriginals originals(context.plans(), elements_wait || is_trial);
    if (!is_trial) {
        choice.note_settled(settled, dats.elsewhere(allowed), dats.visit_s());
        run(variant);
        return;
    }
    const double start_s = wall_seconds();
    run(variant);
    choice.note(variant, wall_seconds() - start_s);
}

}  // namespace

StrategyChoice run_on_cores(Context& context, const LoopCall& call) {
    const std::span<const LoopCall> calls(&call, 1);
    StrategyChoice choice{};
    run_fastest(context, call.data.name, allowed_together(context, calls), first_trial(calls),
                {&call.data.uses, 1},
                [&](Variant variant) { choice = run_variant(context, call, variant); });
    return choice;
}

ChainChoice run_fused(Context& context, const LoopName& name, std::span<const LoopCall> calls,
                      FunctionRef<void()> fused) {
    const Allowed allowed =
        allowed_together(context, calls) & ~VariantChoice::only(Variant::cached_packs);
    std::vector<ArgUses> uses;
    for (const LoopCall& call : calls) {
        uses.push_back(call.data.uses);
    }
    ChainChoice choice{};
    run_fastest(context, name, allowed, first_trial(calls), uses, [&](Variant variant) {
        if (variant == Variant::packs) {
            for (const LoopCall& call : calls) {
                release_temporaries(call.data.uses);
            }
            fused();
            choice = {"fused", "all its loops run block by block"};
            return;
        }
        for (const LoopCall& call : calls) {
            reset_temporaries(call.data.uses);
        }
        choice = {"loop by loop", nullptr};
        for (const LoopCall& call : calls) {
            const StrategyChoice of_loop = run_variant(context, call, variant);
            choice.reason = choice.reason == nullptr ? of_loop.reason : choice.reason;
        }
    });
    return choice;
}

}  // namespace halocline::detail
