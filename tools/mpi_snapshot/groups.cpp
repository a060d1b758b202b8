// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Translation of MPI groups to world ranks.
#include "groups.hpp"

#include "family.hpp"
#include "functions.hpp"
#include "handle_table.hpp"
#include "session.hpp"

namespace halocline::snapshot {

namespace {

Group whole_world;
HandleTable<Group*> groups_by_hash;
HandleTable<std::uint32_t> ordinals;
Scratch<int> translation;  // guarded by the caller's lock

std::uint64_t hash_of(const int* ranks, int size) {
    std::uint64_t hash = mix(0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(size));
    for (int i = 0; i < size; ++i) {
        hash = mix(hash * 31 + static_cast<std::uint64_t>(ranks[i]) + 2);
    }
    return hash == 0 ? 1 : hash;
}

bool translate(MPI_Group group, int size, int* own, int* world) {
    for (int i = 0; i < size; ++i) {
        own[i] = i;
    }
    if (real.MPI_Group_translate_ranks(group, size, own, session.world, world) != MPI_SUCCESS) {
        return false;
    }
    for (int i = 0; i < size; ++i) {
        world[i] = world[i] == MPI_UNDEFINED ? -1 : world[i];
    }
    return true;
}

bool same_ranks(const Group& known, const int* ranks, int size) {
    for (int i = 0; i < size; ++i) {
        if (known.world_rank(i) != ranks[i]) {
            return false;
        }
    }
    return known.size == size;
}

Group* remember(std::uint64_t hash, const int* ranks, int size, Group* same_hash) {
    auto* group = allocate_array<Group>(1);
    int* kept = allocate_array<int>(static_cast<std::size_t>(size) + 1);
    if (group == nullptr || kept == nullptr) {
        return nullptr;
    }
    for (int i = 0; i < size; ++i) {
        kept[i] = ranks[i];
    }
    *group = Group{hash, size, kept, same_hash};
    if (Group** place = groups_by_hash.insert(hash)) {
        *place = group;
    }
    return group;
}

Group* find_or_remember(const int* ranks, int size) {
    const std::uint64_t hash = hash_of(ranks, size);
    Group** place = groups_by_hash.find(hash);
    Group* first = place == nullptr ? nullptr : *place;
    for (Group* known = first; known != nullptr; known = known->next) {
        if (same_ranks(*known, ranks, size)) {
            return known;
        }
    }
    return remember(hash, ranks, size, first);
}

}  // namespace

bool start_groups() {
    if (session.world == predefined.no_group) {
        return false;
    }
    whole_world = Group{0, session.ranks, nullptr, nullptr};
    std::uint64_t hash = mix(0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(session.ranks));
    for (int i = 0; i < session.ranks; ++i) {
        hash = mix(hash * 31 + static_cast<std::uint64_t>(i) + 2);
    }
    whole_world.hash = hash == 0 ? 1 : hash;
    if (Group** place = groups_by_hash.insert(whole_world.hash)) {
        *place = &whole_world;
    }
    return true;
}

Group* intern_group(MPI_Group group) {
    int size = 0;
    if (real.MPI_Group_size(group, &size) != MPI_SUCCESS || size < 0) {
        return nullptr;
    }
    const std::size_t room = static_cast<std::size_t>(size) + 1;
    int* ranks = translation.at_least(2 * room);
    if (ranks == nullptr || !translate(group, size, ranks, ranks + room)) {
        return nullptr;
    }
    return find_or_remember(ranks + room, size);
}

std::uint32_t next_ordinal(std::uint64_t hash) {
    std::uint32_t* count = ordinals.insert(hash);
    return count == nullptr ? 0 : (*count)++;
}

const int* world_ranks_of(const Group& group, const int* ranks, int count) {
    int* kept = allocate_array<int>(static_cast<std::size_t>(count) + 1);
    for (int i = 0; kept != nullptr && i < count; ++i) {
        kept[i] = group.world_rank(ranks[i]);
    }
    return kept;
}

}  // namespace halocline::snapshot
