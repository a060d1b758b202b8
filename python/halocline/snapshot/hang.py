# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether nothing moved any more when a run was stopped: all were inside MPI and none came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.snapshot.raw import RawRank
from halocline.snapshot.tables import NANO
from halocline.snapshot.waiting import WAITS

# Endings of ranks that somebody stopped; the others say by themselves why they ended.
STOPPED = frozenset({"flush", "sigterm", "signal 1", "signal 2", "signal 3"})
# A call may be on its way for this share of the run, a minute at most; a second is never too long.
SHARE_OF_RUN = 0.05
ALWAYS_LONG_S = 60.0
NEVER_LONG_S = 1.0
# These wait for processes outside MPI_COMM_WORLD, which may be at work.
OUTWARD = frozenset(
    f"MPI_Comm_{name}" for name in ("accept", "connect", "join", "spawn", "spawn_multiple")
)
NAMED_RANKS = 4


@dataclass(frozen=True)
class Hang:
    """The last stretch of a run, in which no rank left the call that it was in."""

    seconds: float
    where: str


def hang_of(ranks: Sequence[RawRank]) -> Hang | None:
    """Return the hang with which a run ended; None: there was none, or nobody can tell.

    Nobody can where a rank left no file, or where one of the threads that call MPI was outside.
    """
    stuck = [raw for raw in ranks if not raw.complete]
    if not stuck or len(ranks) < ranks[0].ranks or not all(map(_is_stuck, stuck)):
        return None
    if any(function.name in OUTWARD for raw in ranks for function in raw.functions):
        return None
    seconds = min(call.since_ns for raw in stuck for call in raw.pending) * NANO
    elapsed = max(raw.recorded_ns for raw in ranks) * NANO
    if seconds < max(NEVER_LONG_S, min(ALWAYS_LONG_S, SHARE_OF_RUN * elapsed)):
        return None
    return Hang(seconds, _where(stuck))


def _is_stuck(raw: RawRank) -> bool:
    """Every thread that calls MPI is inside a call that others have to answer, no disk."""
    answered = {call.tid for call in raw.pending if call.kind in WAITS}
    return raw.end in STOPPED and len(answered) == raw.mpi_threads


def _where(stuck: Sequence[RawRank]) -> str:
    """The ranks by function, the rarest first: it is the odd one that the others wait for."""
    by_function: dict[str, list[int]] = {}
    for raw in stuck:
        longest = max(raw.pending, key=lambda call: call.since_ns)
        by_function.setdefault(longest.function, []).append(raw.rank)
    groups = sorted(by_function.items(), key=lambda group: len(group[1]))
    return ", ".join(f"{_ranks_words(numbers)} in {function}" for function, numbers in groups)


def _ranks_words(numbers: Sequence[int]) -> str:
    if len(numbers) > NAMED_RANKS:
        return f"{len(numbers):,} ranks"
    return f"rank{'s' if len(numbers) > 1 else ''} {' and '.join(map(str, numbers))}"
