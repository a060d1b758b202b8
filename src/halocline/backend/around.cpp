// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/around.hpp"

#include <algorithm>
#include <cstring>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::detail {

void require_mesh(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global()) {
            use.store->require_set();
        }
    }
}

void require_no_temporaries(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global() && use.store->temporary) {
            throw ContractError("dat '" + use.store->name +
                                "' is temporary: it exists within a chain only.");
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

void bring_to_host(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (!use.is_global()) {
            use.store->fetch();
        } else if (use.global_values != nullptr) {
            use.home->fetch(use.global_values, use.size);
        }
    }
}

void leave_on_host(ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.is_global() && use.is_changed()) {
            use.home->device_current = false;
        }
    }
}

namespace {

class ByteCount {
public:
    void add(const ArgUse& use) {
        if (use.is_global()) {
            return;
        }
        if (!use.store->temporary) {
            // Of a subset's own rows, those of its members.
            const bool of_members = use.is_own && use.is_indirect();
            add_dat(use.access, *use.store, (of_members ? use.from : use.store->set)->owned);
        }
        if (use.is_indirect() && first_time(read_, use.map)) {
            bytes_ += std::int64_t{4} * use.from->owned * use.map->arity;
        }
    }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
    void add_dat(Access access, const DatStore& store, LocalIndex elements) {
        const std::int64_t once = static_cast<std::int64_t>(store.row_bytes()) * elements;
        if (access != Access::write && first_time(read_, &store)) {
            bytes_ += once;
        }
        if (access != Access::read && first_time(written_, &store)) {
            bytes_ += once;
        }
    }

    static bool first_time(std::vector<const void*>& seen, const void* item) {
        const bool fresh = std::find(seen.begin(), seen.end(), item) == seen.end();
        if (fresh) {
            seen.push_back(item);
        }
        return fresh;
    }

    std::vector<const void*> read_;
    std::vector<const void*> written_;
    std::int64_t bytes_ = 0;
};

}  // namespace

std::int64_t count_bytes(std::initializer_list<ArgUses> loops) {
    ByteCount count;
    for (const ArgUses& uses : loops) {
        std::for_each(uses.begin(), uses.end(), [&](const ArgUse& use) { count.add(use); });
    }
    return count.bytes();
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
