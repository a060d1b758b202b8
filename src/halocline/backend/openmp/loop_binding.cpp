// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/loop_binding.hpp"

#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/slot_copy.hpp"
#include "halocline/mesh/moved_rows.hpp"

namespace halocline::detail {

namespace {

bool is_large_write(const ArgUse& use, const ArgBinding& binding) {
    constexpr std::size_t large_bytes = std::size_t{1} << 20;
    return use.access == Access::write && binding.fills_lines && !use.store->temporary &&
           use.store->values.size() * sizeof(double) > large_bytes;
}

bool has_one_target_set(const LoopTraits& loop) {
    return loop.has_shared_change && !loop.has_several_target_kinds;
}

}  // namespace

bool has_large_write(ArgUses uses, const ArgBinding* bindings) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (is_large_write(uses[i], bindings[i])) {
            return true;
        }
    }
    return false;
}

LoopBinding::LoopBinding(Context& context, const LoopData& loop, LoopUse use)
    : loop_(loop),
      use_(use),
      targets_(has_one_target_set(loop.traits) ? target_set(loop.name, loop.uses) : nullptr),
      changed_(loop.uses, loop.traits.is_swap_symmetric),
      choice_(choose_strategy(context, loop, changed_, use)) {
    if (strategy() == Strategy::two_ended || strategy() == Strategy::gather) {
        plan_ = &context.plans().gather(loop.set, *targets_, changed_.columns());
    }
}

LocalIndex LoopBinding::preferred_grain(Context& context) const {
    if (strategy() != Strategy::once) {
        return 1;
    }
    return context.plans().grain(loop_.set, *targets_, changed_.columns(),
                                 changed_.contributed_doubles() * sizeof(double),
                                 context.range_bytes());
}

void LoopBinding::take_grain(Context& context, LocalIndex grain) {
    if (strategy() == Strategy::once) {
        once_ = &context.plans().once(loop_.set, *targets_, changed_.columns(), grain);
    }
}

void LoopBinding::take_chunks(Context& context) {
    scatter_ =
        &context.plans().scatter(loop_.set, *targets_, changed_.columns(), context.threads());
}

void LoopBinding::bind(Context& context, const ArgBinding* bindings, LargeWrites large_writes,
                       BoundDat* views) {
    for (std::size_t i = 0; i < loop_.uses.size(); ++i) {
        const ArgUse& use = loop_.uses[i];
        if (use.is_global()) {
            continue;
        }
        DatStore& store = *use.store;
        BoundDat& view = views[i];
        store.require_vector_layout();
        move_back(store);  // where it was another context that moved it
        if (!bindings[i].reads_slots) {
            store.recall();
        }
        view.base = store.values.data();
        view.block_step =
            static_cast<std::int64_t>(simd_lanes) / store.layout.block * store.layout.block_stride;
        view.owned = store.set->owned;
        if (large_writes == LargeWrites::past_caches && is_large_write(use, bindings[i])) {
            view.how.mode = StoreMode::streamed;
        }
        if (use.is_indirect()) {
            view.map = use.map->targets.data();
            view.reads_targets = lies_in_target_block(use);
            note_map(context, *use.map);
        }
    }
}

void LoopBinding::bind_slots(Context& context, const ArgBinding* bindings, BoundDat* views) const {
    for (std::size_t i = 0; i < loop_.uses.size(); ++i) {
        if (bindings[i].reads_slots) {
            const ArgUse& use = loop_.uses[i];
            DatStore& store = *use.store;
            if (context.begin_halo({&store})) {
                context.end_halo();  // the copy holds import-exec elements too
            }
            views[i].slots =
                context.plans().slot_copy(*plan_, store, use.is_oriented).values.data();
        }
    }
}

bool LoopBinding::lies_in_target_block(const ArgUse& use) const {
    return use.access == Access::read && changed_.columns().size() == 1 &&
           changed_.columns().front() == MapColumn{use.map, use.slot};
}

/// Arguments of one map come one after the other.
void LoopBinding::note_map(Context& context, const MapPart& map) {
    if (!loop_.traits.has_shared_change && noted_ != &map) {
        noted_ = &map;
        reads_through_maps_ = true;
        leads_far_ |= context.plans().leads_far(map, loop_.set.exec);
    }
}

}  // namespace halocline::detail
