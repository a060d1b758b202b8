# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the rules of the verdict look at, and what one of them says."""

from __future__ import annotations

from dataclasses import dataclass

from halocline.snapshot.hang import Hang
from halocline.snapshot.model import Function, OpenMp, Rank, Times, Verdict

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
    hang: Hang | None

    @property
    def slow(self) -> Rank | None:
        """The rank with most time outside MPI."""
        return next((rank for rank in self.ranks if rank.rank == self.slowest_rank), None)

    @property
    def surplus_s(self) -> float:
        """What the slowest rank spends outside MPI beyond the mean."""
        outside = [outside_s(rank) for rank in self.ranks]
        return max(outside) - sum(outside) / len(outside) if outside else 0.0

    @property
    def own_surplus_s(self) -> float:
        """What the slowest rank computes outside MPI beyond the mean, with a core of its own."""
        own = {rank.rank: outside_s(rank) - queued_s(rank) for rank in self.ranks}
        return own[self.slow.rank] - sum(own.values()) / len(own) if self.slow else 0.0

    @property
    def one_rank_is_late(self) -> bool:
        """Whether one rank is to blame for the waiting; else the late one changes."""
        return self._explains_waiting(self.surplus_s)

    @property
    def one_rank_has_more_work(self) -> bool:
        """Whether one rank is to blame for its work, not for want of a core."""
        return self._explains_waiting(self.own_surplus_s)

    def _explains_waiting(self, surplus_s: float) -> bool:
        waiting = (self.times.imbalance_percent or 0.0) * self.times.elapsed_s / 100
        return surplus_s >= ONE_RANK_SHARE * waiting


@dataclass(frozen=True)
class Diagnosis:
    """What one rule says, and its cost in percent of the elapsed time."""

    cost_percent: float
    verdict: Verdict


def outside_s(rank: Rank) -> float:
    """Seconds of a rank outside MPI."""
    return rank.elapsed_s - rank.mpi_s


def waiting_s(rank: Rank) -> float:
    """Seconds in which a rank waited for others, in MPI_Finalize, too."""
    return rank.wait_s + rank.finalize_wait_s


def queued_s(rank: Rank) -> float:
    """Seconds outside MPI in which a rank was ready but had no core.

    Queueing is counted over the whole run; a rank that waits in MPI needs no core.
    """
    return (rank.usage.run_queue_s or 0.0) * needs_core_share(rank)


def needs_core_share(rank: Rank) -> float:
    """The share of a rank's time in which it does not wait for others."""
    return max(0.0, 1.0 - waiting_s(rank) / rank.elapsed_s) if rank.elapsed_s > 0 else 1.0


def diagnosis(rule: str, cost_percent: float, finding: str, advice: str) -> Diagnosis:
    """Return what a rule says."""
    return Diagnosis(cost_percent, Verdict(rule=rule, finding=finding, advice=advice))
