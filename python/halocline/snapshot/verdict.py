# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of a snapshot: what holds the program back first, and what to try.

Each rule states what it costs in percent of the elapsed time; the dearest one speaks. Ranks that
fight for cores speak before all others, because they spoil every other figure.
"""

from __future__ import annotations

from dataclasses import dataclass

from halocline.snapshot.model import Function, Kind, OpenMp, Rank, Times, Verdict
from halocline.wording import bytes_words, count_words

WORTH_SAYING_PERCENT = 5.0
SMALL_MESSAGE_BYTES = 4096.0
PAGING_FAULTS_PER_S = 50.0
# One rank is to blame when its surplus of work explains at least this part of the waiting.
ONE_RANK_SHARE = 0.3


@dataclass(frozen=True)
class Evidence:
    """What the rules look at."""

    times: Times
    functions: list[Function]
    ranks: list[Rank]
    slowest_rank: int | None
    openmp: OpenMp | None
    crowding: str | None


@dataclass(frozen=True)
class Suspicion:
    """What one rule says, and its cost in percent of the elapsed time."""

    cost_percent: float
    verdict: Verdict


def judge(evidence: Evidence) -> Verdict:
    """Return the verdict of the dearest rule, or that computing itself takes the time."""
    if evidence.crowding is not None:
        return _crowded(evidence.crowding)
    suspicions = [suspicion for rule in RULES if (suspicion := rule(evidence)) is not None]
    dear = [each for each in suspicions if each.cost_percent >= WORTH_SAYING_PERCENT]
    if not dear:
        return _computing(evidence)
    return max(dear, key=lambda each: each.cost_percent).verdict


def _crowded(crowding: str) -> Verdict:
    return Verdict(
        rule="crowded",
        finding=f"Ranks fight for cores: {crowding}.",
        advice="Start fewer ranks or threads, or mend the binding (mpirun --report-bindings shows "
        "it), and take the snapshot again before reading the other figures.",
    )


def _imbalance(evidence: Evidence) -> Suspicion | None:
    cost = evidence.times.imbalance_percent
    slow = next((r for r in evidence.ranks if r.rank == evidence.slowest_rank), None)
    if slow is None or cost is None or len(evidence.ranks) == 1:
        return None
    if _queue_percent(slow) >= WORTH_SAYING_PERCENT and _queue_explains_imbalance(evidence):
        return None
    if evidence.times.load_imbalance_percent < cost * ONE_RANK_SHARE:
        finding = (
            f"Waiting for each other comes first: it takes {cost:.0f} % of the time, and no single "
            "rank is to blame, the late one changes."
        )
        advice = (
            "Look at the call sites with most waiting: let ranks synchronise less often, or use "
            "non-blocking calls, and check the nodes for noise."
        )
        return Suspicion(cost, Verdict(rule="taking turns", finding=finding, advice=advice))
    outside = [rank.elapsed_s - rank.mpi_s for rank in evidence.ranks]
    mean = sum(outside) / len(outside)
    more = f"{100 * ((slow.elapsed_s - slow.mpi_s) / mean - 1):.0f} %" if mean > 0 else "far"
    finding = (
        f"Load imbalance comes first: the ranks wait {cost:.0f} % of the time, and rank "
        f"{slow.rank} on {slow.host} works {more} longer than the mean."
    )
    advice = (
        f"Give rank {slow.rank} less work (another decomposition or partition weights) after "
        "checking that nothing else runs on its core."
    )
    return Suspicion(cost, Verdict(rule="imbalance", finding=finding, advice=advice))


def _collective(evidence: Evidence) -> Suspicion | None:
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
    return Suspicion(cost, Verdict(rule="collectives", finding=finding, advice=advice))


def _messages(evidence: Evidence) -> Suspicion | None:
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
    return Suspicion(cost, Verdict(rule=rule, finding=finding, advice=advice))


def _files(evidence: Evidence) -> Suspicion | None:
    in_mpi = sum(f.percent_of_elapsed for f in evidence.functions if f.kind == "file")
    cost = in_mpi + (evidence.times.io_percent or 0.0)
    advice = (
        "Write less often or in larger pieces, or collectively through MPI-IO, and check which "
        "file system the files lie on."
    )
    finding = f"File I/O comes first: it takes {cost:.0f} % of the time."
    return Suspicion(cost, Verdict(rule="files", finding=finding, advice=advice))


def _threads(evidence: Evidence) -> Suspicion | None:
    found = evidence.openmp
    if found is None or not found.regions:
        return None
    cost = found.imbalance_percent
    return Suspicion(
        cost,
        Verdict(
            rule="threads",
            finding=f"Uneven OpenMP threads come first: evenly loaded they would save {cost:.0f} % "
            f"of the time, most of it in {found.regions[0].place}.",
            advice="Try schedule(dynamic) or schedule(guided) on the dearest loops, or smaller "
            "chunks, and bind threads (OMP_PROC_BIND=close).",
        ),
    )


def _paging(evidence: Evidence) -> Suspicion | None:
    faults = sum(rank.usage.major_faults for rank in evidence.ranks)
    elapsed = sum(rank.elapsed_s for rank in evidence.ranks)
    if elapsed <= 0 or faults / elapsed < PAGING_FAULTS_PER_S:
        return None
    return Suspicion(
        _off_core_percent(evidence),
        Verdict(
            rule="paging",
            finding=f"Memory is short: {faults:,} page faults had to be read from disk.",
            advice="Spread the ranks over more hosts, or use fewer ranks per host.",
        ),
    )


def _noise(evidence: Evidence) -> Suspicion | None:
    if not evidence.ranks:
        return None
    shares = [_queue_percent(rank) for rank in evidence.ranks]
    worst = max(evidence.ranks, key=_queue_percent)
    cost = sum(shares) / len(shares)
    if _queue_explains_imbalance(evidence):
        cost = max(cost, evidence.times.imbalance_percent or 0.0)
    others = ", and the others waited for it in MPI" if len(evidence.ranks) > 1 else ""
    return Suspicion(
        cost,
        Verdict(
            rule="noise",
            finding=f"Other processes take the cores: rank {worst.rank} on {worst.host} was ready "
            f"to run but had none {max(shares):.0f} % of the time{others}.",
            advice="Use nodes of your own or bind the ranks elsewhere, and take the snapshot again "
            "before reading the other figures.",
        ),
    )


def _queue_percent(rank: Rank) -> float:
    queued = rank.usage.run_queue_s or 0.0
    return 100.0 * queued / rank.elapsed_s if rank.elapsed_s > 0 else 0.0


def _queue_explains_imbalance(evidence: Evidence) -> bool:
    """Whether the slowest rank is slow because it had no core, not because of its work."""
    slow = next((r for r in evidence.ranks if r.rank == evidence.slowest_rank), None)
    if slow is None or not slow.usage.run_queue_s:
        return False
    outside = [rank.elapsed_s - rank.mpi_s for rank in evidence.ranks]
    surplus = (slow.elapsed_s - slow.mpi_s) - sum(outside) / len(outside)
    return slow.usage.run_queue_s >= surplus / 2


def _off_core(evidence: Evidence) -> Suspicion | None:
    queued = [rank.usage.run_queue_s or 0.0 for rank in evidence.ranks]
    elapsed = evidence.times.elapsed_s
    in_queue = 100.0 * sum(queued) / len(queued) / elapsed if elapsed > 0 else 0.0
    cost = _off_core_percent(evidence) - in_queue - (evidence.times.io_percent or 0.0)
    return Suspicion(
        cost,
        Verdict(
            rule="off core",
            finding=f"The ranks slept {cost:.0f} % of the time outside file I/O.",
            advice="Look for sleeps, locks, pipes and child processes in the program, and for an "
            "MPI library that blocks instead of polling.",
        ),
    )


def _off_core_percent(evidence: Evidence) -> float:
    """Share of the elapsed time without CPU use; a rank with busy threads has none."""
    missing = [max(0.0, 100.0 - rank.usage.cpu_percent) for rank in evidence.ranks]
    return sum(missing) / len(missing) if missing else 0.0


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


RULES = (_imbalance, _collective, _messages, _files, _threads, _paging, _noise, _off_core)
