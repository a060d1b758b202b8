# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The time of a cycle on many ranks, and what it consists of.

Bulk-synchronous (L. G. Valiant, Comm. ACM 33, 1990, doi:10.1145/79173.79181): each call of a loop
takes as long as on the part for which it takes longest. docs/forecast.md has the formulae.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from halocline.forecast.costs import Costs
from halocline.forecast.curve import Curve, Numbers
from halocline.forecast.machine import Machine
from halocline.forecast.measured import LoopCost
from halocline.forecast.messages import Waits, exchange_seconds, messages_of_rank, together_s
from halocline.forecast.parts import Division, LevelParts
from halocline.forecast.solvers import Collectives

#: What a cycle consists of, in the order in which it is shown.
COMPONENTS = (
    "work",
    "calls",
    "cut",
    "imbalance",
    "sharing",
    "packing",
    "latency",
    "late",
    "bandwidth",
    "sums",
    "rest",
)


@dataclass(frozen=True)
class Prediction:
    """A cycle on a number of ranks."""

    division: Division
    seconds: float
    components: dict[str, float]
    by_level: tuple[float, ...]
    memory_bytes: float
    setup_s: float
    #: Largest part ÷ mean, of the finest level.
    imbalance: float
    neighbours: tuple[float, int]
    halo_share: float


@dataclass
class _Sum:
    """Components of a cycle, added up call by call."""

    levels: int
    components: dict[str, float] = field(default_factory=lambda: dict.fromkeys(COMPONENTS, 0.0))
    by_level: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.by_level = [0.0] * self.levels

    def add(self, level: int, parts: Iterable[tuple[str, float]]) -> None:
        for name, seconds in parts:
            self.components[name] += seconds
            self.by_level[level] += seconds


def predict(
    costs: Costs, division: Division, machine: Machine, together: Collectives
) -> Prediction:
    """Return the time of a cycle, memory and set-up.

    Args:
        costs: measured.
        division: the mesh in as many parts as there are ranks.
        machine: hosts and links.
        together: what all ranks do together in a cycle.
    """
    total = _Sum(len(division.levels))
    busy = machine.busy_cores(division.parts)
    crowding = machine.crowding(division.parts)
    for loop in costs.loops:
        if max(loop.level, loop.set_level) < len(division.levels):
            alone = costs.slowdown(loop, machine.busy_cores(1), division.parts)
            shared = costs.slowdown(loop, busy, division.parts)
            factors = (alone, shared * crowding)
            total.add(loop.level, _loop_seconds(loop, costs, division, machine, factors))
    rest = [("rest", costs.rest_s), ("sums", together_s(together, division.parts, machine))]
    total.add(0, rest)
    finest = division.levels[0]
    peers = _neighbours(finest, division.parts)
    return Prediction(
        division=division,
        seconds=sum(total.components.values()),
        components=total.components,
        by_level=tuple(total.by_level),
        memory_bytes=costs.fixed_bytes + costs.bytes_per_node * float(division.held_nodes.max()),
        setup_s=costs.setup_s_per_node * float(division.held_nodes.max())
        + division.cpu_s / division.parts,
        imbalance=float(finest.nodes.max() / finest.nodes.mean()),
        neighbours=(float(peers.mean()), int(peers.max())),
        halo_share=float(finest.halo.sum() / finest.nodes.sum()),
    )


def _neighbours(level: LevelParts, parts: int) -> Numbers:
    """Parts to which each part sends."""
    return np.bincount(level.senders, minlength=parts).astype(np.float64)


def _loop_seconds(
    loop: LoopCost,
    costs: Costs,
    division: Division,
    machine: Machine,
    factors: tuple[float, float],
) -> list[tuple[str, float]]:
    """Split the calls of a loop on the part that takes longest, `calls` times.

    `factors` on computing: of a rank alone on its host, and of one on a host as full as it will be.
    """
    alone, factor = factors
    level = division.levels[loop.set_level]
    curve = costs.curves[loop.code]
    computed = factor * curve(level.of_set(loop.set, loop.elements))
    waits = loop_waits(loop, division, machine, costs.packing_s_per_byte)
    exposed = exposed_seconds(loop, level, computed, waits)
    slowest = int(np.argmax(computed + exposed + waits.packing))
    split = _split_computing(curve, level, loop, slowest)
    travel = float(waits.travel[slowest])
    of_latency = float(waits.latency[slowest]) / travel if travel > 0.0 else 0.0
    waited = float(exposed[slowest])
    seconds = [
        *((name, alone * value) for name, value in split),
        ("sharing", (factor - alone) * sum(value for _, value in split)),
        ("packing", float(waits.packing[slowest])),
        ("latency", waited * of_latency),
        ("late", _late_seconds(loop, costs, division)),
        ("bandwidth", waited * (1.0 - of_latency)),
    ]
    return [(name, loop.calls * value) for name, value in seconds]


def loop_waits(loop: LoopCost, division: Division, machine: Machine, packing: float) -> Waits:
    """Return seconds of the exchanges of one call, of which not every one has an exchange."""
    if loop.exchange is None or division.parts == 1:
        nothing = np.zeros(division.parts)
        return Waits(nothing, nothing, nothing)
    whole = exchange_seconds(loop.exchange, division, machine, packing)
    share = loop.exchange.times / loop.calls
    return Waits(share * whole.latency, share * whole.travel, share * whole.packing)


def _late_seconds(loop: LoopCost, costs: Costs, division: Division) -> float:
    """What a call waits beyond its links: all parts alike, since who is late changes."""
    if loop.exchange is None or division.parts == 1:
        return 0.0
    count = messages_of_rank(loop.exchange, division) * loop.exchange.times / loop.calls
    return costs.late_s.get(loop.key, 0.0) * count


def exposed_seconds(loop: LoopCost, level: LevelParts, computed: Numbers, waits: Waits) -> Numbers:
    """Return what is not hidden behind elements that need no halo."""
    if loop.exchange is None or not loop.exchange.overlapped:
        return waits.travel
    core = np.maximum(1.0 - level.shared / np.maximum(level.nodes, 1.0), 0.0)
    return np.maximum(waits.travel - core * computed, 0.0)


def _split_computing(
    curve: Curve, level: LevelParts, loop: LoopCost, slowest: int
) -> list[tuple[str, float]]:
    """Work of a mean part, the fixed cost of a call, what cuts add, what the largest part adds."""
    executed = level.of_set(loop.set, loop.elements)
    owned = level.owned_of_set(loop.set, loop.elements)
    sizes = np.array([0.0, owned.mean(), executed.mean(), executed[slowest]])
    empty, mean, with_cut, largest = (float(value) for value in curve(sizes))
    return [
        ("calls", empty),
        ("work", mean - empty),
        ("cut", with_cut - mean),
        ("imbalance", largest - with_cut),
    ]
