# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums over ranks: functions, message sizes, links between ranks, files, buffers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halocline.snapshot.model import (
    Bin,
    Buffers,
    FileTraffic,
    Function,
    Histogram,
    Kind,
    Link,
    Spread,
)
from halocline.snapshot.raw import RawFunction, RawRank
from halocline.snapshot.waiting import FINALIZE, Waiting

NANO = 1e-9
UNITS = ("messages", "bytes")
KINDS: dict[str, Kind] = {
    "send": "point-to-point",
    "receive": "point-to-point",
    "start": "point-to-point",
    "complete": "point-to-point",
    "test": "point-to-point",
    "probe": "point-to-point",
    "collective": "collective",
    "rma": "one-sided",
    "rma_sync": "one-sided",
    "io": "file",
    "communicator": "communicator",
    "datatype": "datatype",
}


def kind_of(function: RawFunction) -> Kind:
    """Return the class of a function as reports show it; I-collectives count as collectives."""
    if function.kind == "start":
        name = function.name.lower()
        plain = name.startswith(("mpi_start", "mpi_psend", "mpi_precv")) or any(
            word in name for word in ("send", "recv")
        )
        return "point-to-point" if plain else "collective"
    return KINDS.get(function.kind, "local")


def spread(values: Sequence[float], ranks: Sequence[int]) -> Spread:
    """Return min, mean and max of one value a rank."""
    place = max(range(len(values)), key=values.__getitem__)
    low, high = min(values), values[place]
    mean = min(max(sum(values) / len(values), low), high)  # rounding stays between the two
    return Spread(min=low, mean=mean, max=high, max_rank=ranks[place])


def functions_of(ranks: Sequence[RawRank], waiting: Waiting) -> list[Function]:
    """Sum every function over ranks, most time first."""
    in_mpi = sum(raw.in_mpi_ns for raw in ranks) * NANO
    elapsed = sum(raw.recorded_ns for raw in ranks) * NANO
    made = [
        _function(name, found, ranks, waiting, (in_mpi, elapsed))
        for name, found in _by_name(ranks).items()
    ]
    return sorted(made, key=lambda function: -function.seconds.mean)


def _by_name(ranks: Sequence[RawRank]) -> dict[str, dict[int, RawFunction]]:
    """Function name → position in `ranks` → what that rank recorded."""
    found: dict[str, dict[int, RawFunction]] = {}
    for place, raw in enumerate(ranks):
        for function in raw.functions:
            found.setdefault(function.name, {})[place] = function
    return found


def _function(
    name: str,
    found: dict[int, RawFunction],
    ranks: Sequence[RawRank],
    waiting: Waiting,
    totals: tuple[float, float],
) -> Function:
    seconds = [
        found[place].time_ns * NANO * raw.mpi_share if place in found else 0.0
        for place, raw in enumerate(ranks)
    ]
    waited = waiting.mean_of(name)
    return Function(
        name=name,
        kind=kind_of(next(iter(found.values()))),
        calls=sum(each.calls for each in found.values()),
        bytes=sum(each.bytes for each in found.values()),
        received_bytes=sum(each.received_bytes for each in found.values()),
        untimed_calls=sum(each.untimed_calls for each in found.values()),
        unfinished_calls=sum(each.unfinished_calls for each in found.values()),
        seconds=spread(seconds, [raw.rank for raw in ranks]),
        percent_of_mpi=percent(sum(seconds), totals[0]),
        percent_of_elapsed=percent(sum(seconds), totals[1]),
        waiting_s=0.0 if name == FINALIZE else waited,
        imbalance_share_percent=percent(waited, waiting.mean),
    )


def percent(part: float, whole: float) -> float:
    """Return 100 × part ÷ whole; 0 where there is no whole."""
    return 100.0 * part / whole if whole > 0 else 0.0


def histograms_of(ranks: Sequence[RawRank], order: Sequence[Function]) -> list[Histogram]:
    """Sum the message sizes of each function that has any, in the order of `order`."""
    by_name = _by_name(ranks)
    made = [_histogram(each.name, list(by_name[each.name].values())) for each in order]
    return [histogram for histogram in made if any(entry.bytes for entry in histogram.bins)]


def _histogram(name: str, found: Sequence[RawFunction]) -> Histogram:
    sums: dict[int, tuple[int, int]] = {}
    for function in found:
        for place, calls, size, _, _ in function.histogram:
            messages, total = sums.get(place, (0, 0))
            sums[place] = (messages + calls, total + size)
    bins = [
        Bin(
            min_bytes=0 if place == 0 else 2 ** (place - 1),
            max_bytes=0 if place == 0 else 2**place - 1,
            messages=messages,
            bytes=total,
        )
        for place, (messages, total) in sorted(sums.items())
        if messages
    ]
    return Histogram(function=name, bins=bins)


def links_of(ranks: Sequence[RawRank]) -> list[Link]:
    """Return the rank × rank matrix; entries of 0 messages are left out.

    The sender's count is taken; where its file is missing, what the receiver saw.
    """
    here = {raw.rank for raw in ranks}
    sums: dict[tuple[int, int], list[int]] = {}
    for raw in ranks:
        for source, target, values in _traffic(raw, here):
            entry = sums.setdefault((source, target), [0, 0, 0, 0])
            for place, value in enumerate(values):
                entry[place] += value
    return [
        Link(
            source=source,
            target=target,
            messages=entry[0],
            bytes=entry[1],
            collective_messages=entry[2],
            collective_bytes=entry[3],
        )
        for (source, target), entry in sorted(sums.items())
        if any(entry)
    ]


def _traffic(raw: RawRank, here: set[int]) -> Iterator[tuple[int, int, tuple[int, int, int, int]]]:
    for values in raw.peers.rows:
        row = dict(zip(raw.peers.columns, values, strict=True))
        peer = row["rank"]
        out = [row.get(f"{kind}_{unit}", 0) for kind in ("sent", "put") for unit in UNITS]
        collective = (row.get("collective_messages", 0), row.get("collective_bytes", 0))
        yield raw.rank, peer, (out[0] + out[2], out[1] + out[3], *collective)
        messages, size = row.get("get_messages", 0), row.get("get_bytes", 0)
        if peer not in here:
            messages += row.get("received_messages", 0)
            size += row.get("received_bytes", 0)
        yield peer, raw.rank, (messages, size, 0, 0)


def files_of(ranks: Sequence[RawRank]) -> list[FileTraffic]:
    """Sum the traffic of files over ranks, most time first."""
    sums: dict[str, list[int]] = {}
    for raw in ranks:
        for file in raw.io.files:
            entry = sums.setdefault(file.path, [0, 0, 0, 0])
            for place, value in enumerate((file.time_ns, file.read_bytes, file.write_bytes, 1)):
                entry[place] += value
    made = [
        FileTraffic(
            path=path, seconds=time * NANO, read_bytes=read, written_bytes=written, ranks=count
        )
        for path, (time, read, written, count) in sums.items()
    ]
    return sorted(made, key=lambda file: -file.seconds)


def buffers_of(ranks: Sequence[RawRank]) -> Buffers | None:
    """Split calls that move data by where their buffers lay; None where no driver could tell."""
    functions = [each for raw in ranks for each in raw.functions if each.bytes > 0]
    if all(each.device_bytes is None for each in functions):
        return None
    device_calls = sum(each.device_calls or 0 for each in functions)
    device_bytes = sum(each.device_bytes or 0 for each in functions)
    return Buffers(
        host_calls=sum(each.calls for each in functions) - device_calls,
        host_bytes=sum(each.bytes for each in functions) - device_bytes,
        device_calls=device_calls,
        device_bytes=device_bytes,
    )
