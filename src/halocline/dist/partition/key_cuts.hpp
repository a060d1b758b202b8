// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where sorted keys of all ranks are to be cut so that pieces have given sizes; nothing is moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

/// What lies before a cut: smaller keys, and the first `ties` of this rank's elements with this key.
struct KeyCut {
    std::uint64_t key = 0;  ///< smaller keys lie before the cut
    std::int64_t ties = 0;  ///< of this rank's elements
};

/// One cut to find: this rank's keys of the group, ascending, and how many of all ranks' elements
/// are to lie before it.
struct CutRequest {
    std::span<const std::uint64_t> sorted_keys;  ///< of the group, on this rank
    std::int64_t before = 0;                     ///< elements of all ranks
};

/// Keys have at most 63 bits. Equal keys are ordered by rank, so by global id where ranks hold
/// ascending blocks in order. Bisection over the bits of the key: 63 reductions of one count a
/// request. All ranks pass the same requests in the same order. Collective.
[[nodiscard]] std::vector<KeyCut> find_cuts(const Communicator& comm,
                                            std::span<const CutRequest> requests);

/// Number of this rank's sorted keys before a cut.
[[nodiscard]] std::int64_t count_before(std::span<const std::uint64_t> sorted_keys,
                                        const KeyCut& cut);

/// Cuts all elements, ordered by key and then by global id, into pieces of the given sizes; returns
/// the piece of each element of this rank. Depends on keys and global ids alone, not on the number
/// of ranks. Collective.
[[nodiscard]] std::vector<int> cut_by_key(const Communicator& comm,
                                          const Buffer<std::uint64_t>& keys,
                                          std::span<const GlobalIndex> sizes);

}  // namespace halocline::dist
