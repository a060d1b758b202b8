# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Time spent waiting inside MPI, derived from all ranks (docs/formats/snapshot-raw.md, "Waiting").

Collectives: the rank that arrives last waits for nobody, so the shortest duration over the ranks
is the price of the call and the rest is waiting. Point-to-point and neighbourhood calls: what they
take beyond the price of their function and size (prices.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from halocline.snapshot.prices import Prices, prices_of
from halocline.snapshot.raw import RawFunction, RawRank

PRICED_BY_SIZE = frozenset({"send", "receive", "complete", "probe", "rma_sync"})
PRICED_BY_SAMPLES = frozenset({"collective", "communicator"})
NEIGHBOURHOOD = "MPI_Neighbor_"  # wait for neighbours alone: no samples
FINALIZE = "MPI_Finalize"
# Collectives that no member leaves before all have entered: only these tell who came last.
ALL_WAIT_FOR_ALL = frozenset(
    {
        "MPI_Barrier",
        "MPI_Allreduce",
        "MPI_Allgather",
        "MPI_Allgatherv",
        "MPI_Alltoall",
        "MPI_Alltoallv",
        "MPI_Alltoallw",
        "MPI_Reduce_scatter",
        "MPI_Reduce_scatter_block",
        "MPI_Comm_create",
        "MPI_Comm_dup",
        "MPI_Comm_split",
    }
)


@dataclass(frozen=True)
class Waiting:
    """Seconds of waiting by function and rank, and for whom collectives waited."""

    by_function: dict[str, npt.NDArray[np.float64]]
    finalize: npt.NDArray[np.float64]
    caused: npt.NDArray[np.float64]
    measured: bool

    def of_rank(self, place: int) -> float:
        """All waiting of one rank inside functions, MPI_Finalize not included."""
        return float(sum(times[place] for times in self.by_function.values()))

    def mean_of(self, function: str) -> float:
        """Mean over ranks of the waiting in a function."""
        times = self.finalize if function == FINALIZE else self.by_function.get(function)
        return 0.0 if times is None or not len(times) else float(times.mean())

    @property
    def mean(self) -> float:
        """Mean over ranks of all waiting, MPI_Finalize included."""
        return sum(self.mean_of(name) for name in (*self.by_function, FINALIZE))


@dataclass
class _Samples:
    """Sampled collective calls of all ranks, one entry a rank and call."""

    communicator: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    sequence: list[int] = field(default_factory=list)
    function: list[int] = field(default_factory=list)
    rank: list[int] = field(default_factory=list)
    duration: list[int] = field(default_factory=list)


def waiting_times(ranks: Sequence[RawRank]) -> Waiting:
    """Derive the waiting of every function on every rank, in seconds of one thread."""
    prices = prices_of(ranks)
    shares, caused, seen = _shares_from_samples(ranks)
    by_function: dict[str, npt.NDArray[np.float64]] = {}
    for place, raw in enumerate(ranks):
        for function in raw.functions:
            nanoseconds = _waiting(function, place, prices, shares)
            times = by_function.setdefault(function.name, np.zeros(len(ranks)))
            times[place] += min(max(nanoseconds, 0.0), function.time_ns) / raw.mpi_threads / 1e9
    longest = max((raw.time.mpi_ns for raw in ranks), default=0)
    ends = [(longest - raw.time.mpi_ns) / 1e9 if raw.complete else 0.0 for raw in ranks]
    collectives = any(raw.collective_samples.seen for raw in ranks)
    return Waiting(by_function, np.array(ends), caused / 1e9, measured=seen or not collectives)


def _waiting(
    function: RawFunction,
    place: int,
    prices: Prices,
    shares: dict[str, npt.NDArray[np.float64]],
) -> float:
    if function.kind in PRICED_BY_SAMPLES and function.name in shares:
        return function.time_ns * float(shares[function.name][place])
    if function.kind == "test":
        return float(function.polling_ns)
    if function.kind not in PRICED_BY_SIZE and not function.name.startswith(NEIGHBOURHOOD):
        return 0.0
    return float(
        sum(
            max(0.0, time_ns - calls * prices[function.name, size])
            for size, calls, _, time_ns, min_ns in function.histogram
            if min_ns is not None
        )
    )


def _shares_from_samples(
    ranks: Sequence[RawRank],
) -> tuple[dict[str, npt.NDArray[np.float64]], npt.NDArray[np.float64], bool]:
    """Return the waiting share of each function and rank, and the waiting that each rank caused."""
    caused = np.zeros(len(ranks))
    names: dict[str, int] = {}
    samples = _collect(ranks, names)
    if not samples.rank:
        return {}, caused, False
    order = np.lexsort((samples.rank, samples.sequence, samples.communicator))
    communicator, size, sequence, function, rank, duration = (
        np.asarray(column)[order]
        for column in (
            samples.communicator,
            samples.size,
            samples.sequence,
            samples.function,
            samples.rank,
            samples.duration,
        )
    )
    starts = _starts(communicator, sequence)
    counts = np.diff(np.append(starts, len(rank)))
    complete = np.repeat(counts == size[starts], counts)
    least = np.repeat(np.minimum.reduceat(duration, starts), counts)
    waits = (duration - least).astype(np.float64)
    everyone = np.zeros((len(names), len(ranks)))
    total = np.zeros_like(everyone)
    np.add.at(everyone, (function[complete], rank[complete]), waits[complete])
    np.add.at(total, (function[complete], rank[complete]), duration[complete])
    blame = np.isin(function, [place for name, place in names.items() if name in ALL_WAIT_FOR_ALL])
    _blame(caused, starts, counts, waits, np.where(complete & blame, rank, -1))
    shares = np.divide(everyone, total, out=np.zeros_like(total), where=total > 0)
    return {name: shares[place] for name, place in names.items()}, caused, bool(complete.any())


def _blame(
    caused: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    waits: npt.NDArray[np.float64],
    rank: npt.NDArray[np.int64],
) -> None:
    """Add the waiting of each call to the account of its last arriver, who waited 0."""
    sums = np.repeat(np.add.reduceat(waits, starts), counts)
    groups = np.repeat(np.arange(len(starts)), counts)
    last = np.flatnonzero((waits == 0.0) & (rank >= 0))
    _, first = np.unique(groups[last], return_index=True)
    last = last[first]
    np.add.at(caused, rank[last], sums[last])


def _starts(
    communicator: npt.NDArray[np.int64], sequence: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    changed = (np.diff(communicator) != 0) | (np.diff(sequence) != 0)
    return np.concatenate(([0], np.flatnonzero(changed) + 1))


def _collect(ranks: Sequence[RawRank], names: dict[str, int]) -> _Samples:
    """Gather all rows with numbers that mean the same on every rank."""
    samples = _Samples()
    communicators: dict[str, int] = {}
    for place, raw in enumerate(ranks):
        known = {each.index: each for each in raw.communicators}
        table = [
            names.setdefault(name, len(names)) for name in raw.collective_samples.function_names
        ]
        for index, sequence, function, duration in raw.collective_samples.rows:
            where = known[index]
            samples.communicator.append(communicators.setdefault(where.id, len(communicators)))
            samples.size.append(where.size + where.remote_size)
            samples.sequence.append(sequence)
            samples.function.append(table[function])
            samples.rank.append(place)
            samples.duration.append(duration)
    return samples
