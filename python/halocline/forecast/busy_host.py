# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How much slower a loop is where more cores of a host are busy than were measured with the case.

`halocline cores` measures the host alone: what a core computes and moves while others do the same.
A loop is split into the seconds that its bytes need at the rate measured, and the rest, as the
execution-cache-memory model does where its parts do not overlap (H. Stengel, J. Treibig, G. Hager,
G. Wellein, ICS 2015, doi:10.1145/2751205.2751240). Bytes ÷ rate is the roofline's slope
(S. Williams, A. Waterman, D. Patterson, Comm. ACM 52, 2009, doi:10.1145/1498765.1498785).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from halocline.cores.result import CoresResult

COMPUTING, MOVING = "multiply_add", "triad"


@dataclass(frozen=True)
class Load:
    """What a loop asks of a core."""

    #: Share of its time that memory needs.
    memory_share: float
    #: What the rank works on: it tells from which cache or memory bytes come.
    set_bytes: float


@dataclass(frozen=True)
class BusyCores:
    """One number of busy cores."""

    cores: int
    #: Of an operation of a core.
    computing_s: float
    #: (bytes a core works on, seconds of a byte), ascending.
    moving_s: tuple[tuple[float, float], ...]

    def seconds_of_byte(self, set_bytes: float) -> float:
        """Straight over the logarithm of the size; constant beyond the ends."""
        sizes, seconds = zip(*self.moving_s, strict=True)
        return float(np.interp(np.log(max(set_bytes, 1.0)), np.log(sizes), seconds))


@dataclass(frozen=True)
class BusyHost:
    """What busy cores do to each other."""

    origin: str
    cpu: str
    points: tuple[BusyCores, ...]

    @property
    def most_cores(self) -> int:
        """Busy cores beyond which nothing was measured."""
        return self.points[-1].cores

    def slower(self, cores: float, known: float, load: Load) -> float:
        """Return seconds of a loop on `cores` busy cores ÷ on `known` ones; at least 1."""
        computing = self._computing_s(cores) / self._computing_s(known)
        moving = self._moving_s(cores, load.set_bytes) / self._moving_s(known, load.set_bytes)
        return max(1.0, (1.0 - load.memory_share) * computing + load.memory_share * moving)

    def memory_share(self, bytes_: float, seconds: float, cores: float, set_bytes: float) -> float:
        """Return the share of a call that its bytes need where `cores` are busy."""
        if seconds <= 0.0:
            return 0.0
        return min(1.0, bytes_ * self._moving_s(cores, set_bytes) / seconds)

    def _computing_s(self, cores: float) -> float:
        return self._at(cores, [point.computing_s for point in self.points])

    def _moving_s(self, cores: float, set_bytes: float) -> float:
        return self._at(cores, [point.seconds_of_byte(set_bytes) for point in self.points])

    def _at(self, cores: float, seconds: Sequence[float]) -> float:
        """Straight between measured numbers of cores, on along the last two; never falling."""
        places = [float(point.cores) for point in self.points]
        values = np.maximum.accumulate(seconds)
        if cores <= places[-1] or len(places) == 1:
            return float(np.interp(cores, places, values))
        slope = (values[-1] - values[-2]) / (places[-1] - places[-2])
        return float(values[-1] + slope * (cores - places[-1]))


def busy_host_of(result: CoresResult, origin: str) -> BusyHost | None:
    """Return the host of a result; None where it has no row of computing or none of memory."""
    computing = {row.cores: row.rate for row in result.rows if row.work == COMPUTING}
    points = []
    for cores, rate in sorted(computing.items()):
        moving = {
            float(row.set_bytes): 1.0 / row.rate
            for row in result.rows
            if row.work == MOVING and row.cores == cores and row.set_bytes > 0
        }
        if moving:
            points.append(BusyCores(cores, 1.0 / rate, tuple(sorted(moving.items()))))
    return BusyHost(origin, result.cpu, tuple(points)) if points else None
