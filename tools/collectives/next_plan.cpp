// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Turns what was found into a plan and a sentence, and puts both into the memory.
#include "collectives/next_plan.hpp"

#include "collectives/report_parts.hpp"

#include <array>
#include <cstdio>
#include <optional>

namespace halocline::endpoints {

namespace {

double percent_of(double seconds, const Totals& totals) { return 100.0 * seconds / totals.elapsed; }

std::string watched_sentence(Plan next, const Totals& totals) {
    std::array<char, 320> text{};
    std::snprintf(text.data(), text.size(),
                  "messages from 512 KB took %.1f %% of the run, MPI's locks would take up to %.1f "
                  "%%: the next run of this case %s",
                  percent_of(totals.watched, totals),
                  percent_of(cost_of_locks(totals.calls, totals.middle), totals),
                  next == Plan::attempt ? "tries endpoints" : "only watches, too");
    return text.data();
}

std::string raised_sentence(Plan next, const Findings& found) {
    std::array<char, 320> text{};
    std::snprintf(text.data(), text.size(),
                  "splitting gained %.2f %% of the run, trials and MPI's locks took up to %.2f %%: "
                  "the next run of this case %s",
                  percent_of(found.gained, found.totals),
                  percent_of(found.totals.cost + cost_of_locks(found.totals.calls), found.totals),
                  next == Plan::split ? "uses endpoints again" : "keeps its own thread level");
    return text.data();
}

}  // namespace

NextPlan plan_next_run(const Session& session, const Findings& found) {
    const Totals& totals = found.totals;
    if (!session.memory().works()) {
        return {};
    }
    NextPlan next_plan;
    if (session.raised() && session.mode() == Mode::active) {
        next_plan.plan = after_raising({totals.elapsed, found.gained, totals.cost, totals.calls});
        next_plan.reason = raised_sentence(next_plan.plan, found);
    } else if (session.raised()) {
        next_plan.plan = Plan::plain;
        next_plan.reason = session.why_inactive();
    } else if (session.mode() != Mode::watching) {
        return {};
    } else if (session.memory().read() == Plan::plain) {
        next_plan.plan = Plan::plain;
        next_plan.reason = "an earlier run of this case has shown that endpoints do not pay";
        next_plan.is_saved = true;
        return next_plan;
    } else {
        next_plan.plan =
            after_watching({totals.elapsed, totals.watched, totals.middle, totals.calls});
        next_plan.reason = watched_sentence(next_plan.plan, totals);
    }
    next_plan.is_saved = session.memory().write(next_plan.plan, next_plan.reason);
    if (!next_plan.is_saved) {
        next_plan.reason += " (but " + session.memory().file() + " cannot be written)";
    }
    return next_plan;
}

}  // namespace halocline::endpoints
