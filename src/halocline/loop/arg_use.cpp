// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which uses of one dat or global go together in a loop.
#include "halocline/loop/arg_use.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "halocline/core/error.hpp"

namespace halocline::detail {

namespace {

const char* access_word(Access access) {
    switch (access) {
        case Access::read:
            return "read";
        case Access::write:
            return "write";
        case Access::read_write:
            return "read_write";
        case Access::inc:
            return "inc";
        case Access::min:
            return "reduce_min";
        case Access::max:
            return "reduce_max";
    }
    return "";
}

std::string arguments_text(const ArgUse& a, const ArgUse& b) {
    return "arguments " + std::to_string(a.place.argument) + ", " + access_word(a.access) +
           ", and " + std::to_string(b.place.argument) + ", " + access_word(b.access);
}

/// Why two uses of one dat do not go together; empty when they do.
std::string_view conflict_of(const ArgUse& a, const ArgUse& b) {
    const bool both_add = a.access == Access::inc && b.access == Access::inc;
    if (a.access == Access::read && b.access == Access::read) {
        return "";
    }
    if (a.is_own != b.is_own) {
        return "the result would depend on the order of elements";
    }
    if (a.is_exclusive && b.is_exclusive) {
        return a.map == b.map && a.slot != b.slot
                   ? ""
                   : "what the one leaves would overwrite what the other does";
    }
    if (!a.is_own) {
        return a.access == b.access ? "" : "the result would depend on the order of elements";
    }
    const bool both_change = a.is_changed() && b.is_changed();
    return both_change && !both_add ? "what the one leaves would overwrite what the other does"
                                    : "";
}

void check_pair(const LoopName& name, const ArgUse& a, const ArgUse& b) {
    const bool both_change = a.is_changed() && b.is_changed();
    if (both_change && a.is_global() && a.storage == b.storage) {
        throw ContractError("loop '" + name.text() + "' reduces one global twice (" +
                            arguments_text(a, b) + ": one would be lost). Use a second global.");
    }
    if (a.is_shared_change() && b.is_shared_change() && a.kind == b.kind &&
        a.store->set != b.store->set) {
        throw ContractError("loop '" + name.text() + "' changes dats '" + a.store->name +
                            "' and '" + b.store->name + "' on two sets of one kind through maps (" +
                            arguments_text(a, b) +
                            ": a loop distinguishes sets by kind). Split the loop, or give one of "
                            "the sets a kind of its own.");
    }
    const std::string_view conflict =
        a.store != nullptr && a.store == b.store ? conflict_of(a, b) : "";
    if (!conflict.empty()) {
        throw ContractError("loop '" + name.text() + "' changes dat '" + a.store->name +
                            "' and uses it in another way too (" + arguments_text(a, b) + ": " +
                            std::string(conflict) + "). Split the loop or use a second dat.");
    }
}

[[noreturn]] void refuse_absent(const LoopName& name, const DatStore& dat, const MapPart& map) {
    throw ContractError("loop '" + name.text() + "' reads dat '" + dat.name + "' through map '" +
                        map.name +
                        "', which has absent entries, and nothing says what stands there. Say it "
                        "with set_absent before the loop.");
}

/// Ranks would come to different values, or to the same ones several times.
[[noreturn]] void refuse_replicated(const LoopName& name, const SetPart& loop_set,
                                    const DatStore& dat) {
    const bool leaves = loop_set.is_replicated;
    throw ContractError(
        "loop '" + name.text() + "' over set '" + loop_set.name + "' changes dat '" + dat.name +
        "' on set '" + dat.set->name + "' (" + (leaves ? "the loop's" : "the dat's") +
        " set is replicated on all ranks, the other one divided). Let a loop over '" +
        dat.set->name + "' read what it needs through a map.");
}

[[noreturn]] void refuse_swap_symmetric(const LoopName& name) {
    throw ContractError("loop '" + name.text() +
                        "' has a swap_symmetric kernel but is not a loop over two-ended edges (one "
                        "map of arity 2; what is added, or kept as smallest or largest, at "
                        "the first end and then alike at the second; all else read). Take "
                        "swap_symmetric away from the kernel.");
}

/// Each end's sum is kept beside the dat while its edges are walked: two of them would be written one
/// over the other.
[[noreturn]] void refuse_second_increment(const LoopName& name, const DatStore& dat) {
    throw ContractError("loop '" + name.text() + "' has a swap_symmetric kernel and adds to dat '" +
                        dat.name +
                        "' by two arguments at one end. Add both contributions in one argument.");
}

}  // namespace

bool changes_others(ArgUses uses) {
    return std::any_of(uses.begin(), uses.end(),
                       [](const ArgUse& use) { return !use.is_own && use.is_changed(); });
}

const SetPart* target_set(const LoopName& name, ArgUses uses) {
    const SetPart* target = nullptr;
    for (const ArgUse& use : uses) {
        if (!use.is_shared_change()) {
            continue;
        }
        if (target != nullptr && target != use.to) {
            throw ContractError("loop '" + name.text() +
                                "' changes dats on two sets through maps, which chains and devices "
                                "cannot. Split it.");
        }
        target = use.to;
    }
    return target;
}

namespace {

/// `which` set, told from one of the same name that another mesh has.
std::string other_set(const SetPart& which, const SetPart& than) {
    return "set '" + which.name + "'" + (which.name == than.name ? " of another mesh" : "");
}

/// What to do about two sets that ought to be one.
const char* advice_for(const SetPart& a, const SetPart& b) {
    return a.name == b.name ? " Take all sets, maps and dats of a loop from one mesh."
                            : " Use those of one set, or a map between the two.";
}

}  // namespace

void check_sets(const LoopName& name, const SetPart& loop_set, const DatStore& dat, ArgSets sets) {
    if (sets.from == &loop_set && sets.to == dat.set) {
        return;
    }
    const std::string where = "loop '" + name.text() + "', dat '" + dat.name + "': ";
    if (sets.from != &loop_set) {
        throw ContractError(where + "its map starts from " + other_set(*sets.from, loop_set) +
                            ", not from the loop's set '" + loop_set.name + "'." +
                            advice_for(*sets.from, loop_set));
    }
    if (sets.to == &loop_set && sets.from == sets.to) {
        throw ContractError(where + "it lives on " + other_set(*dat.set, loop_set) +
                            ", not on the loop's set '" + loop_set.name + "'." +
                            advice_for(*dat.set, loop_set));
    }
    throw ContractError(where + "its map leads to set '" + sets.to->name + "', but it lives on " +
                        other_set(*dat.set, *sets.to) + "." + advice_for(*dat.set, *sets.to));
}

void check_uses(const LoopName& name, const SetPart& loop_set, ArgUses uses) {
    for (const ArgUse& use : uses) {
        if (use.is_global()) {
            continue;
        }
        check_sets(name, loop_set, *use.store,
                   use.is_indirect() ? ArgSets{use.from, use.to} : ArgSets{&loop_set, &loop_set});
        if (use.is_changed() && loop_set.is_replicated != use.store->set->is_replicated) {
            refuse_replicated(name, loop_set, *use.store);
        }
        const bool reads_values = use.access == Access::read || use.access == Access::read_write;
        if (reads_values && use.is_indirect() && use.map->may_be_absent &&
            !use.store->absent_stated) {
            refuse_absent(name, *use.store, *use.map);
        }
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
        for (std::size_t j = i + 1; j < uses.size(); ++j) {
            check_pair(name, uses[i], uses[j]);
        }
    }
}

namespace {

/// Whether changes by several elements come to one, whatever their order.
bool is_joined(Access access) {
    return access == Access::inc || access == Access::min || access == Access::max;
}

/// What an edge does to one of its ends.
struct EndChange {
    const DatStore* store;
    Access access;
    bool operator==(const EndChange&) const = default;
};

}  // namespace

void check_two_ended(const LoopName& name, ArgUses uses) {
    const MapPart* map = nullptr;
    std::vector<EndChange> ends[2];
    for (const ArgUse& use : uses) {
        const bool changes_end = use.is_indirect() && is_joined(use.access);
        if (use.is_changed() && !changes_end) {
            refuse_swap_symmetric(name);
        }
        if (!use.is_indirect()) {
            continue;
        }
        if (use.map->arity != 2 || (map != nullptr && map != use.map)) {
            refuse_swap_symmetric(name);
        }
        map = use.map;
        if (changes_end) {
            auto& end = ends[use.slot];
            const auto is_same = [&](const EndChange& change) { return change.store == use.store; };
            if (std::any_of(end.begin(), end.end(), is_same)) {
                refuse_second_increment(name, *use.store);
            }
            end.push_back({use.store, use.access});
            if (ends[1].size() > ends[0].size()) {
                refuse_swap_symmetric(name);
            }
        }
    }
    if (ends[0].empty() || ends[0] != ends[1]) {
        refuse_swap_symmetric(name);
    }
}

}  // namespace halocline::detail
