// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Moves rows between the ranks that own elements and the blocks of a file in global order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/row_pattern.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline {

/// How the rows of the owned elements lie: by local index, or as `RowPattern::elements()` lists them.
enum class RowOrder { local, by_block };

/// Memory of exchanges that follow each other; it grows to what the largest window needs.
struct ExchangeMemory {
    Buffer<std::byte> leaving;  ///< (rows, row_bytes) rows that this rank sends, by receiving rank
    Buffer<std::byte> arrived;  ///< (rows, row_bytes) rows that arrived, by sending rank
};

/// Rows of one width on their way, one window of a pattern at a time; messages go only between ranks
/// that have rows for each other.
class BlockExchange {
public:
    /// Rows are `dim` values of `type`. `pattern` and `memory` outlive the exchange.
    BlockExchange(const Communicator& comm, const RowPattern& pattern, ExchangeMemory& memory,
                  int dim, ElementType type = ElementType::float64);

    /// Windows of the pattern; the same number on all ranks.
    [[nodiscard]] std::int64_t windows() const noexcept { return pattern_.windows(); }
    /// Rows of the file that a window has in this rank's block.
    [[nodiscard]] BlockRange rows(std::int64_t window) const noexcept {
        return pattern_.rows(window);
    }
    /// Bytes of one row: `dim` times the size of a value.
    [[nodiscard]] std::size_t row_bytes() const noexcept { return row_bytes_; }

    /// Sends the rows of a window to the ranks of their blocks. Collective.
    /// @param window  0 <= window < windows(), the same on all ranks
    /// @param dat     values of the owned elements; they stay where they are until the next call
    /// @param order   how the rows lie in `dat`
    void collect(std::int64_t window, const RawDat& dat, RowOrder order);
    /// Copies rows of the window collected last. Not collective.
    /// @param first  the first of them, in this rank's rows of the window
    /// @param count  how many
    /// @param to     (count, row_bytes()) receives them in the order of the file
    void copy_rows(std::int64_t first, std::int64_t count, std::byte* to) const;

    /// Stores rows of a window into the owned elements. Collective.
    /// @param window  0 <= window < windows(), the same on all ranks
    /// @param block   (rows, row_bytes()) this rank's rows of the window, in the order of the file
    /// @param dat     receives the values of the owned elements
    void deliver(std::int64_t window, std::span<const std::byte> block, const RawDat& dat);

private:
    [[nodiscard]] std::size_t bytes_for(std::int64_t rows) const noexcept {
        return static_cast<std::size_t>(rows) * row_bytes_;
    }
    void pack_leaving(const RowPattern::Window& moves, std::span<const LocalIndex> elements);
    [[nodiscard]] std::int64_t first_listed() const;
    [[nodiscard]] std::size_t self() const { return static_cast<std::size_t>(comm_.rank()); }
    void send_rows(const std::byte* leaving, const std::vector<int>& send_counts,
                   const std::vector<int>& send_offsets, std::byte* arriving,
                   const std::vector<int>& recv_counts, const std::vector<int>& recv_offsets);

    const Communicator& comm_;
    const RowPattern& pattern_;
    ExchangeMemory& memory_;
    std::size_t row_bytes_;
    // Of the window collected last:
    std::int64_t window_ = 0;
    RawDat dat_{};
    RowOrder order_ = RowOrder::local;
};

}  // namespace halocline
