// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Turns what was found into a plan and a sentence, and puts both into the memory.
#include "collectives/outlook.hpp"

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

Outlook look_ahead(const Session& session, const Findings& found) {
    const Totals& totals = found.totals;
    if (!session.memory().works()) {
        return {};
    }
    Outlook outlook;
    if (session.raised() && session.mode() == Mode::active) {
        outlook.next = after_raising({totals.elapsed, found.gained, totals.cost, totals.calls});
        outlook.why = raised_sentence(outlook.next, found);
    } else if (session.raised()) {
        outlook.next = Plan::plain;
        outlook.why = session.why_inactive();
    } else if (session.mode() != Mode::watching) {
        return {};
    } else if (session.memory().read() == Plan::plain) {
        outlook.next = Plan::plain;
        outlook.why = "an earlier run of this case has shown that endpoints do not pay";
        outlook.kept = true;
        return outlook;
    } else {
        outlook.next =
            after_watching({totals.elapsed, totals.watched, totals.middle, totals.calls});
        outlook.why = watched_sentence(outlook.next, totals);
    }
    outlook.kept = session.memory().write(outlook.next, outlook.why);
    if (!outlook.kept) {
        outlook.why += " (but " + session.memory().file() + " cannot be written)";
    }
    return outlook;
}

}  // namespace halocline::endpoints
