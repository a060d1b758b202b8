# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run record says about costs: a cycle, its loops, their exchanges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from halocline.errors import InvalidInputError
from halocline.forecast.linear_levels import (
    COLLECTION,
    CORRECTIONS,
    DOUBLE,
    LevelSize,
    Place,
    bytes_of_value,
    first_whole,
    levels_of,
    place_of,
)
from halocline.record.distribution import HaloCounts
from halocline.record.model import Record
from halocline.record.outcome import Loop

#: Exchanges of one loop are of its own level, or of the next finer or coarser one.
LEVELS_NEAR = (0, -1, 1)
#: Threads without a core for a larger share of a run were held up by other work.
HELD_UP = 0.05


@dataclass(frozen=True)
class Exchange:
    """Exchanges that a loop begins in a cycle."""

    level: int
    times: float
    bytes_per_node: float
    #: Whether elements that need no halo are computed meanwhile.
    overlapped: bool
    #: Whether each rank sends what it has of the level to all others.
    to_all: bool = False


@dataclass(frozen=True)
class LoopCost:
    """One loop on one level in one run."""

    name: str
    #: To which its time is counted.
    level: int
    #: Whose elements it runs over.
    set_level: int
    set: str
    calls: float  # a cycle
    #: Elements that a rank executed in a call, mean over ranks; twice executed ones included.
    elements: float
    #: Seconds of a call, mean over ranks, without packing and waiting for halos.
    seconds: float
    exchange: Exchange | None
    #: That a rank moves in a call if every operand moves once, mean over ranks.
    bytes: float = 0.0
    #: Seconds of packing and waiting for halos in a call, mean over ranks; of devices not known.
    waited_s: float = 0.0

    @property
    def code(self) -> str:
        """Loops of one code run over one kind of elements; two solvers may share a name."""
        return f"{self.name} of {self.set}"

    @property
    def key(self) -> tuple[str, int]:
        """Code and level."""
        return self.code, self.level


@dataclass(frozen=True)
class Run:
    """A measured point."""

    record: Record
    source: str
    loops: tuple[LoopCost, ...]
    #: Seconds of a cycle outside loops: sums over ranks, checks, the program itself.
    rest_s: float
    #: Seconds of packing and storing a byte that is sent.
    packing_s_per_byte: float
    #: Of the mesh, or those that a pressure solver makes of it.
    levels: tuple[LevelSize, ...]
    #: The first level that every rank has whole; None where none is, or on one rank.
    first_whole: int | None

    @property
    def iterations(self) -> float | None:
        """Iterations of linear solvers in a cycle or step; None of solvers that have none."""
        solvers = self.record.linear_solvers
        return sum(one.iterations for one in solvers) / self.cycles if solvers else None

    @property
    def ranks(self) -> int:
        """MPI ranks."""
        return self.record.layout.ranks

    @property
    def cycles(self) -> int:
        """Cycles or steps."""
        return self.record.results.cycles

    @property
    def cycle_s(self) -> float:
        """Seconds of a cycle, slowest rank."""
        return self.record.results.compute_s / self.cycles

    @property
    def on_devices(self) -> bool:
        """Whether loops ran on GPUs."""
        return self.record.layout.gpus > 0

    @property
    def partitioner(self) -> tuple[str, str] | None:
        """Partitioner and method; None of one rank."""
        division = self.record.partition
        return None if division is None else (division.partitioner, division.method or "auto")

    @property
    def cores(self) -> int:
        """Cores of the host with most ranks; 1 where the record does not say."""
        return max((host.cores or 1 for host in self.record.hosts), default=1)

    @property
    def ranks_of_host(self) -> int:
        """Ranks of the host that has most."""
        return max((host.ranks for host in self.record.hosts), default=self.ranks)

    @property
    def busy_cores(self) -> int:
        """Cores of that host that compute at the same time; ranks with GPUs: those ranks."""
        if self.on_devices:
            return self.ranks_of_host
        return min(self.ranks_of_host * self.record.layout.threads_per_rank, self.cores)

    @property
    def crowding(self) -> float:
        """How many threads share a core; 1 where each has its own."""
        if self.on_devices:
            return max(1.0, self.ranks / max(1, self.record.layout.gpus))
        wanted = self.ranks_of_host * self.record.layout.threads_per_rank
        return max(1.0, wanted / self.cores)

    @property
    def held_up(self) -> float | None:
        """Share of the cycles in which threads had no core; ranks wait for messages on theirs."""
        spent = self.record.results.compute_cpu_s
        wanted = self.record.results.compute_s * self.ranks * self.record.layout.threads_per_rank
        if spent is None or self.on_devices or self.crowding > 1.0:
            return None
        return max(0.0, 1.0 - spent / wanted)


def measured(record: Record, source: Path | str) -> Run:
    """Return what a record says about costs; it must be of a run that went well."""
    where = str(source)
    if record.status.state != "ok" or record.results.cycles < 1:
        raise InvalidInputError(
            f"{where}: the run ended {record.status.state} after {record.results.cycles} cycles "
            "(costs are those of whole cycles). Take a record of a run that went well."
        )
    if record.results.compute_s <= 0.0 or not any(loop.seconds > 0.0 for loop in record.loops):
        raise InvalidInputError(f"{where}: no loop was timed. Run again without --no-timers.")
    share = _share_of_cycles(record)
    levels = levels_of(record)
    return Run(
        record=record,
        source=where,
        loops=tuple(
            _cost(record, loop, place_of(record, loop, levels), share)
            for loop in record.loops
            if loop.calls
        ),
        rest_s=_rest_s(record),
        packing_s_per_byte=_packing_s_per_byte(record),
        levels=levels,
        first_whole=first_whole(record),
    )


def merged(runs: Sequence[Run]) -> list[Run]:
    """Return a run for each layout: the middle one, each of its loops as in the middle of them.

    Not the fastest: what a core does also depends on what its neighbours do, on a shared host on
    those of others, and few ranks are more often lucky together than many.
    """
    groups: dict[tuple[int, int, int], list[Run]] = {}
    for run in runs:
        layout = run.record.layout
        groups.setdefault((layout.ranks, layout.threads_per_rank, layout.gpus), []).append(run)
    return [_merged(group) for group in groups.values()]


def _merged(runs: Sequence[Run]) -> Run:
    middle = sorted(runs, key=lambda run: run.cycle_s)[(len(runs) - 1) // 2]
    seconds: dict[tuple[str, int], list[float]] = {}
    waited: dict[tuple[str, int], list[float]] = {}
    for run in runs:
        for loop in run.loops:
            seconds.setdefault(loop.key, []).append(loop.seconds)
            waited.setdefault(loop.key, []).append(loop.waited_s)
    return replace(
        middle,
        loops=tuple(
            replace(loop, seconds=median(seconds[loop.key]), waited_s=median(waited[loop.key]))
            for loop in middle.loops
        ),
        rest_s=median(run.rest_s for run in runs),
        packing_s_per_byte=median(run.packing_s_per_byte for run in runs),
    )


def _rest_s(record: Record) -> float:
    loops = sum(loop.seconds for loop in record.loops)
    waited = record.halo.exposed_s if record.layout.gpus else 0.0
    return max(0.0, record.results.compute_s - loops - waited) / record.results.cycles


def _packing_s_per_byte(record: Record) -> float:
    halo = record.halo
    if not halo.bytes or halo.packing_s is None:
        return 0.0
    return halo.packing_s * record.layout.ranks / halo.bytes


def _share_of_cycles(record: Record) -> float:
    """Kernels that were timed one by one take longer together than in the graph of a cycle."""
    loops = sum(loop.seconds for loop in record.loops)
    if not record.layout.gpus or loops <= record.results.compute_s:
        return 1.0
    return record.results.compute_s / loops


def _cost(record: Record, loop: Loop, place: Place, share: float) -> LoopCost:
    cycles, ranks = record.results.cycles, record.layout.ranks
    # Of devices only kernels are timed: what their halos wait for stands beside them.
    on_host = loop.halo is not None and not record.layout.gpus
    exposed = loop.halo.exposed_s if on_host and loop.halo is not None else 0.0
    size = loop.elements / loop.calls
    return LoopCost(
        name=loop.name,
        level=loop.level or 0,
        set_level=place.level,
        set=place.kind,
        calls=loop.calls / cycles,
        elements=(size + _executed_twice(record, loop, place)) / ranks,
        seconds=share * max(0.0, loop.seconds - exposed) / loop.calls,
        exchange=_exchange(record, loop, place),
        bytes=loop.bytes / loop.calls / ranks,
        waited_s=exposed / loop.calls,
    )


def _executed_twice(record: Record, loop: Loop, place: Place) -> float:
    """Edges that ranks execute and do not own, all ranks together; of levels that are listed."""
    if record.partition is None or not loop.set.startswith("edge"):
        return 0.0
    found = [one.import_exec for one in record.partition.levels if one.level == place.level]
    return float(found[0]) if found else 0.0


def _exchange(record: Record, loop: Loop, place: Place) -> Exchange | None:
    """Tell which nodes travel, how often, and how many bytes each is."""
    halo = loop.halo
    if halo is None or not halo.exchanges or not halo.messages:
        return None
    overlapped = record.halo.overlap and bool(halo.overlapped)
    times = halo.exchanges / record.results.cycles
    if loop.name == COLLECTION:
        return Exchange(place.level, times, DOUBLE, overlapped, to_all=True)
    if record.linear_solvers and loop.level is not None:
        level = place.level + (loop.name in CORRECTIONS)
        if level > 0:
            return Exchange(level, times, bytes_of_value(record), overlapped)
    return _by_ledger(record, halo, place, overlapped)


def _by_ledger(record: Record, halo: HaloCounts, place: Place, overlapped: bool) -> Exchange | None:
    """Tell the level whose nodes travel by its messages, then how many bytes each is."""
    sizes = {one.level: one for one in record.halo.levels}
    cycles = record.results.cycles
    for near in LEVELS_NEAR:
        one = sizes.get(place.level + near)
        if one is None or not one.elements or not one.messages:
            continue
        bytes_per_node = halo.bytes / (halo.exchanges * one.elements)
        whole = abs(bytes_per_node / DOUBLE - round(bytes_per_node / DOUBLE)) < 1e-6
        if halo.messages == halo.exchanges * one.messages and whole and bytes_per_node > 0.0:
            times = halo.exchanges / cycles
            return Exchange(place.level + near, times, bytes_per_node, overlapped)
    one = sizes.get(place.level)
    if one is None or not one.elements:
        return None
    times = halo.messages / one.messages if one.messages else halo.exchanges
    return Exchange(place.level, times / cycles, halo.bytes / (times * one.elements), overlapped)
