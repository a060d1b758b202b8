# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One program at several scales: speed-up, efficiency, MPI time by function, message sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.errors import UsageError
from halocline.snapshot.model import Bin, Snapshot
from halocline.wording import counted

FUNCTIONS_KEPT = 6
OTHERS = "other functions"


class Point(DocumentPart):
    """The program at one number of ranks."""

    source: str = key(description="report that this point is from")
    ranks: int
    threads: int = key(description="OpenMP threads of a rank")
    hosts: int
    elapsed_s: float = key(description="MPI_Init to MPI_Finalize, slowest rank")
    outside_s: float = key(description="mean over ranks of the time outside MPI")
    mpi_s: float = key(description="mean over ranks of the time inside MPI")
    mpi_percent: float
    imbalance_percent: float | None
    speed_up: float = key(description="elapsed time of the first point ÷ of this one")
    efficiency_percent: float = key(description="100 × speed-up × first cores ÷ cores")
    function_s: dict[str, float] = key(description="mean over ranks by function, largest first")
    messages: int = key(description="messages and collective calls that carry data, all ranks")
    bytes: int = key(description="their bytes")
    sizes: list[Bin] = key(description="message sizes, all functions and ranks")


class Scaling(DocumentPart):
    """A scaling study out of snapshots, fewest cores first."""

    schema_name: Literal["halocline.snapshot-scaling"] = key(name="schema")
    schema_version: Literal[1]
    program: str
    cautions: list[str] = key(description="why points may not be comparable")
    functions: list[str] = key(description="functions with most time at any scale")
    points: list[Point]


def scaling(snapshots: Sequence[tuple[str, Snapshot]]) -> Scaling:
    """Return the study of (source, snapshot) pairs; of equal scales the fastest counts."""
    kept, cautions = _one_per_scale(snapshots)
    if len(kept) < 2:
        raise UsageError(
            "halocline snapshot scale: one scale only (a speed-up needs two numbers of ranks). "
            "Name snapshots of different numbers of ranks."
        )
    functions = _largest_functions([snapshot for _, snapshot in kept])
    first = kept[0][1]
    programs = sorted({snapshot.program for _, snapshot in kept})
    if len(programs) > 1:
        cautions.append(f"different programs: {', '.join(programs)}")
    for source, snapshot in kept:
        if snapshot.status.state == "partial":
            cautions.append(f"{source} is a partial report")
        cautions += [f"{source}: {warning}" for warning in snapshot.warnings]
    return Scaling(
        schema_name="halocline.snapshot-scaling",
        schema_version=1,
        program=programs[0],
        cautions=cautions,
        functions=functions,
        points=[_point(source, snapshot, first, functions) for source, snapshot in kept],
    )


def _one_per_scale(
    snapshots: Sequence[tuple[str, Snapshot]],
) -> tuple[list[tuple[str, Snapshot]], list[str]]:
    best: dict[tuple[int, int], tuple[str, Snapshot]] = {}
    counts: dict[tuple[int, int], int] = {}
    for source, snapshot in snapshots:
        key = (len(snapshot.ranks), _threads(snapshot))
        counts[key] = counts.get(key, 0) + 1
        known = best.get(key)
        if known is None or snapshot.times.elapsed_s < known[1].times.elapsed_s:
            best[key] = (source, snapshot)
    repeated = [f"{counted(key[0], 'rank')}" for key, count in counts.items() if count > 1]
    cautions = (
        [f"several reports of {', '.join(repeated)}: the fastest is shown"] if repeated else []
    )
    ordered = sorted(best.values(), key=lambda pair: (_cores(pair[1]), len(pair[1].ranks)))
    return ordered, cautions


def _threads(snapshot: Snapshot) -> int:
    return max(rank.openmp_threads for rank in snapshot.ranks)


def _cores(snapshot: Snapshot) -> int:
    return len(snapshot.ranks) * _threads(snapshot)


def _largest_functions(snapshots: Sequence[Snapshot]) -> list[str]:
    largest: dict[str, float] = {}
    for snapshot in snapshots:
        for function in snapshot.functions:
            share = function.percent_of_elapsed
            largest[function.name] = max(share, largest.get(function.name, 0.0))
    return sorted(largest, key=lambda name: -largest[name])[:FUNCTIONS_KEPT]


def _point(source: str, snapshot: Snapshot, first: Snapshot, functions: list[str]) -> Point:
    times = snapshot.times
    outside = [rank.elapsed_s - rank.mpi_s for rank in snapshot.ranks]
    speed_up = first.times.elapsed_s / times.elapsed_s if times.elapsed_s > 0 else 0.0
    seconds = {function.name: function.seconds.mean for function in snapshot.functions}
    by_function = {name: seconds.get(name, 0.0) for name in functions}
    by_function[OTHERS] = max(0.0, sum(seconds.values()) - sum(by_function.values()))
    sizes = sizes_of(snapshot)
    return Point(
        source=source,
        ranks=len(snapshot.ranks),
        threads=_threads(snapshot),
        hosts=len(snapshot.hosts),
        elapsed_s=times.elapsed_s,
        outside_s=sum(outside) / len(outside),
        mpi_s=times.mpi_s.mean,
        mpi_percent=times.mpi_percent,
        imbalance_percent=times.imbalance_percent,
        speed_up=speed_up,
        efficiency_percent=100.0 * speed_up * _cores(first) / _cores(snapshot),
        function_s=by_function,
        messages=sum(entry.messages for entry in sizes),
        bytes=sum(entry.bytes for entry in sizes),
        sizes=sizes,
    )


def sizes_of(snapshot: Snapshot) -> list[Bin]:
    """Return message sizes over all functions and ranks, smallest first."""
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    for histogram in snapshot.histograms:
        for entry in histogram.bins:
            key = (entry.min_bytes, entry.max_bytes)
            messages, size = sums.get(key, (0, 0))
            sums[key] = (messages + entry.messages, size + entry.bytes)
    return [
        Bin(min_bytes=low, max_bytes=high, messages=messages, bytes=size)
        for (low, high), (messages, size) in sorted(sums.items())
        if high > 0
    ]
