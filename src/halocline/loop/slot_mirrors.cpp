// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pairs the two entries of each edge, then lets slots refer to each other.
#include "halocline/loop/slot_mirrors.hpp"

#include <algorithm>
#include <iterator>

namespace halocline {

namespace {

constexpr std::uint32_t no_entry = ~std::uint32_t{0};

bool is_used(const GatherPlan& plan, std::size_t entry) {
    return (plan.used[entry / simd_lanes] >> (entry % simd_lanes) & 1) != 0;
}

/// The entries of an edge, combined so that either gives the other.
class EntryPairs {
public:
    explicit EntryPairs(const GatherPlan& plan) : plan_(plan), both_(elements_of(plan), no_entry) {
        const std::size_t entries = plan.element.size();
        for (std::size_t entry = 0; entry < entries; ++entry) {
            prefetch(entry);
            if (is_used(plan, entry)) {
                both_[static_cast<std::size_t>(plan.element[entry])] ^=
                    static_cast<std::uint32_t>(entry);
            }
        }
    }

    /// The other end's entry, or `no_entry` when that end is not on this rank.
    [[nodiscard]] std::uint32_t partner(std::size_t entry) const {
        prefetch(entry);
        const std::uint32_t rest = both_[static_cast<std::size_t>(plan_.element[entry])] ^
                                   static_cast<std::uint32_t>(entry);
        return rest == no_entry ? no_entry : ~rest;
    }

private:
    static std::size_t elements_of(const GatherPlan& plan) {
        const auto* last = std::max_element(plan.element.begin(), plan.element.end());
        return last == plan.element.end() ? 0 : static_cast<std::size_t>(*last) + 1;
    }

    void prefetch(std::size_t entry) const {
        constexpr std::size_t entries_ahead = 64;
        const std::size_t later = std::min(entry + entries_ahead, plan_.element.size() - 1);
        __builtin_prefetch(&both_[static_cast<std::size_t>(plan_.element[later])]);
    }

    const GatherPlan& plan_;
    Buffer<std::uint32_t> both_;
};

/// A slot looks back to what was stored this many slots before it at most: that is still in a
/// private cache.
constexpr std::int64_t slots_back = 2048;
/// And ahead as far as slots have been fetched already.
constexpr std::int64_t slots_ahead = 24;

/// A mirror costs some twenty cycles more than a stored slot, and branches that come as they like cost
/// as much again: one slot in so many becomes a mirror, the first ones of a run of blocks.
constexpr LocalIndex slots_a_mirror = 6;
constexpr std::size_t blocks_a_run = 256;

/// Decides slot by slot, each as early as it can be: who refers to others, and who must store for it.
class MirrorSearch {
public:
    explicit MirrorSearch(const GatherPlan& plan)
        : plan_(plan), pairs_(plan), state_(static_cast<std::size_t>(plan.slots()), State::free) {}

    /// Makes `slot` a mirror if all it needs is stored nearby; its partners then stay stored.
    bool take(std::size_t slot) {
        if (state_[slot] == State::needed || !can_mirror(slot)) {
            return false;
        }
        state_[slot] = State::mirror;
        for (const std::uint32_t partner : partners_) {
            state_[partner / simd_lanes] = State::needed;
        }
        return true;
    }

    /// Where the edges of `slot` are stored; lanes without an edge look where another looks.
    [[nodiscard]] const std::uint32_t (&partners(std::size_t slot))[simd_lanes] {
        find_partners(slot);
        return partners_;
    }

private:
    enum class State : std::uint8_t { free, needed, mirror };

    bool can_mirror(std::size_t slot) {
        find_partners(slot);
        return std::all_of(std::begin(partners_), std::end(partners_), [&](std::uint32_t partner) {
            const auto place = static_cast<std::int64_t>(partner / simd_lanes);
            const auto here = static_cast<std::int64_t>(slot);
            return partner != no_entry && place != here && here - place <= slots_back &&
                   place - here <= slots_ahead &&
                   state_[static_cast<std::size_t>(place)] != State::mirror;
        });
    }

    void find_partners(std::size_t slot) {
        std::uint32_t any = no_entry;
        for (std::size_t lane = simd_lanes; lane-- > 0;) {
            const std::size_t entry = slot * simd_lanes + lane;
            if (is_used(plan_, entry)) {
                any = partners_[lane] = pairs_.partner(entry);
            }
        }
        for (std::size_t lane = 0; lane < simd_lanes; ++lane) {
            if (!is_used(plan_, slot * simd_lanes + lane)) {
                partners_[lane] = any;
            }
        }
    }

    const GatherPlan& plan_;
    EntryPairs pairs_;
    Buffer<State> state_;
    std::uint32_t partners_[simd_lanes] = {};
};

}  // namespace

SlotMirrors find_slot_mirrors(const GatherPlan& plan) {
    const auto blocks = static_cast<std::size_t>(plan.blocks);
    SlotMirrors result{Buffer<std::uint32_t>(blocks, 0), Buffer<LocalIndex>(blocks + 1), {}};
    MirrorSearch search(plan);
    Buffer<LocalIndex> place(static_cast<std::size_t>(plan.slots()));
    LocalIndex stored = 0;
    LocalIndex quota = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        result.stored_before[b] = stored;
        if (b % blocks_a_run == 0) {
            quota =
                (plan.begin[std::min(b + blocks_a_run, blocks)] - plan.begin[b]) / slots_a_mirror;
        }
        for (LocalIndex slot = plan.begin[b]; slot < plan.begin[b + 1]; ++slot) {
            const LocalIndex k = slot - plan.begin[b];
            place[static_cast<std::size_t>(slot)] = stored;
            if (k < SlotMirrors::most_slots && quota > 0 &&
                search.take(static_cast<std::size_t>(slot))) {
                result.is_mirror[b] |= 1U << k;
                --quota;
            } else {
                ++stored;
            }
        }
    }
    result.stored_before[blocks] = stored;
    result.stored_entry =
        Buffer<std::uint32_t>(static_cast<std::size_t>(plan.slots() - stored) * simd_lanes);
    std::uint32_t* entry = result.stored_entry.data();
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const LocalIndex first = plan.begin[static_cast<std::size_t>(b)];
        for (LocalIndex slot = first; slot < plan.begin[static_cast<std::size_t>(b) + 1]; ++slot) {
            if (!result.mirrors(b, slot - first)) {
                continue;
            }
            for (const std::uint32_t partner : search.partners(static_cast<std::size_t>(slot))) {
                const auto stored_slot = static_cast<std::uint32_t>(place[partner / simd_lanes]);
                *entry++ = stored_slot * simd_lanes + partner % simd_lanes;
            }
        }
    }
    return result;
}

}  // namespace halocline
