// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/run_loop.hpp"

#include <algorithm>
#include <vector>

#include "halocline/backend/chain_footprint.hpp"
#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/by_element.hpp"

namespace halocline::detail {

namespace {

void run_plain(Context& context, const LoopCall& call) {
    require_rows(call.data.uses);
    const LoopAccount account(context, call.data.name, call.data.set, count_bytes(call.data.uses));
    if (context.backend() == Backend::check) {
        call.ways.run_checked(context, call.loop);
    } else {
        call.ways.run_serial(context, call.loop);
    }
}

/// On the openmp back end. Two-ended loops walk their plan, which needs the rows only to be made.
void require_rows_of_packs(const LoopData& data) {
    if (!data.traits.is_swap_symmetric) {
        require_rows(data.uses);
    }
}

/// All halos at once, as where the chain is fused: other ranks may do so.
void exchange_halos(Context& context, std::span<const LoopCall> calls) {
    std::vector<DatStore*> halos;
    for (const LoopCall& call : calls) {
        append_halo_reads(call.data.uses, halos);
    }
    if (context.begin_halo(halos)) {
        context.end_halo();
    }
}

/// The loops of a chain one after the other on the openmp back end.
void run_unfused(Context& context, std::span<const LoopCall> calls) {
    exchange_halos(context, calls);
    for (const LoopCall& call : calls) {
        reset_temporaries(call.data.uses);
    }
    for (const LoopCall& call : calls) {
        static_cast<void>(run_on_cores(context, call));
    }
}

/// Loops one after the other and element by element; on a device back end those without device form,
/// on what is brought back for them.
void run_on_host(Context& context, const LoopName& name, std::span<const LoopCall> calls,
                 const char* source) {
    if (context.device() != nullptr) {
        if (!device::begin_host_loop(context, name, source)) {
            return;
        }
        for (const LoopCall& call : calls) {
            ensure_on_host(call.data.uses);
        }
        exchange_halos(context, calls);
    }
    for (const LoopCall& call : calls) {
        reset_temporaries(call.data.uses);
    }
    for (const LoopCall& call : calls) {
        run_plain(context, call);
    }
    if (context.device() != nullptr) {
        for (const LoopCall& call : calls) {
            leave_on_host(call.data.uses);
        }
    }
}

/// On back ends that are not openmp.
void run_elsewhere(Context& context, const LoopName& name, const SetPart& set,
                   std::span<const LoopCall> calls, device::FormSlot& form, const void* loops) {
    const device::LoopScope scope(context, name);
    for (const LoopCall& call : calls) {
        recall_values(call.data.uses);
    }
    if (context.device() == nullptr || !device::run_form(context, form, name, &set, loops)) {
        run_on_host(context, name, calls, form.source);
    }
}

}  // namespace

void run_loop(Context& context, const LoopCall& call, device::FormSlot& form, const void* loops) {
    const LoopData& data = call.data;
    require_alive(data.name, data.uses, data.set_alive);
    require_no_temporaries(data.uses);
    if (context.backend() != Backend::openmp) {
        run_elsewhere(context, data.name, data.set, {&call, 1}, form, loops);
        return;
    }
    require_rows_of_packs(data);
    LoopAccount account(context, data.name, data.set, count_bytes(data.uses));
    const StrategyChoice choice = run_on_cores(context, call);
    account.note(strategy_name(choice.strategy), choice.reason);
}

void run_loops(Context& context, const LoopName& name, const SetPart& set,
               std::span<const LoopCall> calls, device::FormSlot& form, const void* loops,
               FunctionRef<void()> fused) {
    std::vector<ArgUses> uses;
    ChainFootprint footprint(set);
    for (const LoopCall& call : calls) {
        require_alive(call.data.name, call.data.uses, call.data.set_alive);
        uses.push_back(call.data.uses);
    }
    for (const LoopCall& call : calls) {
        footprint.add(call.data.name, call.data.set, call.data.uses);
    }
    footprint.check(name);
    if (context.backend() != Backend::openmp) {
        run_elsewhere(context, name, set, calls, form, loops);
        return;
    }
    for (const LoopCall& call : calls) {
        require_rows_of_packs(call.data);
    }
    LoopAccount account(context, name, calls.front().data.set, count_bytes(uses));
    const bool is_one = calls.size() == 1;
    if (is_one || std::any_of(calls.begin(), calls.end(), [&](const LoopCall& call) {
            return prefers_to_run_alone(context, call.data);
        })) {
        account.note("loop by loop", is_one ? "it is one loop" : "one of its loops scatters");
        run_unfused(context, calls);
        return;
    }
    const ChainChoice choice = run_fused(context, name, calls, fused);
    account.note(choice.strategy, choice.reason);
}

bool update_on_device(Context& context, const LoopName& name, ArgUses uses, device::FormSlot& form,
                      const void* update) {
    require_alive(name, uses);
    if (context.device() == nullptr) {
        return false;
    }
    const device::LoopScope scope(context, name);
    if (device::run_form(context, form, name, nullptr, update) ||
        !device::begin_host_loop(context, name, form.source)) {
        return true;
    }
    ensure_on_host(uses);
    return false;
}

}  // namespace halocline::detail
