// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists of elements that threads run one after the other, cut where the elements follow each other in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/function_ref.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// Whether elements that scatter reach targets that another thread may be changing.
enum class Asks {
    never,        ///< they do not
    when_beside,  ///< only while the chunk before theirs is not known to be done
    always        ///< some may at any time, or lie outside what the list is to change
};

/// A part of a list of elements.
struct Stretch {
    std::int64_t begin;  ///< in the list
    std::int64_t end;
    bool is_whole;  ///< its elements follow each other in memory, from the beginning of a block on
    Asks asks = Asks::never;  ///< of elements that scatter

    /// Number of elements.
    [[nodiscard]] LocalIndex size() const { return static_cast<LocalIndex>(end - begin); }
};

/// Lists of elements, one for each range of targets or each chunk of elements.
struct ElementLists {
    Buffer<std::int64_t> begin;                    ///< (lists + 1) into `element`
    Buffer<LocalIndex> element;                    ///< local indices
    std::vector<std::size_t> stretch_begin = {0};  ///< (lists + 1) into `stretches`
    std::vector<Stretch> stretches;                ///< each list in pieces

    /// Pieces of a list, in its order.
    [[nodiscard]] std::span<const Stretch> stretches_of(LocalIndex list) const {
        const auto k = static_cast<std::size_t>(list);
        return {stretches.data() + stretch_begin[k], stretch_begin[k + 1] - stretch_begin[k]};
    }

    /// Cuts the lists so that as much of them as possible is whole: where 64 elements or more follow each
    /// other that are `fit(list, element)`. What is left is listed, and asks always. `add_whole(list,
    /// begin, end)` adds the pieces of what is whole.
    void cut(FunctionRef<bool(LocalIndex list, LocalIndex element)> fit,
             FunctionRef<void(LocalIndex list, std::int64_t begin, std::int64_t end)> add_whole);
};

}  // namespace halocline
