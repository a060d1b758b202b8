// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Moves rows between the ranks that own elements and the blocks of a file in global order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/row_pattern.hpp"
#include "halocline/mesh/layout.hpp"

namespace halocline {

/// Rows of one width on their way, one window of a pattern at a time; messages go only between ranks
/// that have rows for each other.
class BlockExchange {
public:
    /// Rows are `dim` values of `type`. `pattern` outlives the exchange.
    BlockExchange(const Communicator& comm, const RowPattern& pattern, int dim,
                  ElementType type = ElementType::float64);

    [[nodiscard]] std::int64_t windows() const noexcept { return pattern_.windows(); }
    [[nodiscard]] BlockRange rows(std::int64_t window) const noexcept {
        return pattern_.rows(window);
    }

    /// Owned values of window `w` in row order, as they are stored. Collective. Valid until the next
    /// call.
    [[nodiscard]] std::span<const std::byte> collect(std::int64_t window, const RawDat& dat);
    /// The same of rows that lie one after the other as `RowPattern::elements()` lists their elements.
    [[nodiscard]] std::span<const std::byte> collect_sorted(std::int64_t window,
                                                            const std::byte* rows);

    /// Room for the rows of window `w`, to be filled before `deliver`; aligned for every type.
    [[nodiscard]] std::span<std::byte> room(std::int64_t window);
    /// Stores the rows in `room` into the owned elements. Collective.
    void deliver(std::int64_t window, const RawDat& dat);

private:
    [[nodiscard]] std::size_t bytes_for(std::int64_t rows) const noexcept {
        return static_cast<std::size_t>(rows) * row_bytes_;
    }
    [[nodiscard]] std::span<const std::byte> place_rows(std::int64_t window,
                                                        const std::byte* leaving);
    void send_rows(const std::byte* leaving, const std::vector<int>& send_counts,
                   const std::vector<int>& send_offsets, std::byte* arriving,
                   const std::vector<int>& recv_counts, const std::vector<int>& recv_offsets);

    const Communicator& comm_;
    const RowPattern& pattern_;
    std::size_t row_bytes_;
    std::vector<std::byte> block_values_;
    std::vector<std::byte> owner_values_;
    std::vector<std::byte> arrived_;
};

}  // namespace halocline
