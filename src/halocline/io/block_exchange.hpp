// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Moves rows between the ranks that own elements and the blocks of a file in global order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/layout.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// The way from owned elements to file rows and back, window by window so that buffers stay small.
///
/// Rank r's block is `block_range(global_size, r, ranks)`; window w is the w-th run of
/// `window_rows` rows of every block, and all ranks pass through the same windows together.
class BlockExchange {
public:
    /// Rows are `dim` values of `type`. Collective. Throws ContractError on every rank when the ranks do
    /// not own the set exactly once.
    BlockExchange(const Communicator& comm, const SetPart& set, int dim,
                  ElementType type = ElementType::float64,
                  std::size_t window_bytes = std::size_t{32} << 20U);

    [[nodiscard]] std::int64_t windows() const noexcept { return windows_; }
    /// Rows of the file that window `w` has in this rank's block.
    [[nodiscard]] BlockRange rows(std::int64_t window) const noexcept;

    /// Owned values of window `w` in row order, as they are stored. Collective. Valid until the next
    /// call.
    [[nodiscard]] std::span<const std::byte> collect(std::int64_t window, const RawDat& dat);

    /// Room for the rows of window `w`, to be filled before `deliver`; aligned for every type.
    [[nodiscard]] std::span<std::byte> room(std::int64_t window);
    /// Stores the rows in `room` into the owned elements. Collective.
    void deliver(std::int64_t window, const RawDat& dat);

private:
    struct Plan {
        std::vector<int> owner_counts, owner_offsets;  ///< rows this rank owns, by block rank
        std::vector<int> block_counts, block_offsets;  ///< rows of this block, by owner rank
        std::vector<std::int64_t> places;              ///< row within the window, by arrival
    };

    void sort_elements();
    [[nodiscard]] std::size_t bytes_for(std::int64_t rows) const noexcept;
    [[nodiscard]] std::int64_t window_of(GlobalIndex id, int block_rank) const noexcept;
    [[nodiscard]] std::span<const LocalIndex> elements(std::int64_t window) const;
    [[nodiscard]] Plan plan(std::int64_t window) const;
    void require_complete(const Plan& plan, std::int64_t window) const;

    Communicator comm_;
    const SetPart& set_;
    std::size_t row_bytes_;
    std::int64_t window_rows_ = 1;
    std::int64_t windows_ = 0;
    /// Owned elements by window, then by block rank; see offsets_.
    std::vector<LocalIndex> elements_;
    std::vector<std::int64_t> offsets_;  ///< (windows x ranks + 1), into elements_
    std::vector<std::byte> block_values_;
    std::vector<std::byte> owner_values_;
    std::vector<std::byte> arrived_;
};

}  // namespace halocline
