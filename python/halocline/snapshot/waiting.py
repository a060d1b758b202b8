# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Time spent waiting inside MPI, derived from all ranks (docs/formats/snapshot-raw.md, "Waiting").

Collectives: the rank that arrives last waits for nobody, so the shortest duration over the ranks
is the price of the call and the rest is waiting. Point-to-point and neighbourhood calls: what they
take beyond the price of their function and size (prices.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from halocline.snapshot.prices import Prices, prices_of
from halocline.snapshot.raw import RawFunction, RawRank

PRICED_BY_SIZE = frozenset({"send", "receive", "complete", "probe", "rma_sync"})
PRICED_BY_SAMPLES = frozenset({"collective", "communicator"})
WAITS = PRICED_BY_SIZE | PRICED_BY_SAMPLES
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

    by_function: dict[str, list[float]]
    finalize: list[float]
    caused: list[float]
    measured: bool

    def of_rank(self, place: int) -> float:
        """All waiting of one rank inside functions, MPI_Finalize not included."""
        return sum(times[place] for times in self.by_function.values())

    def mean_of(self, function: str) -> float:
        """Mean over ranks of the waiting in a function."""
        times = self.finalize if function == FINALIZE else self.by_function.get(function)
        return sum(times) / len(times) if times else 0.0

    @property
    def mean(self) -> float:
        """Mean over ranks of all waiting, MPI_Finalize included."""
        return sum(self.mean_of(name) for name in (*self.by_function, FINALIZE))


def waiting_times(ranks: Sequence[RawRank]) -> Waiting:
    """Derive the waiting of every function on every rank, in seconds of its MPI time."""
    prices = prices_of(ranks)
    shares = _shares_from_samples(ranks)
    by_function: dict[str, list[float]] = {}
    for place, raw in enumerate(ranks):
        for function in raw.functions:
            nanoseconds = _waiting(function, place, prices, shares.by_function)
            times = by_function.setdefault(function.name, [0.0] * len(ranks))
            times[place] += min(max(nanoseconds, 0.0), function.time_ns) * raw.mpi_share / 1e9
    longest = max((raw.time.mpi_ns for raw in ranks), default=0)
    ends = [(longest - raw.time.mpi_ns) / 1e9 if raw.complete else 0.0 for raw in ranks]
    collectives = any(raw.collective_samples.seen for raw in ranks)
    return Waiting(by_function, ends, shares.caused, measured=shares.seen or not collectives)


def _waiting(
    function: RawFunction,
    place: int,
    prices: Prices,
    shares: dict[str, list[float]],
) -> float:
    # What a call that never returned waited for did not come.
    unfinished = function.unfinished_ns if function.kind in WAITS else 0
    if function.kind in PRICED_BY_SAMPLES and function.name in shares:
        returned = function.time_ns - function.unfinished_ns
        return unfinished + returned * shares[function.name][place]
    if function.kind == "test":
        return float(function.polling_ns)
    if function.kind not in PRICED_BY_SIZE and not function.name.startswith(NEIGHBOURHOOD):
        return float(unfinished)
    return unfinished + float(
        sum(
            max(0.0, time_ns - calls * prices[function.name, size])
            for size, calls, _, time_ns, min_ns in function.histogram
            if min_ns is not None
        )
    )


@dataclass(frozen=True)
class _Shares:
    """The waiting share of each function by rank, and the seconds that each rank caused."""

    by_function: dict[str, list[float]]
    caused: list[float]
    seen: bool


# One sampled call on one rank: duration in nanoseconds, place of the rank.
_Call = tuple[int, int]


def _shares_from_samples(ranks: Sequence[RawRank]) -> _Shares:
    """Compare calls that all members of their communicator kept."""
    waits: dict[str, list[int]] = {}
    totals: dict[str, list[int]] = {}
    caused = [0] * len(ranks)
    for name, calls in _matched_calls(ranks):
        least = min(calls)[0]
        waited = waits.setdefault(name, [0] * len(ranks))
        total = totals.setdefault(name, [0] * len(ranks))
        for duration, place in calls:
            waited[place] += duration - least
            total[place] += duration
        if name in ALL_WAIT_FOR_ALL:
            last = min(calls)[1]
            caused[last] += sum(duration for duration, _ in calls) - least * len(calls)
    shares = {
        name: [
            wait / all_ if all_ else 0.0 for wait, all_ in zip(waited, totals[name], strict=True)
        ]
        for name, waited in waits.items()
    }
    for raw in ranks:  # sampled, but nowhere by all members: no waiting is known
        for name in raw.collective_samples.function_names:
            shares.setdefault(name, [0.0] * len(ranks))
    return _Shares(shares, [nanoseconds / 1e9 for nanoseconds in caused], seen=bool(waits))


def _matched_calls(ranks: Sequence[RawRank]) -> Iterator[tuple[str, list[_Call]]]:
    """Yield the function of each call and its durations on all members of the communicator."""
    found: dict[tuple[str, int], tuple[str, int, list[_Call]]] = {}
    for place, raw in enumerate(ranks):
        known = {each.index: each for each in raw.communicators}
        names = raw.collective_samples.function_names
        for index, sequence, function, duration in raw.collective_samples.rows:
            where = known[index]
            size = where.size + where.remote_size
            entry = found.setdefault((where.id, sequence), (names[function], size, []))
            entry[2].append((duration, place))
    for name, size, calls in found.values():
        if len(calls) == size:
            yield name, calls
