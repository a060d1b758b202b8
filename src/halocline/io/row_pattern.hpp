// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which rows of a file the owned elements of a set are: found once, used for every file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// The way between owned elements and the blocks of a file in global order, window by window so that
/// buffers stay small.
///
/// `writers` ranks have a block of rows each, evenly spread over the job; window w is the w-th run of
/// `window_rows` rows of every block, and all ranks pass through the same windows together. What
/// depends on the ids alone travels here, when the pattern is made: whoever uses it sends values only.
/// Memory: 4 bytes an owned element and 4 bytes a row of the block.
class RowPattern {
public:
    /// Rows that ranks send to each other in one window.
    struct Window {
        std::vector<int> owner_counts;   ///< (ranks) rows this rank owns, by rank of the block
        std::vector<int> owner_offsets;  ///< (ranks) where those begin
        std::vector<int> block_counts;   ///< (ranks) rows of this block, by rank of the owner
        std::vector<int> block_offsets;  ///< (ranks) where those begin
        /// By row of the window: where it lies among the rows that arrive, by rank of the owner. This
        /// rank's own stand among them, too.
        std::vector<std::int32_t> arrivals;
    };

    /// Rows of a window unless asked otherwise.
    static constexpr std::int64_t usual_window_rows = std::int64_t{1} << 19U;

    /// Collective. Throws ContractError on every rank when the ranks do not own the set exactly once.
    /// @param writers  ranks that have blocks; 0: all
    /// @param grain  blocks begin at multiples of so many rows
    /// `set` outlives the pattern.
    RowPattern(const Communicator& comm, const SetPart& set,
               std::int64_t window_rows = usual_window_rows, int writers = 0,
               std::int64_t grain = 1);

    /// The set whose elements the rows are.
    [[nodiscard]] const SetPart& set() const noexcept { return *set_; }
    /// Number of windows; the same on all ranks.
    [[nodiscard]] std::int64_t windows() const noexcept {
        return static_cast<std::int64_t>(windows_.size());
    }
    /// What ranks send each other in window `w`.
    [[nodiscard]] const Window& window(std::int64_t w) const {
        return windows_[static_cast<std::size_t>(w)];
    }
    /// Rows of the file that are this rank's block.
    [[nodiscard]] BlockRange block() const noexcept { return block_of(rank_); }
    /// Rows of the file that window `w` has in this rank's block.
    [[nodiscard]] BlockRange rows(std::int64_t w) const noexcept;
    /// Owned elements of window `w`, by the rank of the block they go to.
    [[nodiscard]] std::span<const LocalIndex> elements(std::int64_t w) const;
    /// The same of all windows, one after the other.
    [[nodiscard]] std::span<const LocalIndex> elements() const { return elements_; }

private:
    [[nodiscard]] BlockRange block_of(int rank) const noexcept;
    [[nodiscard]] int rank_of(GlobalIndex id) const noexcept;
    void sort_elements();
    [[nodiscard]] Window exchange_ids(const Communicator& comm, std::int64_t w) const;
    void find_arrivals(Window& window, std::int64_t w, std::span<const std::int32_t> places) const;
    void require_complete(const Window& window) const;

    const SetPart* set_;
    int rank_;
    int ranks_;
    int writers_;
    std::int64_t window_rows_;
    std::int64_t grain_;
    std::int64_t grains_;                ///< in all blocks together
    std::vector<LocalIndex> elements_;   ///< owned ones by window, then by rank of the block
    std::vector<std::int64_t> offsets_;  ///< (windows x ranks + 1), into elements_
    std::vector<Window> windows_;
};

/// The patterns of the sets of a mesh, each made when it is first asked for.
class RowPatterns {
public:
    /// `writers` as in `RowPattern`. `comm` outlives the object.
    explicit RowPatterns(const Communicator& comm, int writers = 0)
        : comm_(comm), writers_(writers) {}

    /// Collective the first time. `set` outlives the object. `grain` as in `RowPattern`.
    [[nodiscard]] const RowPattern& of(const SetPart& set, std::int64_t grain = 1);

private:
    const Communicator& comm_;
    int writers_;
    /// By identity of the set and grain.
    std::map<std::pair<std::uint64_t, std::int64_t>, RowPattern> patterns_;
};

}  // namespace halocline
