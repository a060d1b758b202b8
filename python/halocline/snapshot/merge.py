# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes one report of the rank files of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from halocline import __version__
from halocline.errors import InvalidInputError
from halocline.launch.cores import parse_cpu_list
from halocline.snapshot.conditions import (
    crowding_of,
    hosts_of,
    not_available,
    partial_reasons,
    warnings_of,
)
from halocline.snapshot.evidence import Evidence
from halocline.snapshot.hang import hang_of
from halocline.snapshot.model import (
    Counters,
    Io,
    Mpi,
    Rank,
    Snapshot,
    Status,
    Thread,
    Times,
    Usage,
)
from halocline.snapshot.pending import count_pending
from halocline.snapshot.phases import phases_of
from halocline.snapshot.queues import Queue, queues_of
from halocline.snapshot.raw import RawRank
from halocline.snapshot.sites import Resolver, call_sites_of, openmp_of
from halocline.snapshot.symbols import resolve
from halocline.snapshot.tables import (
    NANO,
    buffers_of,
    files_of,
    functions_of,
    histograms_of,
    links_of,
    percent,
    spread,
)
from halocline.snapshot.verdict import judge
from halocline.snapshot.waiting import Waiting, waiting_times


@dataclass(frozen=True)
class Launch:
    """What only the launcher knows of a run."""

    command: list[str]
    exit_code: int | None
    wall_s: float | None


def merge(ranks: Sequence[RawRank], launch: Launch, resolver: Resolver = resolve) -> Snapshot:
    """Return the report of a run; `ranks` are in order and at least one."""
    if not ranks:
        raise InvalidInputError("No rank left a file (nothing to report). Is it an MPI program?")
    ranks = [count_pending(raw) for raw in ranks]
    waiting = waiting_times(ranks)
    times = _times(ranks, waiting, launch.wall_s)
    functions = functions_of(ranks, waiting)
    queues = queues_of(ranks)
    rank_rows = [_rank(raw, place, waiting, queues[place]) for place, raw in enumerate(ranks)]
    openmp = openmp_of(ranks, resolver)
    crowding = crowding_of(ranks)
    slowest = max(rank_rows, key=lambda rank: rank.elapsed_s - rank.mpi_s).rank
    evidence = Evidence(times, functions, rank_rows, slowest, openmp, crowding, hang_of(ranks))
    first = ranks[0]
    started = min(raw.time.process_started_unix_ns for raw in ranks)
    return Snapshot(
        schema_name="halocline.snapshot",
        schema_version=1,
        made_by=f"halocline {__version__}, recorder {first.tool.version}",
        started=datetime.fromtimestamp(started // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=launch.command or first.command,
        working_directory=first.working_directory,
        program=Path(first.program).name,
        mpi=Mpi(
            family=first.tool.family,
            library=first.mpi.library,
            thread_level=first.mpi.thread_provided,
        ),
        hosts=hosts_of(ranks),
        status=_status(ranks, launch),
        verdict=judge(evidence),
        warnings=warnings_of(ranks, rank_rows, crowding),
        times=times,
        functions=functions,
        histograms=histograms_of(ranks, functions),
        links=links_of(ranks),
        phases=phases_of(ranks),
        call_sites=call_sites_of(ranks, resolver),
        ranks=rank_rows,
        slowest_rank=slowest if len(ranks) > 1 else None,
        most_waited_for_rank=_most_waited_for(ranks, waiting),
        openmp=openmp,
        buffers=buffers_of(ranks),
        counters=_counters(ranks),
        files=files_of(ranks),
        not_available=not_available(ranks, waiting.measured),
    )


def _status(ranks: Sequence[RawRank], launch: Launch) -> Status:
    reasons = partial_reasons(ranks)
    return Status(
        state="partial" if reasons else "complete", exit_code=launch.exit_code, reasons=reasons
    )


def _times(ranks: Sequence[RawRank], waiting: Waiting, wall_s: float | None) -> Times:
    elapsed = [raw.recorded_ns * NANO for raw in ranks]
    in_mpi = [raw.in_mpi_ns * NANO for raw in ranks]
    outside = [a - b for a, b in zip(elapsed, in_mpi, strict=True)]
    io = [raw.io.time_ns * NANO for raw in ranks if raw.io.time_ns is not None]
    busiest = max(outside)
    return Times(
        elapsed_s=max(elapsed),
        process_s=max(raw.time.process_ns for raw in ranks) * NANO,
        wall_s=wall_s,
        mpi_s=spread(in_mpi, [raw.rank for raw in ranks]),
        mpi_percent=percent(sum(in_mpi), sum(elapsed)),
        imbalance_percent=percent(waiting.mean, max(elapsed)) if waiting.measured else None,
        load_imbalance_percent=percent(busiest - sum(outside) / len(outside), busiest),
        finalize_wait_s=sum(waiting.finalize) / len(ranks),
        io_percent=percent(sum(io), sum(elapsed)) if len(io) == len(ranks) else None,
    )


def _rank(raw: RawRank, place: int, waiting: Waiting, queue: Queue | None) -> Rank:
    in_mpi = raw.in_mpi_ns * NANO
    pending = max(raw.pending, key=lambda call: call.since_ns, default=None)
    return Rank(
        rank=raw.rank,
        host=raw.host,
        cpus=sorted(parse_cpu_list(raw.binding.cpus)),
        mpi_threads=raw.mpi_threads,
        openmp_threads=raw.openmp_threads,
        finished=raw.complete,
        ending=raw.end,
        elapsed_s=raw.recorded_ns * NANO,
        process_s=raw.time.process_ns * NANO,
        mpi_s=in_mpi,
        threads=_threads(raw),
        unfinished_call=pending.function if pending else None,
        unfinished_s=pending.since_ns * NANO if pending else 0.0,
        wait_s=min(in_mpi, waiting.of_rank(place)),
        finalize_wait_s=waiting.finalize[place],
        caused_wait_s=waiting.caused[place],
        usage=_usage(raw, queue),
        io=_io(raw),
    )


def _threads(raw: RawRank) -> list[Thread]:
    """Threads that called MPI, where they are several."""
    if len(raw.threads) < 2:
        return []
    return [
        Thread(main=each.main, calls=each.calls, mpi_s=each.in_mpi_ns * NANO)
        for each in raw.threads
    ]


def _usage(raw: RawRank, queue: Queue | None) -> Usage:
    cpu = raw.cpu
    return Usage(
        user_s=cpu.user_ns * NANO,
        system_s=cpu.system_ns * NANO,
        cpu_percent=percent(cpu.user_ns + cpu.system_ns, raw.time.mpi_ns),
        voluntary_switches=cpu.voluntary_switches,
        involuntary_switches=cpu.involuntary_switches,
        minor_faults=cpu.minor_faults,
        major_faults=cpu.major_faults,
        peak_rss_bytes=cpu.peak_memory_bytes,
        run_queue_s=None if queue is None else queue.seconds,
        taken_s=None if queue is None else queue.taken_s,
    )


def _io(raw: RawRank) -> Io | None:
    io = raw.io
    if io.time_ns is None:
        return None
    return Io(
        seconds=io.time_ns * NANO,
        read_bytes=io.read_bytes or 0,
        written_bytes=io.write_bytes or 0,
        calls=(io.read_calls or 0) + (io.write_calls or 0) + (io.other_calls or 0),
    )


def _most_waited_for(ranks: Sequence[RawRank], waiting: Waiting) -> int | None:
    most = max(waiting.caused)
    return ranks[waiting.caused.index(most)].rank if most > 0 else None


def _counters(ranks: Sequence[RawRank]) -> Counters:
    """Ratios over all ranks; None as soon as one rank could not count."""
    cycles = [raw.counters.cycles for raw in ranks]
    stalled = [raw.counters.stalled_backend_cycles for raw in ranks]
    instructions = [raw.counters.instructions for raw in ranks]
    return Counters(
        memory_stall_percent=_ratio(stalled, cycles, 100.0),
        instructions_per_cycle=_ratio(instructions, cycles, 1.0),
    )


def _ratio(
    parts: Sequence[int | None], wholes: Sequence[int | None], factor: float
) -> float | None:
    whole = sum(value or 0 for value in wholes)
    if None in parts or None in wholes or whole == 0:
        return None
    return factor * sum(value or 0 for value in parts) / whole
