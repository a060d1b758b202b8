# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rank files as the recorder writes them, made by hand: every figure of a test is known."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from halocline.documents.store import parse
from halocline.snapshot.raw import RawRank

SECOND = 1_000_000_000
WORLD = {"index": 0, "id": "00000000000000aa", "name": "MPI_COMM_WORLD", "size": 0, "rank": 0}
Data = dict[str, Any]


def function(name: str, kind: str, calls: int, seconds: float, **more: Any) -> Data:
    """One entry of `functions`."""
    return {"name": name, "class": kind, "calls": calls, "time_ns": ns(seconds), **more}


def ns(seconds: float) -> int:
    """Whole nanoseconds."""
    return round(seconds * SECOND)


def samples(durations: Mapping[str, Sequence[float]]) -> Data:
    """`collective_samples` on MPI_COMM_WORLD: the durations of each function in order."""
    names = list(durations)
    rows = [[0, 0, place, ns(d)] for place, name in enumerate(names) for d in durations[name]]
    for sequence, row in enumerate(rows):
        row[1] = sequence
    return {"seen": len(rows), "kept_one_in": 1, "rows": rows, "function_names": names}


def rank_file(rank: int, ranks: int, elapsed: float, in_mpi: float, **parts: Any) -> Data:
    """A complete rank file; `parts` replace or extend its keys."""
    data: Data = {
        "schema": "halocline.snapshot-raw",
        "schema_version": 1,
        "tool": {"version": "0.1.0", "family": "openmpi", "call_sites": True},
        "complete": True,
        "end": "finalize",
        "abort_code": None,
        "written_unix_ns": 1_790_000_010 * SECOND,
        "files_written": 1,
        "rank": rank,
        "ranks": ranks,
        "host": "node1",
        "pid": 100 + rank,
        "program": "/opt/app/solver",
        "command": ["solver", "case.in"],
        "working_directory": "/home/user",
        "mpi": {"library": "Open MPI v4.1.4", "standard": "3.1", "thread_requested": "single",
                "thread_provided": "single"},
        "time": {
            "process_started_unix_ns": 1_790_000_000 * SECOND,
            "process_ns": ns(elapsed + 0.2),
            "mpi_ns": ns(elapsed),
            "init_ns": ns(0.1),
            "finalize_ns": ns(0.01),
            "in_mpi_ns": ns(in_mpi),
            "paused_ns": 0,
        },
        "threads": [{"tid": 1, "main": True, "calls": 1, "in_mpi_ns": ns(in_mpi)}],
        "pending": [],
        "functions": [],
        "collective_samples": samples({}),
        "communicators": [{**WORLD, "size": ranks, "rank": rank}],
        "peers": {"columns": ["rank"], "rows": [], "unknown_peer_bytes": 0},
        "call_sites": {"modules": [], "rows": [], "dropped": 0},
        "openmp": {"runtime": None, "regions": []},
        "cpu": {
            "user_ns": ns(elapsed * 0.95),
            "system_ns": ns(elapsed * 0.04),
            "voluntary_switches": 12,
            "involuntary_switches": 34,
            "minor_faults": 5600,
            "major_faults": 0,
            "threads": [[100 + rank, ns(elapsed * 0.99), 0]],
            "peak_memory_bytes": 50_000_000 + rank,
            "threads_now": 1,
            "threads_peak_seen": 1,
        },
        "io": {"time_ns": 0, "read_calls": 0, "read_bytes": 0, "write_calls": 0,
               "write_bytes": 0, "other_calls": 0, "functions": [], "files": []},
        "binding": {"cpus": str(rank), "cpu_count": 1, "machine_cpus": 64},
        "pressure": {"cpu_some_ns": 0, "cpu_some_avg10": "0.00", "busy_ns": ns(elapsed * 0.99)},
        "counters": {"cycles": None, "instructions": None, "stalled_backend_cycles": None},
        "unavailable": [
            {"quantity": "memory stalls", "reason": "perf_event_open: no such device"}
        ],
    }  # fmt: skip
    return data | parts


def queued(file: Data, seconds: float, others: float | None = None) -> Data:
    """The file of a rank on its own core that queued for it; `others`: while others had it."""
    elapsed = file["time"]["mpi_ns"] / SECOND
    busy = elapsed - seconds
    cpu = file["cpu"] | {"user_ns": ns(busy), "system_ns": 0,
                         "threads": [[file["pid"], ns(busy), ns(seconds)]]}  # fmt: skip
    used = busy + (seconds if others is None else others)
    return file | {"cpu": cpu, "pressure": file["pressure"] | {"busy_ns": ns(used)}}


def parsed(files: Sequence[Data]) -> list[RawRank]:
    """Rank files as the merger reads them."""
    return [parse(RawRank, json.loads(json.dumps(file)), "made") for file in files]


def write_files(folder: Path, files: Sequence[Data]) -> Path:
    """Write rank files as the recorder names them."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        (folder / f"rank-{file['rank']}.json").write_text(json.dumps(file))
    return folder


def solver_run(ranks: int = 4, elapsed: float = 10.0) -> list[Data]:
    """A run whose last rank works half as long again as the others, which wait in Allreduce.

    Every rank sends 1000 messages of 40 kB to its right neighbour; rank 0 writes 8 MB.
    """
    return [_solver_rank(rank, ranks, elapsed) for rank in range(ranks)]


def _solver_rank(rank: int, ranks: int, elapsed: float) -> Data:
    last = rank == ranks - 1
    waiting = 0.0 if last else 0.3 * elapsed
    exchange, price = 0.05 * elapsed, 0.01 * elapsed
    allreduce = price + waiting
    sendrecv_row = [16, 1000, 40_000_000, ns(exchange), ns(exchange) // 1000]
    frames = {"Allreduce": 0x1200 + 5, "Sendrecv": 0x1480 + 5}
    sites = [
        {"function": "MPI_Allreduce", "frames": [[0, frames["Allreduce"]]], "calls": 100,
         "time_ns": ns(allreduce), "max_ns": ns(allreduce / 50), "bytes": 800},
        {"function": "MPI_Sendrecv", "frames": [[0, frames["Sendrecv"]]], "calls": 1000,
         "time_ns": ns(exchange), "max_ns": ns(exchange / 500), "bytes": 40_000_000},
    ]  # fmt: skip
    right = (rank + 1) % ranks
    columns = ["rank", "sent_messages", "sent_bytes", "received_messages", "received_bytes",
               "put_messages", "put_bytes", "get_messages", "get_bytes",
               "collective_messages", "collective_bytes"]  # fmt: skip
    rows = [
        [peer, 1000 * (peer == right), 40_000_000 * (peer == right), 0, 0, 0, 0, 0, 0, 100, 800]
        for peer in range(ranks)
        if peer != rank
    ]
    io = {"time_ns": ns(0.02 * elapsed), "read_calls": 1, "read_bytes": 1000, "write_calls": 80,
          "write_bytes": 8_000_000, "other_calls": 4, "functions": [],
          "files": [{"path": "/home/user/result.dat", "read_bytes": 0, "write_bytes": 8_000_000,
                     "time_ns": ns(0.02 * elapsed), "calls": 84}]}  # fmt: skip
    file = rank_file(rank, ranks, elapsed, allreduce + exchange)
    file |= {
        "functions": [
            function("MPI_Allreduce", "collective", 100, allreduce, bytes=800,
                     max_ns=ns(allreduce / 50), histogram=[[4, 100, 800, ns(allreduce), 1]]),
            function("MPI_Sendrecv", "receive", 1000, exchange, bytes=40_000_000,
                     received_bytes=40_000_000, max_ns=ns(exchange / 500),
                     histogram=[sendrecv_row]),
        ],
        "collective_samples": samples({"MPI_Allreduce": [allreduce / 100] * 100}),
        "peers": {"columns": columns, "rows": rows, "unknown_peer_bytes": 0},
        "call_sites": {
            "modules": [{"index": 0, "path": "/opt/app/solver", "build_id": "ab12"}],
            "rows": sites, "dropped": 0,
        },
    }  # fmt: skip
    return file | ({"io": io} if rank == 0 else {})
