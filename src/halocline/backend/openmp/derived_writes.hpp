// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that change dats with derived values: whether these follow at once, and who changed what.
#pragma once

#include <cstdint>

#include "halocline/loop/element_place.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// Whether an argument changes components that others are derived from.
template <class Arg>
constexpr bool changes_derived() {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        return Arg::access != Access::read && uses_derived<typename Arg::DatT>;
    }
}

template <class LoopT>
inline constexpr bool any_changes_derived = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool any_changes_derived<Loop<Kernel, Tag, Args...>> = (changes_derived<Args>() ||
                                                                         ...);

/// Tells the loops of a program apart (FNV-1a of the name's letters and the level).
[[nodiscard]] inline std::uint64_t writer_id(const LoopName& name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3U; };
    for (const char* letter = name.name; *letter != '\0'; ++letter) {
        add(static_cast<unsigned char>(*letter));
    }
    add(static_cast<std::uint64_t>(name.level));
    return hash;
}

/// Whether derived values follow at once what a loop changes through this argument.
template <class Arg>
[[nodiscard]] bool completes_rows(const LoopName& name, const Arg& arg) {
    if constexpr (changes_derived<Arg>()) {
        return arg.store->derived_demand.expects_reader(writer_id(name));
    } else {
        return false;
    }
}
template <class LoopT>
[[nodiscard]] bool completes_rows(const LoopT& loop) {
    return apply_to([&](const auto&... arg) { return (completes_rows(loop.name, arg) || ...); },
                    loop.args);
}

/// After a loop: what it changed is old from now on, unless `followed(i)`, and these were its changes.
template <class LoopT, class Followed>
void note_derived_writes(const LoopT& loop, Followed&& followed) {
    if constexpr (any_changes_derived<LoopT>) {
        const std::uint64_t id = writer_id(loop.name);
        const auto note = [&](std::size_t i, bool changes) {
            if (!changes) {
                return;
            }
            DatStore& store = *loop.uses[i].store;
            store.derived_valid &= followed(i);
            for (std::size_t before = 0; before < i; ++before) {
                if (loop.uses[before].store == &store && loop.uses[before].is_changed()) {
                    return;  // noted
                }
            }
            store.derived_demand.note_writer(id);
        };
        apply_to(
            [&]<class... Args>(const Args&...) {
                std::size_t i = 0;
                (note(i++, changes_derived<Args>()), ...);
            },
            loop.args);
    }
}

}  // namespace halocline::detail
