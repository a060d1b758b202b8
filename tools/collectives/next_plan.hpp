// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the next run of the same case will do, and why.
#pragma once

#include "collectives/advice.hpp"

#include <string>

namespace halocline::endpoints {

struct Findings;
class Session;

struct NextPlan {
    bool is_saved = false;  ///< whether the plan is remembered
    Plan plan = Plan::watch;
    std::string reason;  ///< a sentence; empty where nothing is remembered
};

/// Judges this run and stores the plan for the next one. On rank 0, which has the findings.
[[nodiscard]] NextPlan plan_next_run(const Session& session, const Findings& found);

}  // namespace halocline::endpoints
