# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whatever ends a program, the rank files say so; and programs live on undisturbed."""

from __future__ import annotations

import shutil
import subprocess

from harness import OPEN_MPI, Bench, Run, by_name, main, rows_by_peer

# Ends that a rank may show when another one brought the job down: what the launcher sends differs.
BROUGHT_DOWN = {"flush", "sigterm", "exit", "finalize", "abort"}
# What each rank of sessions.c calls.
CALLS = {"Allreduce": 20, "Comm_create_from_group": 2, "Comm_free": 2, "Sendrecv": 1}


def check(bench: Bench) -> None:
    """Each way to end."""
    check_end(bench, "finalize", {0: {"finalize"}, 1: {"finalize"}})
    # the first to go may bring the launcher's signal on the other
    for way in ("exit", "quick"):
        gone = check_end(bench, way, {rank: {"exit", "flush", "sigterm"} for rank in (0, 1)})
        ends = {found["end"] for found in gone.ranks.values()}
        bench.expect("exit" in ends, f"{way}: ends are {ends}")
    aborted = check_end(bench, "abort", {0: BROUGHT_DOWN, 1: {"abort"}})
    if 1 in aborted.ranks:
        bench.equal(aborted.ranks[1]["abort_code"], 7, "abort: code")
    either = {"sigterm", "flush"}
    terminated = check_end(bench, "terminate", {0: either, 1: either})
    ends = {found["end"] for found in terminated.ranks.values()}
    bench.expect("sigterm" in ends, f"terminate: ends are {ends}")
    crashed = check_end(bench, "crash", {0: BROUGHT_DOWN, 1: {"signal 11"}})
    check_hanging(bench, crashed, "crash")
    killed = check_end(bench, "kill", {0: BROUGHT_DOWN, 1: {"flush"}})
    check_hanging(bench, killed, "kill")
    check_end(bench, "last", {0: {"finalize"}, 1: {"flush"}})
    for way in ("handlers", "children", "traps"):
        run = check_end(bench, way, {0: {"finalize"}, 1: {"finalize"}})
        bench.equal(run.code, 0, f"{way}: exit code\n{run.errors}")
    if (bench.programs / f"sessions.{bench.family}").exists():
        check_sessions(bench)
    check_outside_mpi(bench)


def check_sessions(bench: Bench) -> None:
    """Without MPI_Init ranks are numbered by mpi://WORLD; the last session ends the recording."""
    run = bench.run("sessions", 3)
    bench.equal((run.code, sorted(run.ranks)), (0, [0, 1, 2]), f"sessions: ranks\n{run.errors}")
    for rank, found in run.ranks.items():
        bench.equal((found["end"], found["ranks"]), ("finalize", 3), f"sessions: end of {rank}")
        rows = by_name(found)
        calls = {name: rows.get(f"MPI_{name}", {"calls": 0})["calls"] for name in CALLS}
        bench.equal(calls, CALLS, f"sessions: calls of {rank}")
        to_next = rows_by_peer(found).get((rank + 1) % 3, {})
        sent = (to_next.get("sent_messages"), to_next.get("sent_bytes"))
        bench.equal(sent, (1, 12), f"sessions: sent by {rank}")
        sizes = [each["size"] for each in found["communicators"]]
        bench.equal(sizes, [3, 3], f"sessions: communicators of {rank}")


def check_end(bench: Bench, way: str, ends: dict[int, set[str]]) -> Run:
    """The rank files exist, are whole, tell their end, and hold the ten calls made before it."""
    run = bench.run("ends", 2, way, variables={"HALOCLINE_SNAPSHOT_FLUSH_S": "1"})
    bench.equal(sorted(run.ranks), sorted(ends), f"{way}: ranks with a file\n{run.errors}")
    for rank, found in run.ranks.items():
        bench.expect(found["end"] in ends[rank], f"{way}: rank {rank} ended by {found['end']}")
        bench.equal(found["complete"], found["end"] == "finalize", f"{way}: complete of {rank}")
        # a file from before the work was done is true as well
        calls = by_name(found).get("MPI_Allreduce", {"calls": 0})["calls"]
        wanted = 610 if way == "traps" else 10
        if found["end"] not in ("flush", "sigterm"):
            bench.equal(calls, wanted, f"{way}: calls on rank {rank}")
    return run


def check_hanging(bench: Bench, run: Run, way: str) -> None:
    """Rank 0 waited in MPI_Barrier for the dead: its file names the call."""
    found = run.ranks.get(0, {"pending": [], "end": ""})
    functions = [call["function"] for call in found["pending"]]
    # a rank told to end by SIGTERM writes where it stood; with SIGKILL the flush did
    bench.equal(functions, ["MPI_Barrier"], f"{way}: pending on rank 0 ({found['end']})")


def check_outside_mpi(bench: Bench) -> None:
    """Programs without MPI run as ever, also with the library preloaded and a folder set."""
    true = shutil.which("true") or "/bin/true"
    library = bench.library
    for folder in ({}, {"HALOCLINE_SNAPSHOT_DIR": "/nonexistent/folder"}):
        environment = {**OPEN_MPI, "LD_PRELOAD": str(library), **folder, "PATH": "/usr/bin:/bin"}
        done = subprocess.run([true], env=environment, capture_output=True, text=True, check=False)
        bench.equal((done.returncode, done.stderr), (0, ""), "true under the library")
        words = ["sh", "-c", "echo $(cat /proc/self/comm | sed s/c/k/)"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        bench.equal((done.returncode, done.stdout, done.stderr), (0, "kat\n", ""), "a shell")
    done = subprocess.run([bench.launcher, true], capture_output=True, text=True, check=False)
    bench.equal((done.returncode, done.stderr), (0, ""), "true under the launcher")


if __name__ == "__main__":
    main(check)
