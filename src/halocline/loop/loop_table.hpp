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
    std::string name;
    int level = -1;
    std::string set;  ///< the set looped over
    std::int64_t calls = 0;
    double seconds = 0.0;
    std::int64_t elements = 0;
    std::int64_t bytes = 0;  ///< by count: each array once a call, read and written apart
    HaloLedger halo;         ///< exchanges the loop began
    bool on_device = false;  ///< ran there; `seconds` are the device's, from the calls timed
    /// How its last call ran: a `Strategy` on cores, for chains "fused" or "loop by loop"; on devices
    /// gather, once or direct.
    std::string strategy;
    std::string reason;  ///< why so; empty where nothing was chosen
    std::int64_t timed_calls = 0;
    double timed_s = 0.0;
};

class LoopTable {
public:
    /// The row of a loop, made at first use; valid until the next call.
    LoopStatistics& row(const LoopName& name);
    [[nodiscard]] const std::vector<LoopStatistics>& rows() const { return rows_; }
    [[nodiscard]] std::vector<LoopStatistics>& rows() { return rows_; }
    void clear() { rows_.clear(); }

private:
    std::vector<LoopStatistics> rows_;
};

}  // namespace halocline
