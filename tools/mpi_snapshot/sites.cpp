// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finding the site of a call: one look into a hash table, the stack unwound only for a new one.
#include "sites.hpp"

#include "glue.hpp"
#include "handle_table.hpp"
#include "modules.hpp"
#include "session.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

constexpr std::uint32_t mask = SiteTable::capacity - 1;
constexpr std::uint32_t fullest = SiteTable::capacity / 4 * 3;

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

/// The site of these frames, or the free slot where it goes; null when the table is full.
Site* look_up(SiteTable& table, Function function, const void* const* frames, int depth) {
    std::uint32_t index = start_of(frames[0], function);
    for (std::uint32_t tries = 0; tries < SiteTable::capacity;
         ++tries, index = (index + 1) & mask) {
        Site& site = table.sites[index];
        const void* address = site.address.load(std::memory_order_relaxed);
        if (address == nullptr) {
            return table.used.get() < fullest ? &site : nullptr;
        }
        if (address == frames[0] && site.function == static_cast<std::uint16_t>(function) &&
            same_frames(site, frames, depth)) {
            return &site;
        }
    }
    return nullptr;
}

void fill(SiteTable& table, Site& site, Function function, const void* const* frames, int depth) {
    site.function = static_cast<std::uint16_t>(function);
    site.depth = static_cast<std::uint16_t>(depth);
    for (int i = 0; i < depth; ++i) {
        site.frames[i] = frames[i];
        site.places[i] = place_of(frames[i]);
    }
    table.used.add(1);
    site.address.store(frames[0], std::memory_order_release);
}

Site* find_or_fill(SiteTable& table, Function function, const void* const* frames, int depth) {
    Site* site = look_up(table, function, frames, depth);
    if (site != nullptr && site->address.load(std::memory_order_relaxed) == nullptr) {
        fill(table, *site, function, frames, depth);
    }
    return site;
}

/// The return address in the program, at a known distance above glue code's frame.
const void* address_behind_glue(Frame frame, std::int32_t offset) {
    return *reinterpret_cast<const void* const*>(static_cast<const char*>(frame.frame_address) +
                                                 offset);
}

/// The site when the wrapper was called from glue code: the program's frame is further up.
Site* behind_glue(SiteTable& table, Site& glue, Function function, Frame frame) {
    const void* found = nullptr;
    if (glue.glue_offset > 0) {
        found = address_behind_glue(frame, glue.glue_offset);
        Site* known = look_up(table, function, &found, 1);
        if (known != nullptr && known->address.load(std::memory_order_relaxed) != nullptr) {
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

/// The site of the newest call if this one comes from there, too.
Site* repeated(const NewestSite& newest, Frame frame) {
    if (newest.caller != frame.address) {
        return nullptr;
    }
    if (newest.glue_offset == 0) {
        return newest.site;
    }
    const void* address = newest.site->address.load(std::memory_order_relaxed);
    return address_behind_glue(frame, newest.glue_offset) == address ? newest.site : nullptr;
}

Site* shallow_site(SiteTable& table, NewestSite& newest, Function function, Frame frame) {
    const void* address = frame.address;
    Site* site = look_up(table, function, &address, 1);
    if (site == nullptr) {
        return nullptr;
    }
    if (site->address.load(std::memory_order_relaxed) == nullptr) [[unlikely]] {
        fill(table, *site, function, &address, 1);
        site->glue_offset = is_glue(site->places[0].module) ? glue_unknown : 0;
    }
    Site* found = site->glue_offset == 0 ? site : behind_glue(table, *site, function, frame);
    if (found != nullptr && site->glue_offset >= 0) {
        newest = {frame.address, found, site->glue_offset};
    }
    return found;
}

Site* deep_site(SiteTable& table, NewestSite& newest, Function function, Frame frame) {
    const void* frames[deepest_site];
    const int depth = frames_beyond_glue(frame, frames, session.settings.depth);
    return depth == 0 ? shallow_site(table, newest, function, frame)
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

void note_site(ThreadRecord& record, NewestSite& newest, Function function, Frame frame,
               std::uint64_t ticks, std::uint64_t bytes) {
    Site* site = repeated(newest, frame);
    if (site == nullptr) {
        SiteTable* table = table_of(record);
        if (table == nullptr) {
            return;
        }
        newest.caller = nullptr;
        site = session.settings.depth == 1 ? shallow_site(*table, newest, function, frame)
                                           : deep_site(*table, newest, function, frame);
        if (site == nullptr) {
            table->dropped.add(1);
            return;
        }
    }
    site->calls.add(1);
    site->ticks.add(ticks);
    site->longest.raise(ticks);
    site->bytes.add(bytes);
}

}  // namespace halocline::snapshot
