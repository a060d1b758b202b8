// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The account of every named loop: calls, seconds, elements, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/loop/loop.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline {

/// Totals of one loop (or fused chain of loops) on this rank.
struct LoopStatistics {
    std::string name;           ///< without its level
    int level = -1;             ///< grid level; -1: none
    std::string set;            ///< the set looped over
    std::int64_t calls = 0;     ///< times it ran
    double seconds = 0.0;       ///< wall seconds of all calls, halo exchanges included
    std::int64_t elements = 0;  ///< executed on this rank, over all calls
    std::int64_t bytes = 0;     ///< by count: each array once a call, read and written apart
    HaloLedger halo;            ///< exchanges the loop began
    bool on_device = false;     ///< ran there; `seconds` are the device's, from the calls timed
    /// How its last call ran: a `Strategy` on cores, for chains "fused" or "loop by loop"; on devices
    /// gather, once or direct.
    std::string strategy;
    std::string reason;            ///< why so; empty where nothing was chosen
    std::int64_t timed_calls = 0;  ///< calls that the device timed
    double timed_s = 0.0;          ///< seconds of these on the device
};

/// What all loops of a run did so far on this rank, a row a loop.
class LoopTable {
public:
    /// The row of a loop, made at first use; valid until the next call.
    LoopStatistics& row(const LoopName& name);
    /// All rows, in the order of their first use.
    [[nodiscard]] const std::vector<LoopStatistics>& rows() const { return rows_; }
    /// All rows, to change.
    [[nodiscard]] std::vector<LoopStatistics>& rows() { return rows_; }
    /// Forgets all rows.
    void clear() { rows_.clear(); }

private:
    std::vector<LoopStatistics> rows_;
};

}  // namespace halocline
