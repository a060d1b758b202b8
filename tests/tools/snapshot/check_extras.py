# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The rarer calls of programs/extras.c, counted by hand from its source."""

from __future__ import annotations

from harness import Bench, RankFile, by_name, main

INT, DOUBLE, LONG = 4, 8, 8
MANY = None  # as often as it took


def functions(rank: int, ranks: int) -> dict[str, tuple[int | None, int]]:
    """Calls (MANY: not known in advance) and bytes."""
    sides = 2 - (rank in (0, ranks - 1))  # neighbours on the open chain
    triangle = ranks * (ranks + 1) // 2
    # the root's Bcast counts its buffer, the other even ranks' (MPI_PROC_NULL) nothing
    inter_bcast = 5 * INT if rank == 0 or rank % 2 else 0
    return {
        "MPI_Mprobe": (1, 0),
        "MPI_Mrecv": (1, 6 * INT),
        "MPI_Improbe": (MANY, 0),
        "MPI_Imrecv": (1, 3 * INT),
        "MPI_Startall": (1, 2 * DOUBLE + 2 * DOUBLE),
        "MPI_Bsend": (1, 10),
        "MPI_Ssend": (1, 9),
        "MPI_Rsend": (1, 8),
        "MPI_Ibsend": (1, 7),
        "MPI_Issend": (1, 6),
        "MPI_Irsend": (1, 5),
        "MPI_Sendrecv_replace": (1, 3 * INT),
        # 6 modes, 6 pairs of 1 + 2 numbers, one cancelled
        "MPI_Irecv": (6 + 12 + 1, 10 + 9 + 8 + 7 + 6 + 5 + 6 * 3 * INT),
        # to nobody, 6 pairs, over the inter-communicator
        "MPI_Send": (1 + 12 + (rank == 0), 6 * 3 * INT + (rank == 0) * 4 * INT),
        "MPI_Recv": (2 + (rank == 1), 2 * 24 + (rank == 1) * 4 * INT),
        "MPI_Isend": (3, 6 * INT + 3 * INT + 2 * 24),
        "MPI_Waitany": (2, 0),
        "MPI_Waitsome": (MANY, 0),
        "MPI_Testall": (MANY, 0),
        "MPI_Testany": (MANY, 0),
        "MPI_Testsome": (MANY, 0),
        "MPI_Test": (MANY, 0),
        "MPI_Cancel": (1, 0),
        "MPI_Test_cancelled": (1, 0),
        "MPI_Gatherv": (1, (rank + 1) * INT),
        "MPI_Scatterv": (1, (rank + 1) * INT),
        "MPI_Alltoall": (1, ranks * 2 * INT),
        "MPI_Alltoallv": (1, (ranks * rank + triangle) * INT),
        "MPI_Alltoallw": (1, INT + (ranks - 1) * DOUBLE),
        "MPI_Reduce_scatter": (1, triangle * INT),
        "MPI_Exscan": (1, 2 * INT),
        "MPI_Ibcast": (1, 3 * INT),
        "MPI_Ireduce": (1, 4 * INT),
        "MPI_Igather": (1, 2 * INT),
        "MPI_Iscatter": (1, 5 * INT),
        "MPI_Iallgather": (1, 6 * INT),
        "MPI_Ialltoall": (1, ranks * 7 * INT),
        "MPI_Iscan": (1, 8 * INT),
        "MPI_Ireduce_scatter_block": (1, ranks * 9 * INT),
        "MPI_Neighbor_alltoallv": (1, 2 * INT),
        "MPI_Neighbor_alltoallw": (1, 2 * INT),
        "MPI_Neighbor_allgatherv": (1, 3 * INT),
        "MPI_Neighbor_alltoall": (1, sides * 2 * INT),
        "MPI_Bcast": (1, inter_bcast),
        "MPI_Allreduce": (1 + 50, 51 * INT),
        "MPI_Intercomm_create": (1, 0),
        "MPI_Intercomm_merge": (1, 0),
        "MPI_Comm_dup": (51, 0),
        "MPI_Comm_split": (51, 0),
        "MPI_Comm_free": (2 + 3 + 100, 0),
        "MPI_Barrier": (1 + 1 + 1 + 1, 0),  # not the three under MPI_Pcontrol(0)
        "MPI_Win_allocate": (1, 0),
        "MPI_Put": (1, 3 * LONG),
        "MPI_Rput": (1, 2 * LONG),
        "MPI_Get_accumulate": (1, 3 * LONG),
        "MPI_Fetch_and_op": (1, LONG),
        "MPI_Compare_and_swap": (1, LONG),
        "MPI_Win_lock": (1, 0),
        "MPI_Win_flush": (1, 0),
        "MPI_Win_unlock": (1, 0),
        "MPI_Win_lock_all": (1, 0),
        "MPI_Win_unlock_all": (1, 0),
        "MPI_Pack": (1, 0),
        "MPI_Type_vector": (1, 0),
        "MPI_File_write_at_all": (1, 4 * INT),
        "MPI_File_iwrite_at": (1, 4 * INT),
        "MPI_File_read_at": (1, 4 * INT),  # what the file had, not the room of 8
        "MPI_File_sync": (1, 0),
        "MPI_File_get_size": (1, 0),
    }


def fourth_version() -> dict[str, tuple[int | None, int]]:
    """Calls of MPI 4."""
    return {
        "MPI_Allreduce_c": (1, DOUBLE),
        "MPI_Bcast_c": (1, 3 * INT),
        "MPI_Allreduce_init": (1, 0),
        "MPI_Start": (2, 2 * DOUBLE),
        "MPI_Isendrecv": (1, 3 * INT),
    }


COMPLETED = {
    "MPI_Waitany": 3 * INT,
    "MPI_Waitsome": 3 * INT,
    "MPI_Testall": 3 * INT,
    "MPI_Testany": 3 * INT,
    "MPI_Testsome": 3 * INT,
    "MPI_Test": 3 * INT,
    "MPI_Waitall": 2 * DOUBLE + 10 + 9 + 8 + 7 + 6 + 5,
}


def check(bench: Bench) -> None:
    """On 2 and 3 ranks."""
    for ranks in (2, 3):
        run = bench.run("extras", ranks, "extras.data")
        where = f"extras.{bench.family} on {ranks}"
        bench.expect(run.code == 0, f"{where}: exit code {run.code}\n{run.errors}")
        bench.equal(sorted(run.ranks), list(range(ranks)), f"{where}: ranks with a file")
        for rank, found in run.ranks.items():
            check_rank(bench, found, rank, ranks, f"{where}, rank {rank}")
        if len(run.ranks) == ranks:
            check_pairs(bench, run.ranks, where)
            check_samples(bench, run.ranks, where)


def check_rank(bench: Bench, found: RankFile, rank: int, ranks: int, where: str) -> None:
    """Calls and bytes of one rank."""
    rows = by_name(found)
    wanted = functions(rank, ranks)
    fourth = int(found["mpi"]["standard"].split(".")[0]) >= 4
    if fourth:
        wanted |= fourth_version()
    for name, (calls, size) in wanted.items():
        row = rows.get(name, {"calls": 0, "bytes": 0})
        bench.equal(row["bytes"], size, f"{where}: bytes of {name}")
        if calls is MANY:
            bench.expect(row["calls"] > 0, f"{where}: no calls of {name}")
        else:
            bench.equal(row["calls"], calls, f"{where}: calls of {name}")
    for name, size in COMPLETED.items():
        bench.equal(rows[name]["completed_bytes"], size, f"{where}: completed by {name}")
    # Imrecv's message; that of Isendrecv is not counted
    bench.equal(rows["MPI_Wait"]["completed_bytes"], 3 * INT, f"{where}: completed by MPI_Wait")
    names = {entry["name"] for entry in found["communicators"]}
    bench.expect("of the test" in names, f"{where}: name of the communicator in {names}")
    bench.expect(found["time"]["paused_ns"] > 0, f"{where}: no pause")


def check_pairs(bench: Bench, ranks: dict[int, RankFile], where: str) -> None:
    """What one rank says it sent is what the other says it received."""
    for sender, found in ranks.items():
        for row in found["peers"]["rows"]:
            named = dict(zip(found["peers"]["columns"], row, strict=True))
            other = next(
                (
                    dict(zip(found["peers"]["columns"], line, strict=True))
                    for line in ranks[named["rank"]]["peers"]["rows"]
                    if line[0] == sender
                ),
                None,
            )
            bench.expect(other is not None, f"{where}: {sender} sent to {named['rank']}, unheard")
            fourth = "MPI_Isendrecv" in by_name(found) and named["sent_messages"] > 0
            to_next = named["rank"] == (sender + 1) % len(ranks)
            unheard = {"messages": 1, "bytes": 3 * INT} if fourth and to_next else {}
            for what in ("messages", "bytes"):
                bench.equal(
                    other and other[f"received_{what}"],
                    named[f"sent_{what}"] - unheard.get(what, 0),
                    f"{where}: {what} from {sender} to {named['rank']}",
                )


def check_samples(bench: Bench, ranks: dict[int, RankFile], where: str) -> None:
    """Each sampled call is in as many files as its communicator has members."""
    met: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for found in ranks.values():
        samples, communicators = found["collective_samples"], found["communicators"]
        bench.equal(samples["kept_one_in"], 1, f"{where}: sampling")
        bench.equal(len(samples["rows"]), samples["seen"], f"{where}: rows of samples")
        for index, sequence, name, _ in samples["rows"]:
            entry = communicators[index]
            key = (entry["id"], sequence)
            members = entry["size"] + entry["remote_size"]
            met.setdefault(key, []).append((members, samples["function_names"][name]))
    for key, calls in met.items():
        bench.equal(len(set(calls)), 1, f"{where}: call {key} is {calls}")
        bench.equal(len(calls), calls[0][0], f"{where}: ranks that made call {key} {calls[0][1]}")


if __name__ == "__main__":
    main(check)
