// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/derived_writes.hpp"

#include <algorithm>
#include <cstdint>

namespace halocline::detail {

namespace {

/// Tells the loops of a program apart (FNV-1a of the name's letters and the level).
std::uint64_t writer_id(const LoopName& name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3U; };
    for (const char* letter = name.name; *letter != '\0'; ++letter) {
        add(static_cast<unsigned char>(*letter));
    }
    add(static_cast<std::uint64_t>(name.level));
    return hash;
}

}  // namespace

bool completes_rows(const LoopName& name, const ArgUse& use) {
    return use.changes_derived() && use.store->derived_demand.expects_reader(writer_id(name));
}

bool completes_rows(const LoopName& name, ArgUses uses) {
    return std::any_of(uses.begin(), uses.end(),
                       [&](const ArgUse& use) { return completes_rows(name, use); });
}

void note_derived_writes(const LoopName& name, ArgUses uses,
                         FunctionRef<bool(std::size_t i)> followed) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (!uses[i].changes_derived()) {
            continue;
        }
        DatStore& store = *uses[i].store;
        store.derived_valid &= followed(i);
        const bool is_noted = std::any_of(
            uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(i),
            [&](const ArgUse& before) { return before.store == &store && before.is_changed(); });
        if (!is_noted) {
            store.derived_demand.note_writer(writer_id(name));
        }
    }
}

}  // namespace halocline::detail
