// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/by_element.hpp"

#include <algorithm>

#include "halocline/backend/openmp/loop_dats.hpp"
#include "halocline/core/clock.hpp"

namespace halocline::detail {

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

bool may_run_elements(const Context& context, ArgUses uses) {
    std::vector<DatStore*> halo_reads;
    append_halo_reads(uses, halo_reads);
    return finds_all(uses) && (context.comm().size() == 1 || halo_reads.empty());
}

namespace {

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

}  // namespace

void run_fastest(Context& context, const LoopName& name, VariantChoice::Allowed allowed,
                 FirstTrial of_elements, std::span<const ArgUses> loops,
                 FunctionRef<void(VariantChoice::Variant variant)> run) {
    using Variant = VariantChoice::Variant;
    LoopDats dats(loops);
    if (context.variant().has_value() || allowed == VariantChoice::only_packs()) {
        const Variant asked = context.variant().value_or(Variant::packs);
        const Variant variant = dats.may_take(asked, allowed) ? asked : Variant::packs;
        dats.place(variant == Variant::elements_in_rows);
        run(variant);
        return;
    }
    VariantChoice& choice = context.variant_choice(name);
    const bool elements_wait =
        of_elements == FirstTrial::in_second_round && choice.is_in_first_round();
    if (elements_wait) {
        allowed &= ~(VariantChoice::only(Variant::elements) |
                     VariantChoice::only(Variant::elements_in_rows));
    }
    allowed = dats.within_reach(allowed);
    const VariantChoice::Allowed settled = dats.settle(choice, allowed);
    const Variant variant = choice.next(settled, allowed);
    const bool is_trial = choice.has_trials_left(settled, allowed);
    const KeptOriginals originals(context.plans(), elements_wait || is_trial);
    if (!is_trial) {
        choice.note_settled(settled);
        run(variant);
        return;
    }
    const double start_s = wall_seconds();
    run(variant);
    choice.note(variant, wall_seconds() - start_s);
}

}  // namespace halocline::detail
