# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the terminal page and the HTML page both show: headline figures, choices, formulae."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from halocline.snapshot.model import (
    CallSite,
    FileTraffic,
    Function,
    Phase,
    Rank,
    Region,
    Snapshot,
)
from halocline.wording import bytes_words, counted, seconds_words

TOP = 5
WORRYING_PERCENT = 10.0
ALARMING_PERCENT = 25.0
FORMULAE = {
    "MPI %": "100 × Σ MPI time ÷ Σ elapsed time, over ranks; MPI time: at least one thread of the "
    "rank is inside MPI; elapsed: MPI_Init to MPI_Finalize without what MPI_Pcontrol(0) left out",
    "MPI imbalance %": "100 × mean waiting inside MPI ÷ elapsed time of the slowest rank. Waiting "
    "in a collective: its duration less the shortest over its ranks; in point-to-point calls: less "
    "what a quarter of the calls of that function and size take; in MPI_Finalize: until the last "
    "rank is there",
    "load imbalance %": "100 × (max − mean) ÷ max of the time outside MPI",
    "OpenMP imbalance %": "100 × Σ over regions (busiest − mean thread CPU time) ÷ elapsed time",
    "waited for": "the rank that entered collectives last, weighted with the others' waiting",
}


@dataclass(frozen=True)
class Tile:
    """One headline figure."""

    name: str
    value: str
    more: str
    state: str = ""
    missing: bool = False


def tiles(snapshot: Snapshot) -> list[Tile]:
    """Return the headline figures in reading order."""
    times = snapshot.times
    return [
        Tile(
            "elapsed", seconds_words(times.elapsed_s), f"process {seconds_words(times.process_s)}"
        ),
        Tile("MPI", percent_words(times.mpi_percent), f"{seconds_words(times.mpi_s.mean)} mean"),
        _imbalance_tile(snapshot),
        _openmp_tile(snapshot),
        _io_tile(snapshot),
        _cpu_tile(snapshot),
        _memory_tile(snapshot),
        _stall_tile(snapshot),
    ]


def _imbalance_tile(snapshot: Snapshot) -> Tile:
    times = snapshot.times
    if times.imbalance_percent is None:
        return _missing("MPI imbalance", _reason(snapshot, "MPI imbalance"))
    load = f"load imbalance {percent_words(times.load_imbalance_percent)}"
    value = times.imbalance_percent
    return Tile("MPI imbalance", percent_words(value), load, _state(value))


def _openmp_tile(snapshot: Snapshot) -> Tile:
    found = snapshot.openmp
    if found is None:
        return Tile("OpenMP imbalance", "none", "no parallel region ran", missing=True)
    value = found.imbalance_percent
    more = f"{counted(found.entered, 'region')} entered"
    if found.nested:
        more += f", {found.nested:,} nested"
    return Tile("OpenMP imbalance", percent_words(value), more, _state(value))


def _io_tile(snapshot: Snapshot) -> Tile:
    times = snapshot.times
    if times.io_percent is None:
        return _missing("file I/O", _reason(snapshot, "io"))
    read = sum(rank.io.read_bytes for rank in snapshot.ranks if rank.io)
    written = sum(rank.io.written_bytes for rank in snapshot.ranks if rank.io)
    in_mpi = sum(f.percent_of_elapsed for f in snapshot.functions if f.kind == "file")
    more = f"{bytes_words(read)} in, {bytes_words(written)} out"
    if in_mpi:
        more += f"; MPI-IO {percent_words(in_mpi)}"
    return Tile("file I/O", percent_words(times.io_percent), more, _state(times.io_percent))


def _cpu_tile(snapshot: Snapshot) -> Tile:
    used = [rank.usage.cpu_percent for rank in snapshot.ranks]
    lowest = min(used)
    more = f"lowest rank {percent_words(lowest)}" if len(used) > 1 else "user and system"
    return Tile("CPU use", percent_words(sum(used) / len(used)), more)


def _memory_tile(snapshot: Snapshot) -> Tile:
    largest = max(snapshot.ranks, key=lambda rank: rank.usage.peak_rss_bytes)
    total = sum(rank.usage.peak_rss_bytes for rank in snapshot.ranks)
    more = f"rank {largest.rank}; sum {bytes_words(total)}"
    return Tile("peak memory", bytes_words(largest.usage.peak_rss_bytes), more)


def _stall_tile(snapshot: Snapshot) -> Tile:
    value = snapshot.counters.memory_stall_percent
    if value is None:
        return _missing("memory stalls", _reason(snapshot, "stall"))
    return Tile("memory stalls", percent_words(value), "of the cycles", _state(value / 2))


def _missing(name: str, reason: str) -> Tile:
    short = reason.partition(";")[0].partition(" (")[0] or "not recorded"
    return Tile(name, "not available", short, missing=True)


def _reason(snapshot: Snapshot, word: str) -> str:
    folded = word.casefold()
    return next(
        (each.reason for each in snapshot.not_available if folded in each.figure.casefold()), ""
    )


def _state(value: float) -> str:
    return "bad" if value >= ALARMING_PERCENT else "warn" if value >= WORRYING_PERCENT else ""


def percent_words(value: float) -> str:
    """Return e.g. `0.4 %`, `12.3 %`, `100 %`."""
    return f"{value:.0f} %" if value >= 99.95 else f"{value:.1f} %"


def top_functions(snapshot: Snapshot) -> list[Function]:
    """Return the functions with most time."""
    return snapshot.functions[:TOP]


def untimed_words(snapshot: Snapshot) -> str:
    """Say which times of the top functions are extrapolated; empty when none is."""
    names = [each.name for each in top_functions(snapshot) if each.untimed_calls]
    if not names:
        return ""
    those = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"All calls of {those} are counted, about one in 64 is timed and stands for the others."


def sampled_words(snapshot: Snapshot) -> str:
    """Say how many calls of parallel regions were measured; empty when all were."""
    found = snapshot.openmp
    if found is None or found.measured is None or found.measured >= found.entered:
        return ""
    share = f"one in {found.entered / found.measured:.0f}" if found.measured else "none"
    return (
        f"All {found.entered:,} calls of parallel regions are counted and timed; {share} has its "
        "threads measured and stands for the others."
    )


def top_sites(snapshot: Snapshot, count: int = TOP) -> list[CallSite]:
    """Return the call sites of the top functions with most time."""
    names = {function.name for function in top_functions(snapshot)}
    return [site for site in snapshot.call_sites if site.function in names][:count]


def notable_ranks(snapshot: Snapshot, most: int) -> list[Rank]:
    """Return all ranks where they are few, else the named ones and some at equal distances."""
    if len(snapshot.ranks) <= most:
        return snapshot.ranks
    named = {snapshot.slowest_rank, snapshot.most_waited_for_rank}
    chosen = [rank for rank in snapshot.ranks if rank.rank in named]
    rest = [rank for rank in snapshot.ranks if rank.rank not in named]
    places = most - len(chosen)
    chosen += [rest[place * (len(rest) - 1) // max(1, places - 1)] for place in range(places)]
    return sorted(chosen, key=lambda rank: rank.rank)


def library_words(snapshot: Snapshot) -> str:
    """Return name and version of the MPI library without the rest of its line."""
    return " ".join(snapshot.mpi.library.partition(",")[0].replace(" Version:", "").split())


def cautions(snapshot: Snapshot, most: int) -> list[str]:
    """Return why the report is partial and what may spoil it; `most` sentences."""
    found = [*snapshot.status.reasons, *snapshot.warnings]
    if len(found) <= most:
        return found
    return [*found[: most - 1], f"… and {len(found) - most + 1} more in snapshot.json."]


def where_words(snapshot: Snapshot) -> str:
    """Return e.g. `4 ranks on node1`."""
    names = [host.name for host in snapshot.hosts]
    places = names[0] if len(names) == 1 else counted(len(names), "host")
    return f"{counted(len(snapshot.ranks), 'rank')} on {places}"


def command_words(snapshot: Snapshot) -> str:
    """Return the command as one would type it."""
    return shlex.join(snapshot.command)


def cpu_list_words(cpus: Sequence[int]) -> str:
    """Return the kernel's list format, e.g. `0-3,8`."""
    parts: list[str] = []
    start = previous = None
    for cpu in [*sorted(cpus), None]:
        if start is not None and previous is not None and (cpu is None or cpu != previous + 1):
            parts.append(str(start) if start == previous else f"{start}-{previous}")
            start = None
        if start is None:
            start = cpu
        previous = cpu
    return ",".join(parts)


def named_phases(snapshot: Snapshot) -> list[Phase]:
    """Return the phases of MPI_Pcontrol where the program marked several."""
    return snapshot.phases if any(phase.level != 1 for phase in snapshot.phases) else []


def phase_functions_words(phase: Phase) -> str:
    """Return the functions with most time in a phase, e.g. `MPI_Allreduce 1.2 s, MPI_Send 3 ms`."""
    return ", ".join(f"{each.name} {seconds_words(each.seconds)}" for each in phase.functions[:2])


def uneven_regions(snapshot: Snapshot) -> list[Region]:
    """Return parallel regions whose threads lost time, most first."""
    regions = snapshot.openmp.regions if snapshot.openmp else []
    return [region for region in regions if region.lost_s > 0]


def data_files(snapshot: Snapshot) -> list[FileTraffic]:
    """Return files that hold data: not what the kernel shows under /proc and /sys."""
    return [file for file in snapshot.files if not file.path.startswith(("/proc/", "/sys/"))]


def path_words(snapshot: Snapshot, path: str) -> str:
    """Return a path as seen from where the program was started, when it lies below."""
    start = snapshot.working_directory.rstrip("/") + "/"
    return path.removeprefix(start)


def buffer_words(snapshot: Snapshot) -> str:
    """Say where message buffers lay."""
    found = snapshot.buffers
    if found is None:
        return "host memory only (no device driver was loaded)"
    device = f"{bytes_words(found.device_bytes)} in {counted(found.device_calls, 'call')}"
    host = f"{bytes_words(found.host_bytes)} in {counted(found.host_calls, 'call')}"
    return f"device {device}; host {host}"
