# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Threads that call MPI at once lose no call and invent none."""

from __future__ import annotations

from harness import Bench, by_name, main, rows_by_peer

INT, ROUNDS = 4, 160


def check(bench: Bench) -> None:
    """One and two threads on one to three ranks."""
    for threads, ranks in ((1, 2), (2, 1), (2, 2), (2, 3)):
        # yielding in every progress step keeps threads from starving each other on few cores
        run = bench.run("threads", ranks, str(threads), str(ROUNDS))
        where = f"threads.{bench.family}, {threads} on {ranks}"
        bench.expect(run.code == 0, f"{where}: exit code {run.code}\n{run.errors}")
        bench.equal(sorted(run.ranks), list(range(ranks)), f"{where}: ranks with a file")
        for rank, found in run.ranks.items():
            calls = threads * ROUNDS
            copies = threads * (ROUNDS // 16)
            rows = by_name(found)
            for name, wanted in {
                "MPI_Irecv": (calls, calls * 4 * INT),
                "MPI_Isend": (calls, calls * 4 * INT),
                "MPI_Waitall": (calls, 0),
                "MPI_Allreduce": (calls, calls * INT),
                "MPI_Comm_dup": (threads + copies, 0),
                "MPI_Comm_free": (copies, 0),
            }.items():
                found_row = (rows[name]["calls"], rows[name]["bytes"])
                bench.equal(found_row, wanted, f"{where}: {name} on {rank}")
            completed = rows["MPI_Waitall"]["completed_bytes"]
            bench.equal(completed, calls * 4 * INT, f"{where}: completed on {rank}")
            sent = rows_by_peer(found)[(rank + 1) % ranks]["sent_messages"]
            bench.equal(sent, calls, f"{where}: messages of {rank}")
            bench.equal(len(found["threads"]), threads, f"{where}: threads of {rank}")
            levels = (found["mpi"]["thread_requested"], found["mpi"]["thread_provided"])
            bench.equal(levels, ("multiple", "multiple"), f"{where}: levels")
            bench.equal(found["call_sites"]["dropped"], 0, f"{where}: dropped sites")


if __name__ == "__main__":
    main(check)
