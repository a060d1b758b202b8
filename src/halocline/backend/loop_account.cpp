// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/loop_account.hpp"

#include <algorithm>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::detail {

void require_alive(const LoopName& name, ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.alive.expired()) {
            const std::string what = use.is_global() ? "global" : "dat";
            throw ContractError("loop '" + name.text() + "' was made with a " + what +
                                " that is gone (argument " + std::to_string(use.place.argument) +
                                "). Keep " + what +
                                "s as long as the loops that were made with them" +
                                (use.is_global() ? ", where they were then." : "."));
        }
        if (!use.is_global()) {
            use.store->require_set();
        }
    }
}

void require_alive(const LoopName& name, ArgUses uses, const Lifetime::Watch& set_alive) {
    require_alive(name, uses);
    if (set_alive.expired()) {
        throw ContractError("loop '" + name.text() +
                            "' runs over a set whose mesh is gone. Keep the mesh as long as the "
                            "loops that were made with it (it may move).");
    }
}

void require_rows(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.is_indirect()) {
            use.map->require_rows();
        }
    }
}

void require_no_temporaries(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global() && use.store->temporary) {
            throw ContractError("dat '" + use.store->name +
                                "' is temporary: it exists within a chain only. Run the loop in "
                                "run_chain with those that make or read it, or use a dat of "
                                "make_dat.");
        }
    }
}

void reset_temporaries(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.is_global() || !use.store->temporary) {
            continue;
        }
        if (use.store->values.empty()) {
            use.store->allocate();
        }
        std::fill(use.store->values.begin(), use.store->values.end(), 0.0);
    }
}

void release_temporaries(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global() && use.store->temporary && !use.store->values.empty()) {
            use.store->values.release();
        }
    }
}

void append_halo_reads(ArgUses uses, std::vector<DatStore*>& stores) {
    const bool executes_imports = changes_others(uses);
    for (const ArgUse& use : uses) {
        const bool reads = use.access == Access::read || use.access == Access::read_write;
        if (!use.is_global() && reads && (!use.is_own || executes_imports) &&
            !use.store->temporary) {
            stores.push_back(use.store);
        }
    }
}

void mark_changes(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global() && use.is_changed()) {
            use.store->mark_written();
        }
    }
}

void recall_values(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global()) {
            use.store->recall();
        }
    }
}

void ensure_on_host(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global()) {
            use.store->fetch();
        } else if (use.global_values != nullptr) {
            use.storage->fetch(use.global_values, use.size);
        }
    }
}

void leave_on_host(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.is_global() && use.is_changed()) {
            use.storage->device_current = false;
        }
    }
}

namespace {

/// Whether an argument before `use` fits; loops have few arguments, so nothing is kept of them.
template <class Fits>
bool any_before(const ArgUse& use, std::span<const ArgUses> loops, Fits&& fits) {
    for (const ArgUses& uses : loops) {
        for (const ArgUse& earlier : uses) {
            if (&earlier == &use) {
                return false;
            }
            if (fits(earlier)) {
                return true;
            }
        }
    }
    return false;
}

/// Bytes of an argument's dat that earlier arguments have not read, or written, yet.
std::int64_t count_dat(const ArgUse& use, std::span<const ArgUses> loops) {
    // Of a subset's own rows, those of its members.
    const bool of_members = use.is_own && use.is_indirect();
    const std::int64_t once = static_cast<std::int64_t>(use.store->row_bytes()) *
                              (of_members ? use.from : use.store->set)->owned;
    const bool is_read = use.access != Access::write && !any_before(use, loops, [&](const auto& e) {
                             return e.store == use.store && e.access != Access::write;
                         });
    const bool is_written = use.is_changed() && !any_before(use, loops, [&](const auto& e) {
                                return e.store == use.store && e.is_changed();
                            });
    return (is_read ? once : 0) + (is_written ? once : 0);
}

}  // namespace

std::int64_t count_bytes(std::span<const ArgUses> loops) {
    std::int64_t bytes = 0;
    for (const ArgUses& uses : loops) {
        for (const ArgUse& use : uses) {
            if (!use.is_global() && !use.store->temporary) {
                bytes += count_dat(use, loops);
            }
            const auto same_map = [&](const ArgUse& e) { return e.map == use.map; };
            if (use.is_indirect() && !any_before(use, loops, same_map)) {
                bytes += std::int64_t{4} * use.from->owned * use.map->arity;
            }
        }
    }
    return bytes;
}

LoopAccount::LoopAccount(Context& context, const LoopName& name, const SetPart& set,
                         std::int64_t bytes)
    : context_(context),
      name_(name),
      set_(set),
      bytes_(bytes),
      halo_(context.halo_ledger()),
      start_s_(wall_seconds()) {}

LoopAccount::~LoopAccount() {
    LoopStatistics& row = context_.loops().row(name_);
    if (row.calls++ == 0) {
        row.set = set_.name;
    }
    row.seconds += wall_seconds() - start_s_;
    row.elements += set_.owned;
    row.bytes += bytes_;
    row.halo += context_.halo_ledger().since(halo_);
    if (strategy_ != nullptr && row.strategy != strategy_) {
        row.strategy = strategy_;
    }
    if (reason_ != nullptr && row.reason != reason_) {
        row.reason = reason_;
    }
}

void count_update(Context& context, const LoopName& name) {
    LoopStatistics& row = context.loops().row(name);
    row.set = "globals";
    ++row.calls;
    ++row.elements;
}

}  // namespace halocline::detail
