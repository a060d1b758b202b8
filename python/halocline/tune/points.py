# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The collectives of a program: function × members of the communicator × message size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.snapshot.raw import RawRank


@dataclass(frozen=True)
class Point:
    """Calls of one function on communicators of one size, with messages of about one size.

    `calls` counts a call once, not once a rank; `bytes` is the mean of those calls, as
    docs/formats/snapshot-raw.md counts them, exact where all were alike; `low` and `high` (past
    the end) bound the sizes; `seconds` is the time inside them, mean over ranks, waiting for
    late ranks included.
    """

    function: str  # without `MPI_`
    members: int
    bytes: int
    low: int
    high: int
    calls: int
    seconds: float

    @property
    def name(self) -> str:
        """A word that tells it apart from the others of a program."""
        return f"{self.function}/{self.members}/{self.low}"


def recorded_points(ranks: Sequence[RawRank]) -> list[Point]:
    """Return the points of a recorded run, most time first."""
    sums: dict[tuple[str, int, int], list[int]] = {}
    for rank in ranks:
        for function, members, place, calls, size, time_ns in rank.collective_points.rows:
            total = sums.setdefault((function.removeprefix("MPI_"), members, place), [0, 0, 0])
            for at, value in enumerate((calls, size, time_ns)):
                total[at] += value
    points = [_point(key, total, len(ranks)) for key, total in sums.items() if total[0] > 0]
    return sorted(points, key=lambda point: (-point.seconds, point.name))


def _point(key: tuple[str, int, int], total: Sequence[int], ranks: int) -> Point:
    """Make a point of (function, members, bin) and (calls, bytes, ns) summed over ranks."""
    function, members, place = key
    calls, size, time_ns = total
    return Point(
        function=function,
        members=members,
        bytes=round(size / calls),
        low=0 if place == 0 else 2 ** (place - 1),
        high=1 if place == 0 else 2**place,
        calls=max(1, round(calls / members)),
        seconds=time_ns * 1e-9 / ranks,
    )


def worth_measuring(points: Sequence[Point], elapsed_s: float, least_share: float) -> list[Point]:
    """Return the points that take at least this share of the run, e.g. 0.002."""
    return [point for point in points if point.seconds >= least_share * elapsed_s]
