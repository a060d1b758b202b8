// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the table and the JSON file are made from. Rank 0 has it all.
#pragma once

#include "collectives/communicators.hpp"
#include "collectives/next_plan.hpp"

#include <array>
#include <cstdint>

namespace halocline::endpoints {

/// What all ranks together did besides the rows: calls that were never considered, cost, gain.
struct Totals {
    std::array<std::int64_t, function_count* static_cast<std::size_t>(Passed::count)> passed{};
    double cost = 0.0;       ///< largest of the ranks [s]
    double elapsed = 0.0;    ///< of rank 0 [s]
    double watched = 0.0;    ///< in long collectives while watching, of the rank with least [s]
    double middle = 0.0;     ///< the same in shorter ones, of the rank with most [s]
    std::int64_t calls = 0;  ///< of MPI, of the rank with most
    std::int64_t made = 0;   ///< duplicated communicators of the rank that made most
    int ranks = 1;
};

struct Findings {
    Rows rows;
    Totals totals;
    double gained = 0.0;  ///< by the medians of trials [s]
    NextPlan next_plan;
};

void print_summary(const Session& session, const Findings& found);
void write_json(const Session& session, const Findings& found);

}  // namespace halocline::endpoints
