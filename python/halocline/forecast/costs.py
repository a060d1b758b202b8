# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Costs out of measured runs: a curve a loop, how busy cores slow each other, what remains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from halocline.errors import InvalidInputError
from halocline.forecast.busy_host import BusyHost, Load
from halocline.forecast.curve import Curve, fit
from halocline.forecast.measured import LoopCost, Run


@dataclass(frozen=True)
class Contention:
    """Factor on computing over cores that are busy on a host; 1 for the base run."""

    points: tuple[tuple[float, float], ...]

    def __call__(self, cores: float) -> float:
        """Straight between measured numbers of cores, then on along the last two; never falling."""
        places, values = zip(*self.points, strict=True)
        if cores <= places[-1] or len(places) == 1:
            return float(np.interp(cores, places, values))
        slope = (values[-1] - values[-2]) / (places[-1] - places[-2])
        return float(values[-1] + max(0.0, slope) * (cores - places[-1]))


@dataclass(frozen=True)
class Costs:
    """All that is measured and does not depend on the number of ranks."""

    loops: tuple[LoopCost, ...]
    curves: dict[str, Curve]
    contention: Contention
    #: Most cores that were busy at once in a measured run.
    busy_cores: int
    rest_s: float
    packing_s_per_byte: float
    bytes_per_node: float
    fixed_bytes: float
    setup_s_per_node: float
    on_devices: bool
    #: Share of a cycle in loops of which one size was measured.
    of_one_size: float
    #: What busy cores do to each other beyond those of measured runs; None: not measured.
    host: BusyHost | None = None
    #: Share of each loop that memory needs on `busy_cores`, by code and level.
    memory_shares: dict[tuple[str, int], float] = field(default_factory=dict)
    #: Of maps, plans and values, all ranks together.
    working_bytes: float = 0.0
    #: Mean over loops by time.
    memory_share: float | None = None
    #: Seconds that a message of each loop waits beyond its link; see late.py.
    late_s: dict[tuple[str, int], float] = field(default_factory=dict)

    def slowdown(self, loop: LoopCost, cores: int, ranks: int) -> float:
        """Return the factor on computing of a loop where so many cores of a host are busy.

        Measured points of the case count as far as they go; beyond them the host alone speaks, or
        the line through the last two.
        """
        if self.host is None or cores <= self.busy_cores:
            return self.contention(cores)
        load = Load(self.memory_shares.get(loop.key, 0.0), self.working_bytes / ranks)
        beyond = self.host.slower(cores, self.busy_cores, load)
        return self.contention(self.busy_cores) * beyond


def costs_of(
    runs: Sequence[Run], patterns: Sequence[Run] | None = None, host: BusyHost | None = None
) -> Costs:
    """Return costs of runs.

    Times come from runs that had a core for each thread, if there is one: of those the one that
    keeps most cores busy is the base, as hosts of large jobs are full.

    Args:
        runs: their times count.
        patterns: runs that tell how often which values travel; the same runs if None.
        host: what busy cores do to each other; nothing is known of it of GPUs.
    """
    if not runs:
        raise InvalidInputError("there is no measured run to take costs from. Name records.")
    roomy, base = _roomy(runs), base_of(runs)
    curves = _curves(base)
    # Of runs that keep as many cores busy as the base the base is the last, whose factor is 1.
    factors = {run.busy_cores: _slowdown(run, curves) for run in (*roomy, base)}
    loops = _with_exchanges(base, patterns or runs)
    unknown = Curve((1.0,), (0.0,), 0.0)
    known = None if base.on_devices else host
    shares = _memory_shares(base, known)
    return Costs(
        loops=loops,
        curves={loop.code: curves.get(loop.code, unknown) for loop in loops},
        contention=Contention(
            tuple((float(cores), factor) for cores, factor in sorted(factors.items()))
        ),
        busy_cores=base.busy_cores,
        rest_s=min(run.rest_s for run in roomy),
        packing_s_per_byte=max(run.packing_s_per_byte for run in roomy),
        bytes_per_node=_bytes_per_node(base),
        fixed_bytes=_fixed_bytes(base),
        setup_s_per_node=_setup_s_per_node(base),
        on_devices=base.on_devices,
        of_one_size=_share_of_one_size(base, curves),
        host=known,
        memory_shares=shares,
        working_bytes=_working_bytes(base),
        memory_share=_mean_share(base, shares) if known else None,
    )


def base_of(runs: Sequence[Run]) -> Run:
    """Return the run whose times count: of those with a core a thread that of most busy cores."""
    return max(_roomy(runs), key=lambda run: (run.busy_cores, run.ranks))


def _roomy(runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if run.crowding == 1.0] or list(runs)


def _curves(run: Run) -> dict[str, Curve]:
    """A loop is the same code on every level: levels are its sizes.

    What a call costs without elements cannot be seen of a loop of one level: it is taken to be what
    it is in the middle of those of several.
    """
    points: dict[str, list[tuple[float, float]]] = {}
    for loop in run.loops:
        points.setdefault(loop.code, []).append((loop.elements, loop.seconds / run.crowding))
    curves = {name: fit(own) for name, own in points.items()}
    empty = [curve.empty_s for curve in curves.values() if len(curve.elements) > 1]
    usual = float(np.median(empty)) if empty else 0.0
    return {
        name: replace(curve, empty_s=min(usual, curve.seconds[0]))
        if len(curve.elements) == 1
        else curve
        for name, curve in curves.items()
    }


def _share_of_one_size(run: Run, curves: dict[str, Curve]) -> float:
    """Share of a cycle in loops of which one size was measured."""
    seconds = [(loop.code, loop.calls * loop.seconds) for loop in run.loops]
    alone = sum(spent for code, spent in seconds if len(curves[code].elements) == 1)
    return alone / max(sum(spent for _, spent in seconds), 1e-300)


def _memory_shares(base: Run, host: BusyHost | None) -> dict[tuple[str, int], float]:
    if host is None:
        return {}
    share_bytes = _working_bytes(base) / base.ranks
    return {
        loop.key: host.memory_share(
            loop.bytes, loop.seconds / base.crowding, base.busy_cores, share_bytes
        )
        for loop in base.loops
    }


def _mean_share(base: Run, shares: dict[tuple[str, int], float]) -> float:
    spent = sum(loop.calls * loop.seconds for loop in base.loops)
    moving = sum(loop.calls * loop.seconds * shares[loop.key] for loop in base.loops)
    return moving / max(spent, 1e-300)


def _working_bytes(run: Run) -> float:
    """What all ranks together walk through in a cycle: what they allocated where that is known."""
    parts = run.record.memory.parts
    if parts is None:
        return _bytes_per_node(run) * _held_nodes(run) * run.ranks
    return float(parts.map_bytes + parts.plan_bytes + parts.dat_bytes)


def _slowdown(run: Run, curves: dict[str, Curve]) -> float:
    """Seconds in loops ÷ what the base's curves say for the same elements."""
    said = spent = 0.0
    for loop in run.loops:
        if loop.code in curves:
            said += loop.calls * float(curves[loop.code](np.array(loop.elements)))
            spent += loop.calls * loop.seconds / run.crowding
    return spent / said if said > 0.0 else 1.0


def _with_exchanges(base: Run, runs: Sequence[Run]) -> tuple[LoopCost, ...]:
    """Loops of the base, with exchanges of the run of fewest ranks that has any.

    Some loops there are on several ranks alone, and do nothing but to bring values there.
    """
    known: dict[tuple[str, int], LoopCost] = {}
    for run in sorted(runs, key=lambda run: run.ranks, reverse=True):
        known |= {loop.key: loop for loop in run.loops if loop.exchange}
    made = []
    for loop in base.loops:
        of_others = known.get(loop.key)
        exchange = loop.exchange or (of_others.exchange if of_others else None)
        made.append(replace(loop, exchange=exchange))
    here = {loop.key for loop in made}
    return (*made, *(loop for key, loop in known.items() if key not in here))


def has_exchanges(costs: Costs) -> bool:
    """Whether any run recorded what travels."""
    return any(loop.exchange is not None for loop in costs.loops)


def _held_nodes(run: Run) -> float:
    """Nodes of all levels that a rank holds, mean over ranks."""
    owned = sum(level.nodes for level in run.record.mesh.levels)
    halos = sum(level.elements for level in run.record.halo.levels)
    return (owned + halos) / run.ranks


def _fixed_bytes(run: Run) -> float:
    fixed = run.record.memory.fixed_bytes
    return fixed.mean if fixed is not None else 0.0


def _bytes_per_node(run: Run) -> float:
    peak = run.record.memory.peak_rss_bytes.mean
    return max(0.0, peak - _fixed_bytes(run)) / _held_nodes(run)


def _setup_s_per_node(run: Run) -> float:
    """Set-up but for dividing the mesh, over the nodes that a rank holds."""
    setup = run.record.setup
    spent = setup.read_s + setup.renumber_s + setup.halo_s + setup.plan_s
    per_node = spent / run.crowding / _held_nodes(run)
    return per_node if math.isfinite(per_node) else 0.0
