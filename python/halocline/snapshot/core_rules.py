# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the verdict on cores: who took them, and where ranks slept.

A rank that waits in MPI needs no core, so queueing counts for the part of its time in which it does
not wait; what others wait for it meanwhile counts where its queueing explains that.
"""

from __future__ import annotations

from collections.abc import Callable

from halocline.snapshot.evidence import (
    Diagnosis,
    Evidence,
    diagnosis,
    needs_core_share,
    waiting_s,
)
from halocline.snapshot.model import Rank

PAGING_FAULTS_PER_S = 50.0
# Queueing below this share of the time is what every machine has.
NOTABLE_PERCENT = 5.0
EXPLAINED_SHARE = 0.5
Queueing = Callable[[Rank], float]


def taken_by_others_s(rank: Rank) -> float:
    """Seconds in which other processes had the core of a rank that was ready."""
    return rank.usage.taken_s or 0.0


def taken_by_job_s(rank: Rank) -> float:
    """Seconds in which the job's own threads had it."""
    if rank.usage.taken_s is None:
        return 0.0
    return max(0.0, (rank.usage.run_queue_s or 0.0) - rank.usage.taken_s)


def queueing_explains_waiting(evidence: Evidence) -> bool:
    """Whether ranks wait for each other because one had no core, not because of their work."""
    return any(_explains(evidence, queueing) for queueing in (taken_by_others_s, taken_by_job_s))


def noise(evidence: Evidence) -> Diagnosis | None:
    """Other processes took the cores."""
    found = _worst(evidence, taken_by_others_s)
    if found is None:
        return None
    rank, share = found
    waited = ", and the others waited for it in MPI"
    return diagnosis(
        "noise",
        _cost_percent(evidence, taken_by_others_s),
        f"Other processes take the cores: rank {rank.rank} on {rank.host} was ready to run but had "
        f"none {share:.0f} % of the time"
        f"{waited if _explains(evidence, taken_by_others_s) else ''}.",
        "Use nodes of your own or bind the ranks elsewhere, and take the snapshot again before "
        "reading the other figures.",
    )


def crowded(evidence: Evidence) -> Diagnosis | None:
    """Ranks and threads of the job took the cores from each other, or a CPU limit from all."""
    found = _worst(evidence, taken_by_job_s)
    if found is None:
        return None
    rank, share = found
    return diagnosis(
        "crowded",
        _cost_percent(evidence, taken_by_job_s),
        f"The job fights for cores with itself: rank {rank.rank} on {rank.host} was ready to run "
        f"but had none {share:.0f} % of the time, and no other process used them.",
        "Start fewer ranks or threads (threads that are not OpenMP's count, too), bind the ranks, "
        "or lift the CPU limit of the container or batch job.",
    )


def paging(evidence: Evidence) -> Diagnosis | None:
    """Pages came from disk."""
    faults = sum(rank.usage.major_faults for rank in evidence.ranks)
    elapsed = sum(rank.elapsed_s for rank in evidence.ranks)
    if elapsed <= 0 or faults / elapsed < PAGING_FAULTS_PER_S:
        return None
    return diagnosis(
        "paging",
        _off_core_percent(evidence),
        f"Memory is short: {faults:,} page faults had to be read from disk.",
        "Spread the ranks over more hosts, or use fewer ranks per host.",
    )


def off_core(evidence: Evidence) -> Diagnosis | None:
    """Ranks slept, not in file calls and not for want of a core."""
    asleep = [
        max(0.0, _missing_percent(rank) - _percent(rank.usage.run_queue_s or 0.0, rank.elapsed_s))
        for rank in evidence.ranks
    ]
    cost = sum(asleep) / len(asleep) - (evidence.times.io_percent or 0.0)
    return diagnosis(
        "off core",
        cost,
        f"The ranks slept {cost:.0f} % of the time outside file I/O.",
        "Look for sleeps, locks, pipes and child processes in the program, and for an MPI library "
        "that blocks instead of polling.",
    )


def _worst(evidence: Evidence, queueing: Queueing) -> tuple[Rank, float] | None:
    """The rank that queued most, and its share of the time in percent; None where nobody did."""
    shares = [(_percent(queueing(rank), rank.elapsed_s), rank) for rank in evidence.ranks]
    share, rank = max(shares, key=lambda each: each[0], default=(0.0, None))
    return None if rank is None or share < NOTABLE_PERCENT else (rank, share)


def _cost_percent(evidence: Evidence, queueing: Queueing) -> float:
    lost = [
        _percent(queueing(rank), rank.elapsed_s) * needs_core_share(rank) for rank in evidence.ranks
    ]
    waited = evidence.times.imbalance_percent or 0.0 if _explains(evidence, queueing) else 0.0
    return min(100.0, sum(lost) / len(lost) + waited)


def _explains(evidence: Evidence, queueing: Queueing) -> bool:
    """Late ranks are late because they queued: the slowest one more than others, or all in turn."""
    slow = evidence.slow
    waited_percent = evidence.times.imbalance_percent or 0.0
    if slow is None or waited_percent < NOTABLE_PERCENT or _worst(evidence, queueing) is None:
        return False
    queued = [queueing(rank) for rank in evidence.ranks]
    total = sum(queued)
    if evidence.one_rank_is_late:
        more = queueing(slow) - total / len(queued)
        return more >= EXPLAINED_SHARE * evidence.surplus_s
    waits = [waiting_s(rank) for rank in evidence.ranks]
    explained = [min(wait, total - own) for wait, own in zip(waits, queued, strict=True)]
    return sum(explained) >= EXPLAINED_SHARE * sum(waits)


def _percent(part: float, whole: float) -> float:
    return 100.0 * _share(part, whole)


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0


def _off_core_percent(evidence: Evidence) -> float:
    """Share of the elapsed time without CPU use, mean over ranks."""
    missing = [_missing_percent(rank) for rank in evidence.ranks]
    return sum(missing) / len(missing) if missing else 0.0


def _missing_percent(rank: Rank) -> float:
    """Share of a rank's elapsed time without CPU use; one with busy threads has none."""
    return max(0.0, 100.0 - rank.usage.cpu_percent)
