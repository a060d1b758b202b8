// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counts reads to find the dats that are read through copies alone.
#include "halocline/loop/slot_copies.hpp"

#include <algorithm>
#include <cstring>

#include "halocline/memory/memory_account.hpp"

namespace halocline {

namespace {

/// Local elements that no slot of a plan has: neither end is owned here.
std::vector<LocalIndex> rows_without_slot(const CachedGather& gather) {
    std::vector<LocalIndex> rows;
    const SetPart& from = *gather.from;
    for (LocalIndex e = 0; e < from.rows(); ++e) {
        const auto leads_here = [&](const MapColumn& column) {
            return column.target_of(e) < gather.to->owned;
        };
        if (e >= from.exec ||
            std::none_of(gather.columns.begin(), gather.columns.end(), leads_here)) {
            rows.push_back(e);
        }
    }
    return rows;
}

std::byte* row_of(DatStore& store, LocalIndex row) {
    return reinterpret_cast<std::byte*>(store.values.data()) +
           static_cast<std::size_t>(row) * store.row_bytes();
}

/// Writes what slots hold where it came from.
template <class T>
void spread(const SlotCopy& copy, T* values) {
    const GatherPlan& plan = copy.gather->plan;
    const auto dim = static_cast<std::size_t>(copy.store->dim);
    const T* slots = reinterpret_cast<const T*>(copy.values.data());
    for (std::size_t i = 0; i < plan.element.size(); ++i) {
        const std::size_t slot = i / simd_lanes;
        const std::size_t lane = i % simd_lanes;
        if ((plan.used[slot] >> lane & 1) == 0) {
            continue;
        }
        const bool negate = copy.oriented && plan.column[i] == 1;
        for (std::size_t d = 0; d < dim; ++d) {
            const T value = slots[(slot * dim + d) * simd_lanes + lane];
            values[static_cast<std::size_t>(plan.element[i]) * dim + d] = negate ? -value : value;
        }
    }
}

}  // namespace

SlotCopies::~SlotCopies() {
    for (SlotCopy& copy : copies_) {
        restore(copy);
    }
}

void SlotCopies::restore_all(const CachedGather& gather) {
    for (SlotCopy& copy : copies_) {
        if (copy.gather == &gather) {
            restore(copy);
        }
    }
}

void SlotCopies::restore(SlotCopy& copy) {
    if (!copy.replaces_dat || copy.alive.expired()) {
        return;
    }
    if (copy.store->set_alive.expired()) {
        copy.store->keeper = nullptr;  // it may not be read any more
    } else {
        fetch(*copy.store);
    }
}

SlotCopy* SlotCopies::find(const CachedGather& gather, const DatStore& store, bool oriented) {
    const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const SlotCopy& copy) {
        return copy.gather == &gather && copy.store == &store && copy.oriented == oriented &&
               !copy.alive.expired();
    });
    return found == copies_.end() ? nullptr : &*found;
}

const SlotCopy& SlotCopies::copy_of(CachedGather& gather, DatStore& store, bool oriented) {
    SlotCopy* copy = find(gather, store, oriented);
    if (copy != nullptr && copy->version == store.version) {
        note_read(*copy);
        return *copy;
    }
    drop_dead();
    gather.require_lists(copy != nullptr);
    if (copy == nullptr) {
        copy = &copies_.emplace_back();
        copy->gather = &gather;
        copy->store = &store;
        copy->alive = store.lifetime.watch();
        copy->oriented = oriented;
    }
    const RawDat values = store.raw();
    const MemoryScope scope(MemoryUse::copies);
    fill_slot_copy(gather.plan, values, oriented, copy->values);
    copy->version = store.version;
    copy->reads = 0;
    return *copy;
}

void SlotCopies::drop_dead() {
    copies_.remove_if([](const SlotCopy& copy) { return copy.alive.expired(); });
}

void SlotCopies::note_read(SlotCopy& copy) {
    constexpr int enough_reads = 4;
    const DatStore& store = *copy.store;
    const bool may_replace = !copy.is_restored && !copy.gather->is_frozen &&
                             store.keeper == nullptr && store.values.owns_memory();
    if (may_replace && !keeps_originals_ && ++copy.reads == enough_reads) {
        replace_dat(copy);
    }
}

void SlotCopies::replace_dat(SlotCopy& copy) {
    DatStore& store = *copy.store;
    const bool is_compact = store.layout.block == 1 && store.layout.block_stride == store.dim;
    std::vector<LocalIndex> rows = rows_without_slot(*copy.gather);
    if (!is_compact || 8 * rows.size() > static_cast<std::size_t>(store.set->rows())) {
        copy.is_restored = true;
        return;
    }
    copy.other_values.resize(rows.size() * store.row_bytes());
    std::byte* to = copy.other_values.data();
    for (const LocalIndex row : rows) {
        std::memcpy(to, row_of(store, row), store.row_bytes());
        to += store.row_bytes();
    }
    copy.other_rows = std::move(rows);
    copy.replaces_dat = true;
    store.keeper = this;
    store.values.release();
}

void SlotCopies::fetch(DatStore& store) {
    const auto copy = std::find_if(copies_.begin(), copies_.end(), [&](const SlotCopy& known) {
        return known.replaces_dat && known.store == &store;
    });
    store.keeper = nullptr;
    copy->replaces_dat = false;
    copy->is_restored = true;
    copy->gather->require_lists(false);
    store.allocate();
    visit_element_type(
        store.type, [&]<class T>(T) { spread(*copy, reinterpret_cast<T*>(store.values.data())); });
    const std::byte* from = copy->other_values.data();
    for (const LocalIndex row : copy->other_rows) {
        std::memcpy(row_of(store, row), from, store.row_bytes());
        from += store.row_bytes();
    }
    copy->other_rows = {};
    copy->other_values = {};
}

}  // namespace halocline
