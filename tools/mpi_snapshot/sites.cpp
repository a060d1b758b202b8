// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finding the site of a call: a look-up in a hash table, the stack unwound only for a new one.
#include "sites.hpp"

#include "glue.hpp"
#include "modules.hpp"
#include "session.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

constexpr std::uint32_t mask = SiteTable::slot_count - 1;

std::uint32_t start_of(const void* address, Function function) {
    const auto bits =
        reinterpret_cast<std::uintptr_t>(address) ^ (static_cast<std::uintptr_t>(function) << 48);
    // Fibonacci hashing: return addresses differ in their low bits.
    return static_cast<std::uint32_t>((bits * 0x9e3779b97f4a7c15u) >> 40) & mask;
}

bool same_frames(const Site& site, const void* const* frames, int depth) {
    for (int i = 1; i < depth; ++i) {
        if (site.frames[i] != frames[i]) {
            return false;
        }
    }
    return site.depth == depth;
}

/// The slot of these frames, or the free one where they go: there always is one, sites run out first.
std::uint16_t& slot_of(SiteTable& table, Function function, const void* const* frames, int depth) {
    std::uint32_t index = start_of(frames[0], function);
    for (;; index = (index + 1) & mask) {
        std::uint16_t& slot = table.slots[index];
        if (slot == 0) {
            return slot;
        }
        const Site& site = table.sites[slot - 1];
        if (site.address.load(std::memory_order_relaxed) == frames[0] &&
            site.function == static_cast<std::uint16_t>(function) &&
            same_frames(site, frames, depth)) {
            return slot;
        }
    }
}

Site* find(SiteTable& table, Function function, const void* const* frames, int depth) {
    const std::uint16_t slot = slot_of(table, function, frames, depth);
    return slot == 0 ? nullptr : &table.sites[slot - 1];
}

void fill(Site& site, Function function, const void* const* frames, int depth) {
    site.function = static_cast<std::uint16_t>(function);
    site.depth = static_cast<std::uint16_t>(depth);
    for (int i = 0; i < depth; ++i) {
        site.frames[i] = frames[i];
        site.places[i] = place_of(frames[i]);
    }
    site.glue_offset = is_glue(site.places[0].module) ? glue_unknown : 0;
    site.address.store(frames[0], std::memory_order_release);
}

/// Null when the table is full.
Site* find_or_fill(SiteTable& table, Function function, const void* const* frames, int depth) {
    std::uint16_t& slot = slot_of(table, function, frames, depth);
    if (slot == 0) [[unlikely]] {
        const std::uint64_t used = table.used.get();
        if (used == SiteTable::capacity) {
            return nullptr;
        }
        fill(table.sites[used], function, frames, depth);
        table.used.add(1);
        slot = static_cast<std::uint16_t>(used + 1);
    }
    return &table.sites[slot - 1];
}

/// The site when the wrapper was called from glue code: the program's frame is further up.
Site* behind_glue(SiteTable& table, Site& glue, Function function, Frame frame) {
    const void* found = nullptr;
    if (glue.glue_offset > 0) {
        found = address_behind_glue(frame, glue.glue_offset);
        if (Site* known = find(table, function, &found, 1)) {
            return known;
        }
    }
    // A site not met before: ask the unwinder, and find out whether glue frames have one size.
    const Unwound truth = first_frame_beyond_glue(frame);
    if (truth.address == nullptr) {
        return &glue;
    }
    if (glue.glue_offset != glue_varies) {
        const bool contradicts = glue.glue_offset > 0 && glue.glue_offset != truth.offset;
        glue.glue_offset = contradicts || truth.offset <= 0 ? glue_varies : truth.offset;
    }
    return find_or_fill(table, function, &truth.address, 1);
}

/// The site of a call from the glue code that called last: one look-up, without a site of the glue.
Site* behind_same_glue(SiteTable& table, const RecentSites& recent, Function function,
                       Frame frame) {
    if (frame.address != recent.glue_caller) {
        return nullptr;
    }
    const void* address = address_behind_glue(frame, recent.glue_offset);
    return find(table, function, &address, 1);
}

void keep_behind_glue(RecentSites& recent, const Site& glue, Site* found, Frame frame) {
    if (glue.glue_offset > 0) {
        recent.glue_caller = frame.address;
        recent.glue_offset = glue.glue_offset;
        recent.keep(found->address.load(std::memory_order_relaxed), found);
    } else if (recent.glue_caller == frame.address) {
        recent.glue_caller = nullptr;  // its frames have turned out to differ in size
    }
}

Site* shallow_site(SiteTable& table, RecentSites& recent, Function function, Frame frame) {
    if (Site* site = behind_same_glue(table, recent, function, frame)) {
        recent.keep(site->address.load(std::memory_order_relaxed), site);
        return site;
    }
    const void* address = frame.address;
    Site* site = find_or_fill(table, function, &address, 1);
    if (site == nullptr) {
        return nullptr;
    }
    if (site->glue_offset == 0) {
        recent.keep(address, site);
        return site;
    }
    Site* found = behind_glue(table, *site, function, frame);
    if (found != nullptr && found != site) {
        keep_behind_glue(recent, *site, found, frame);
    }
    return found;
}

Site* deep_site(SiteTable& table, RecentSites& recent, Function function, Frame frame) {
    const void* frames[deepest_site];
    const int depth = frames_beyond_glue(frame, frames, session.settings.depth);
    return depth == 0 ? shallow_site(table, recent, function, frame)
                      : find_or_fill(table, function, frames, depth);
}

SiteTable* table_of(ThreadRecord& record) {
    SiteTable* table = record.sites.load(std::memory_order_relaxed);
    if (table == nullptr) [[unlikely]] {
        table = allocate_array<SiteTable>(1);
        record.sites.store(table, std::memory_order_release);
    }
    return table;
}

}  // namespace

Site* find_site(ThreadRecord& record, RecentSites& recent, Function function, Frame frame) {
    SiteTable* table = table_of(record);
    if (table == nullptr) {
        return nullptr;
    }
    Site* site = session.settings.depth == 1 ? shallow_site(*table, recent, function, frame)
                                             : deep_site(*table, recent, function, frame);
    if (site == nullptr) {
        table->dropped.add(1);
    }
    return site;
}

}  // namespace halocline::snapshot
