# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of a snapshot: what holds the program back first, and what to try.

Each rule states what it costs in percent of the elapsed time; the costliest gives the verdict. A
deadlock comes before all others, since it ended the run; then ranks that fight for cores, because
they spoil every other figure.
"""

from __future__ import annotations

from halocline.snapshot.core_rules import (
    crowded,
    noise,
    off_core,
    paging,
    queueing_explains_waiting,
)
from halocline.snapshot.evidence import Diagnosis, Evidence, diagnosis, outside_s, queued_s
from halocline.snapshot.hang import Hang
from halocline.snapshot.model import Function, Kind, Rank, Verdict
from halocline.wording import bytes_words, count_words, seconds_words

WORTH_SAYING_PERCENT = 5.0
SMALL_MESSAGE_BYTES = 4096.0


def judge(evidence: Evidence) -> Verdict:
    """Return the verdict of the costliest rule, or that computing itself takes the time."""
    found = [each for rule in RULES if (each := rule(evidence)) is not None]
    found.sort(key=lambda each: -each.cost_percent)
    costs = {each.verdict.rule: each.cost_percent for each in found if each.cost_percent > 0}
    if evidence.hang is not None:
        verdict = _deadlock(evidence.hang)
    elif evidence.crowding is not None:
        verdict = _crowded(evidence.crowding)
    elif found and found[0].cost_percent >= WORTH_SAYING_PERCENT:
        verdict = found[0].verdict
    else:
        verdict = _computing(evidence)
    return verdict.changed(costs=costs)


def _deadlock(hang: Hang) -> Verdict:
    return Verdict(
        rule="deadlock",
        finding=f"Nothing moved in the last {seconds_words(hang.seconds)} before the run "
        f"was stopped: all ranks that had not finished were inside MPI, {hang.where}.",
        advice="Look at the call sites of these calls: a message that nobody sends, a tag or rank "
        "that does not match, a collective that not all ranks call, or sends that wait for each "
        "other.",
    )


def _crowded(crowding: str) -> Verdict:
    return Verdict(
        rule="crowded",
        finding=f"Ranks fight for cores: {crowding}.",
        advice="Start fewer ranks or threads, or mend the binding (mpirun --report-bindings shows "
        "it), and take the snapshot again before reading the other figures.",
    )


def _imbalance(evidence: Evidence) -> Diagnosis | None:
    cost = evidence.times.imbalance_percent
    slow = evidence.slow
    if slow is None or cost is None or len(evidence.ranks) == 1:
        return None
    if queueing_explains_waiting(evidence):
        return None
    if not evidence.one_rank_has_more_work:
        return diagnosis(
            "taking turns",
            cost,
            f"Waiting for each other comes first: it takes {cost:.0f} % of the time, and no single "
            "rank is to blame, the late one changes.",
            "Look at the call sites with most waiting: let ranks synchronise less often, or use "
            "non-blocking calls, and check the nodes for noise.",
        )
    return _one_late_rank(evidence, slow, cost)


def _one_late_rank(evidence: Evidence, slow: Rank, cost: float) -> Diagnosis:
    surplus_s = evidence.own_surplus_s
    mean = outside_s(slow) - queued_s(slow) - surplus_s
    more = f"{100 * surplus_s / mean:.0f} %" if mean > 0 else "far"
    return diagnosis(
        "imbalance",
        cost,
        f"Load imbalance comes first: the ranks wait {cost:.0f} % of the time, and rank "
        f"{slow.rank} on {slow.host} works {more} longer than the mean.",
        f"Give rank {slow.rank} less work (another decomposition or partition weights) after "
        "checking that nothing else runs on its core.",
    )


def _collective(evidence: Evidence) -> Diagnosis | None:
    cost, top = _cost_beyond_waiting(evidence, "collective")
    if top is None:
        return None
    mean_bytes = top.bytes / top.calls if top.calls else 0.0
    finding = (
        f"Collectives come first: they take {cost:.0f} % of the time beyond waiting for slow "
        f"ranks, {top.name} most of it ({count_words(top.calls)} calls of "
        f"{bytes_words(mean_bytes)} each)."
    )
    if top.name in ("MPI_Barrier", "MPI_Ibarrier"):
        advice = "Remove barriers that correctness does not need; messages order the rest."
    elif mean_bytes < SMALL_MESSAGE_BYTES:
        advice = (
            f"Join several small {top.name} calls into one, call it less often, or start it "
            "early as a non-blocking call and compute meanwhile."
        )
    else:
        advice = (
            "Try other algorithms of the MPI library, fewer ranks with more threads, or "
            "halocline endpoints, which splits large collectives."
        )
    return diagnosis("collectives", cost, finding, advice)


def _messages(evidence: Evidence) -> Diagnosis | None:
    cost, top = _cost_beyond_waiting(evidence, "point-to-point")
    if top is None:
        return None
    sending = [
        function
        for function in evidence.functions
        if function.kind == "point-to-point" and function.bytes > 0
    ]
    calls = sum(function.calls for function in sending)
    mean_bytes = sum(function.bytes for function in sending) / calls if calls else 0.0
    start = f"Messages between ranks come first: they take {cost:.0f} % of the time beyond waiting"
    finding = (
        f"{start} for slow ranks, {top.name} most of it; a message has {bytes_words(mean_bytes)} "
        "on average."
    )
    if mean_bytes < SMALL_MESSAGE_BYTES:
        rule = "small messages"
        advice = "Send fewer and larger messages: pack what goes to the same rank together."
    else:
        rule = "large messages"
        advice = (
            "Start exchanges earlier with non-blocking calls and compute meanwhile, and place "
            "ranks that talk much on the same host."
        )
    return diagnosis(rule, cost, finding, advice)


def _files(evidence: Evidence) -> Diagnosis | None:
    in_mpi = sum(f.percent_of_elapsed for f in evidence.functions if f.kind == "file")
    cost = in_mpi + (evidence.times.io_percent or 0.0)
    advice = (
        "Write less often or in larger pieces, or collectively through MPI-IO, and check which "
        "file system the files lie on."
    )
    finding = f"File I/O comes first: it takes {cost:.0f} % of the time."
    return diagnosis("files", cost, finding, advice)


def _threads(evidence: Evidence) -> Diagnosis | None:
    found = evidence.openmp
    if found is None or not found.regions:
        return None
    cost = found.imbalance_percent
    return diagnosis(
        "threads",
        cost,
        f"Uneven OpenMP threads come first: evenly loaded they would save {cost:.0f} % of the "
        f"time, most of it in {found.regions[0].place}.",
        "Try schedule(dynamic) or schedule(guided) on the most expensive loops, or smaller chunks, "
        "and bind threads (OMP_PROC_BIND=close).",
    )


def _cost_beyond_waiting(evidence: Evidence, kind: Kind) -> tuple[float, Function | None]:
    """Percent of elapsed time in functions of a kind less what they wait for slow ranks."""
    functions = [function for function in evidence.functions if function.kind == kind]
    elapsed = evidence.times.elapsed_s
    if not functions or elapsed <= 0:
        return 0.0, None
    waiting = sum(function.waiting_s for function in functions)
    spent = sum(function.percent_of_elapsed for function in functions)
    return max(0.0, spent - 100.0 * waiting / elapsed), functions[0]


def _computing(evidence: Evidence) -> Verdict:
    times = evidence.times
    if len(evidence.ranks) == 1:
        advice = "Start it on more ranks to see what communication costs."
    else:
        advice = (
            "Profile the computation (perf record), or use more ranks: halocline snapshot scale "
            "shows how far that carries."
        )
    return Verdict(
        rule="computing",
        finding=f"Computing itself takes the time: MPI {times.mpi_percent:.0f} %, file I/O "
        f"{times.io_percent or 0.0:.0f} %, waiting for others "
        f"{times.imbalance_percent or 0.0:.0f} % of it.",
        advice=advice,
    )


RULES = (
    _imbalance,
    _collective,
    _messages,
    _files,
    _threads,
    paging,
    noise,
    crowded,
    off_core,
)
