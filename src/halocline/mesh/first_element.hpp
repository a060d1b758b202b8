// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The first element of a set that something is wrong with, for messages that are the same on all ranks.
#pragma once

#include <limits>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// An element by its place in the file.
struct FirstElement {
    GlobalIndex global = -1;  ///< place in the file, from 0; -1: there is none
    LocalIndex local = -1;    ///< on its owner; -1 on all other ranks

    /// Whether there is one.
    [[nodiscard]] bool exists() const { return global >= 0; }
};

/// The owned element of any rank with the smallest global id for which `is_it(local index)` holds.
/// Collective.
template <class Predicate>
[[nodiscard]] FirstElement find_first(const Communicator& comm, const SetPart& set,
                                      Predicate&& is_it) {
    constexpr GlobalIndex none = std::numeric_limits<GlobalIndex>::max();
    GlobalIndex mine = none;
    LocalIndex local = -1;
    for (LocalIndex i = 0; i < set.owned; ++i) {
        if (is_it(i) && set.global_id(i) < mine) {
            mine = set.global_id(i);
            local = i;
        }
    }
    const GlobalIndex first = comm.min(mine);
    return first == none ? FirstElement{} : FirstElement{first, mine == first ? local : -1};
}

}  // namespace halocline
