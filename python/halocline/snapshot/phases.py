# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Phases: parts of a run that the program tells apart by the level of MPI_Pcontrol."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.snapshot.model import Phase, PhaseFunction
from halocline.snapshot.raw import RawPhase, RawRank
from halocline.snapshot.tables import NANO, percent, spread


def phases_of(ranks: Sequence[RawRank]) -> list[Phase]:
    """Sum every level over ranks; a rank that never entered it was there for 0 s."""
    levels = sorted({phase.level for raw in ranks for phase in raw.phases})
    return [_phase(level, ranks) for level in levels]


def _phase(level: int, ranks: Sequence[RawRank]) -> Phase:
    parts = [_part(raw, level) for raw in ranks]
    numbers = [raw.rank for raw in ranks]
    elapsed = [part.elapsed_ns * NANO for part in parts]
    in_mpi = [min(part.in_mpi_ns, part.elapsed_ns) * NANO for part in parts]
    return Phase(
        level=level,
        entered=sum(part.entered for part in parts),
        elapsed_s=spread(elapsed, numbers),
        mpi_s=spread(in_mpi, numbers),
        mpi_percent=percent(sum(in_mpi), sum(elapsed)),
        functions=_functions(parts, ranks),
    )


def _part(raw: RawRank, level: int) -> RawPhase:
    found = (phase for phase in raw.phases if phase.level == level)
    return next(found, RawPhase(level=level, entered=0, elapsed_ns=0, in_mpi_ns=0))


def _functions(parts: Sequence[RawPhase], ranks: Sequence[RawRank]) -> list[PhaseFunction]:
    sums: dict[str, tuple[int, float]] = {}
    for part, raw in zip(parts, ranks, strict=True):
        for each in part.functions:
            calls, seconds = sums.get(each.name, (0, 0.0))
            time = each.time_ns * NANO * raw.mpi_share
            sums[each.name] = (calls + each.calls, seconds + time)
    made = [
        PhaseFunction(name=name, calls=calls, seconds=seconds / len(parts))
        for name, (calls, seconds) in sums.items()
    ]
    return sorted(made, key=lambda function: -function.seconds)
