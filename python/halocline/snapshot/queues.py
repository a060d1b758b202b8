# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How long ranks were ready to run but had no core, and who had it: the job itself or others.

A thread either runs or queues, so its queueing is at most the elapsed time. Of a rank the threads
that compute count, each by itself: a helper that sleeps queues for nothing. Others cannot have
taken more than the time they ran on the cores of the job; what is queued beyond that, the job's
own threads took from each other, or a CPU limit from all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.launch.cores import parse_cpu_list
from halocline.snapshot.raw import RawRank

# A thread that was ready or running half as long as the busiest one does the rank's work, too.
BUSY_SHARE = 0.5


@dataclass(frozen=True)
class Queue:
    """Seconds that a rank was ready but had no core, and the part that others took."""

    seconds: float
    taken_s: float | None


def queues_of(ranks: Sequence[RawRank]) -> list[Queue | None]:
    """Return the queueing of each rank; None where the kernel did not tell."""
    found: list[Queue | None] = [None] * len(ranks)
    for group in _groups(ranks):
        share = _share_of_others([ranks[place] for place in group])
        for place in group:
            if ranks[place].cpu.threads:
                seconds = _queued_s(ranks[place])
                found[place] = Queue(seconds, None if share is None else share * seconds)
    return found


def _queued_s(raw: RawRank) -> float:
    """Mean over the threads that do the work of a rank."""
    most = max(cpu + queue for _, cpu, queue in raw.cpu.threads)
    queued = [queue for _, cpu, queue in raw.cpu.threads if cpu + queue >= BUSY_SHARE * most]
    return min(sum(queued) / len(queued), raw.time.mpi_ns) / 1e9


def _share_of_others(ranks: Sequence[RawRank]) -> float | None:
    """Part of the queueing on some cores that other processes can have caused."""
    busy = [raw.pressure.busy_ns for raw in ranks if raw.pressure.busy_ns is not None]
    if not busy:
        return None
    own = sum(raw.cpu.user_ns + raw.cpu.system_ns for raw in ranks)
    queued = sum(queue for raw in ranks for _, _, queue in raw.cpu.threads)
    return min(1.0, max(0, max(busy) - own) / queued) if queued > 0 else 0.0


def _groups(ranks: Sequence[RawRank]) -> list[list[int]]:
    """Places of ranks that share cores: of one host, with cores in common."""
    groups: list[tuple[str, set[int], list[int]]] = []
    for place, raw in enumerate(ranks):
        cores, members = set(parse_cpu_list(raw.binding.cpus)), [place]
        apart = []
        for group in groups:
            if group[0] == raw.host and group[1] & cores:
                cores |= group[1]
                members = group[2] + members
            else:
                apart.append(group)
        groups = [*apart, (raw.host, cores, members)]
    return [members for _, _, members in groups]
