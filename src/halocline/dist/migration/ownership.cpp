// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Spreads owners along maps, forwards by the first target and backwards by majority.
#include "halocline/dist/migration/ownership.hpp"

#include <algorithm>
#include <utility>

namespace halocline::dist {

namespace {

/// Rounds in which orphans may adopt their neighbours' owner; each reaches one edge further.
constexpr int adoption_rounds = 16;

class OwnerAssignment {
public:
    OwnerAssignment(const Communicator& comm, const MeshDeclaration& declaration, int parts)
        : comm_(comm),
          declaration_(declaration),
          parts_(parts),
          known_(declaration.sets.size(), false) {
        for (const SetDeclaration& set : declaration.sets) {
            blocks_.push_back({set.size, {}});
        }
    }

    void set_primary(int set, std::vector<int> partition) {
        blocks_[static_cast<std::size_t>(set)].owner = std::move(partition);
        known_[static_cast<std::size_t>(set)] = true;
    }

    /// Owners for every set the maps reach.
    void spread() {
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t set = 0; set < known_.size(); ++set) {
                if (!known_[set] && !is_replicated(set) &&
                    (follow_forwards(set) || follow_backwards(set))) {
                    known_[set] = true;
                    progress = true;
                }
            }
        }
    }

    /// Blocks for what the maps did not reach.
    [[nodiscard]] std::vector<OwnerBlock> take() {
        for (std::size_t set = 0; set < known_.size(); ++set) {
            if (!known_[set]) {
                reset(set);
            }
            if (!known_[set] && !is_replicated(set)) {
                keep_in_block(set);
            }
        }
        return std::move(blocks_);
    }

private:
    static bool is_present(GlobalIndex target) { return target != absent; }
    /// Sets that nobody owns alone place no others.
    [[nodiscard]] bool is_replicated(std::size_t set) const {
        return declaration_.sets[set].is_replicated;
    }
    [[nodiscard]] bool known(int set) const { return known_[static_cast<std::size_t>(set)]; }

    void reset(std::size_t set) {
        const BlockRange block = block_range(blocks_[set].size, comm_.rank(), comm_.size());
        blocks_[set].owner.assign(static_cast<std::size_t>(block.size()), no_owner);
    }

    bool follow_forwards(std::size_t set) {
        const auto map = std::find_if(
            declaration_.maps.begin(), declaration_.maps.end(),
            [&](const auto& m) { return m.from == static_cast<int>(set) && known(m.to); });
        if (map == declaration_.maps.end()) {
            return false;
        }
        std::vector<GlobalIndex> first_targets;
        for (std::size_t i = 0; i < map->targets.size();
             i += static_cast<std::size_t>(map->arity)) {
            const auto row = map->targets.begin() + static_cast<std::ptrdiff_t>(i);
            const auto first = std::find_if(row, row + map->arity, is_present);
            first_targets.push_back(first == row + map->arity ? absent : *first);
        }
        blocks_[set].owner =
            lookup_owners(comm_, blocks_[static_cast<std::size_t>(map->to)], first_targets);
        keep_in_block(set);  // rows without a target
        return true;
    }

    bool follow_backwards(std::size_t set) {
        const auto map = std::find_if(
            declaration_.maps.begin(), declaration_.maps.end(),
            [&](const auto& m) { return m.to == static_cast<int>(set) && known(m.from); });
        if (map == declaration_.maps.end()) {
            return false;
        }
        reset(set);
        const std::vector<int>& owner = blocks_[static_cast<std::size_t>(map->from)].owner;
        std::vector<OwnerVote> votes;
        votes.reserve(map->targets.size());
        for (std::size_t i = 0; i < map->targets.size(); ++i) {
            if (is_present(map->targets[i])) {
                votes.push_back({map->targets[i], owner[i / static_cast<std::size_t>(map->arity)]});
            }
        }
        elect_owners(comm_, blocks_[set], votes);
        adopt_orphans(set);
        keep_in_block(set);  // now, because these elements may have a vote on the next level
        return true;
    }

    /// What has no owner goes by blocks of the set, as many as there are parts.
    void keep_in_block(std::size_t set) {
        std::vector<int>& owner = blocks_[set].owner;
        const GlobalIndex size = blocks_[set].size;
        const GlobalIndex begin = block_range(size, comm_.rank(), comm_.size()).begin;
        for (std::size_t i = 0; i < owner.size(); ++i) {
            if (owner[i] == no_owner) {
                owner[i] = block_owner(begin + static_cast<GlobalIndex>(i), size, parts_);
            }
        }
    }

    /// Elements that no map reaches take the owner of an element they share a row with.
    void adopt_orphans(std::size_t set) {
        for (int round = 0; round < adoption_rounds; ++round) {
            const auto& owner = blocks_[set].owner;
            const std::int64_t orphans = std::count(owner.begin(), owner.end(), no_owner);
            if (comm_.sum(orphans) == 0 || comm_.sum(adopt_once(set)) == 0) {
                return;
            }
        }
    }

    std::int64_t adopt_once(std::size_t set) {
        std::vector<OwnerVote> votes;
        for (const MapDeclaration& map : declaration_.maps) {
            if (map.to == static_cast<int>(set) && map.arity > 1) {
                collect_adoptions(map, lookup_owners(comm_, blocks_[set], map.targets), votes);
            }
        }
        return elect_owners(comm_, blocks_[set], votes);
    }

    static void collect_adoptions(const MapDeclaration& map, const std::vector<int>& owners,
                                  std::vector<OwnerVote>& votes) {
        const auto arity = static_cast<std::size_t>(map.arity);
        for (std::size_t row = 0; row < owners.size(); row += arity) {
            const auto first = owners.begin() + static_cast<std::ptrdiff_t>(row);
            const auto last = first + map.arity;
            const auto known =
                std::find_if(first, last, [](int owner) { return owner != no_owner; });
            for (std::size_t k = row; known != last && k < row + arity; ++k) {
                if (owners[k] == no_owner && is_present(map.targets[k])) {
                    votes.push_back({map.targets[k], *known});
                }
            }
        }
    }

    const Communicator& comm_;
    const MeshDeclaration& declaration_;
    int parts_;
    std::vector<OwnerBlock> blocks_;
    std::vector<bool> known_;
};

}  // namespace

std::vector<OwnerBlock> assign_owners(const Communicator& comm, const MeshDeclaration& declaration,
                                      DividedSet primary, std::vector<int> partition) {
    OwnerAssignment assignment(comm, declaration, primary.parts);
    assignment.set_primary(primary.set, std::move(partition));
    assignment.spread();
    return assignment.take();
}

}  // namespace halocline::dist
