// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a loop does with its arguments, as data: all that the code around a kernel needs to know, so
// that it is compiled once and not with every loop.
#pragma once

#include <span>
#include <type_traits>

#include "halocline/loop/args.hpp"
#include "halocline/loop/loop_name.hpp"

namespace halocline::detail {

/// How one argument touches its dat or global: what its type says, and what it points to.
struct ArgUse {
    ArgumentPlace place;  ///< as the loop's maker wrote it
    Access access = Access::read;
    ElementType type = ElementType::float64;
    int size = 0;                      ///< values an element
    DatStore* store = nullptr;         ///< null for globals
    GlobalStorage* storage = nullptr;  ///< of globals
    double* global_values = nullptr;   ///< of globals that devices may keep
    const MapPart* map = nullptr;      ///< null without one
    const SetPart* from = nullptr;     ///< that the map starts from
    const SetPart* to = nullptr;
    int slot = -1;
    bool is_own = true;              ///< the loop's own element, be it one of a subset
    bool is_oriented = false;        ///< negated at the second end of an edge
    bool is_exclusive = false;       ///< no other element reaches what it changes through its map
    bool has_derived = false;        ///< its dat has values that others are derived from
    const void* kind = nullptr;      ///< of element
    Lifetime::Watch alive;           ///< expires with the dat or the global
    const void* dat_type = nullptr;  ///< null for globals
    const void* map_type = nullptr;  ///< null without a map

    [[nodiscard]] constexpr bool is_global() const { return dat_type == nullptr; }
    [[nodiscard]] constexpr bool is_indirect() const { return map_type != nullptr; }
    [[nodiscard]] constexpr bool is_changed() const { return access != Access::read; }
    [[nodiscard]] constexpr bool is_shared_change() const {
        return is_indirect() && !is_exclusive && is_changed();
    }
    /// Whether it changes components that others are derived from.
    [[nodiscard]] constexpr bool changes_derived() const { return has_derived && is_changed(); }
};

/// Of all arguments of one loop, in order.
using ArgUses = std::span<const ArgUse>;

/// Its address stands for a type: a kind of element, a dat's or a map's.
template <class T>
inline constexpr char type_mark = 0;

/// What the type of an argument says of its use; `point_to` adds the rest.
template <class Arg>
constexpr ArgUse use_by_type(ArgumentPlace place) {
    ArgUse use;
    use.place = place;
    use.access = Arg::access;
    use.type = element_type_of<typename Arg::Stored>;
    use.size = Arg::size;
    use.is_own = Arg::is_own;
    use.is_oriented = Arg::is_oriented;
    use.is_exclusive = Arg::is_exclusive;
    if constexpr (!Arg::is_global) {
        use.slot = Arg::slot;
        use.has_derived = has_derived<typename Arg::DatT::Storage>;
        use.kind = &type_mark<typename Arg::DatT::Tag>;
        use.dat_type = &type_mark<typename Arg::DatT>;
        use.map_type = Arg::is_indirect ? &type_mark<typename Arg::MapT> : nullptr;
    }
    return use;
}

template <class Arg>
void point_to(const Arg& arg, ArgUse& use) {
    if constexpr (Arg::is_global) {
        use.storage = arg.storage;
        if (arg.storage != nullptr) {  // else an argument that a part of a loop leaves out
            use.alive = arg.storage->lifetime.watch();
        }
        if constexpr (std::is_same_v<typename Arg::Stored, double>) {
            use.global_values = arg.value == nullptr ? nullptr : arg.value->v;
        }
    } else {
        use.store = arg.store;
        use.alive = arg.store->lifetime.watch();
        use.map = arg.map;
        use.from = arg.from;
        use.to = arg.to;
    }
}

/// Whether the loop changes other elements than its own: import-exec elements are executed, too, then.
[[nodiscard]] bool changes_others(ArgUses uses);

/// The set that shared changes go to; null when there are none. Throws ContractError for several.
[[nodiscard]] const SetPart* target_set(const LoopName& name, ArgUses uses);

/// Throws ContractError when a dat or its map does not belong to a loop over `loop_set`, or when the
/// loop uses a dat or a global in two ways that do not go together.
/// Results must not depend on which element runs first: who changes a dat through a map may not read
/// at it in the same loop, and who changes it directly may not read it through a map. Of two arguments
/// that change the own element, the one stored last would undo the other, unless both add; the same
/// holds for two that write through maps, unless through two columns of one. A global has one reduction
/// under way. Sets that are changed through maps are distinguished by kind.
void check_uses(const LoopName& name, const SetPart& loop_set, ArgUses uses);

/// Throws ContractError unless a swap-symmetric kernel can stand for both ends of an edge: one map of
/// arity 2, direct arguments only read, and what is added, or kept as smallest or largest, at one end has
/// its twin at the other.
void check_two_ended(const LoopName& name, ArgUses uses);

/// Sets that an argument leads from and to; a direct one stays on the loop's.
struct ArgSets {
    const SetPart* from;
    const SetPart* to;
};

/// Throws ContractError when a dat or its map does not belong to a loop over `loop_set`.
void check_sets(const LoopName& name, const SetPart& loop_set, const DatStore& dat, ArgSets sets);

}  // namespace halocline::detail
