# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What programs/tour.c makes rank `rank` of `ranks` do, counted by hand from its source."""

from __future__ import annotations

INT, DOUBLE = 4, 8


# not called on one rank
_one_sided = {
    "MPI_Win_create": (1, 0),
    "MPI_Win_fence": (4, 0),
    "MPI_Put": (1, 2 * DOUBLE),
    "MPI_Get": (1, 3 * DOUBLE),
    "MPI_Accumulate": (1, DOUBLE),
    "MPI_Win_free": (1, 0),
}


def functions(rank: int, ranks: int) -> dict[str, tuple[int, int]]:
    """Calls and bytes of each MPI function; those not named move no bytes."""
    # counts 1, 2, …, ranks: their sum
    triangle = ranks * (ranks + 1) // 2
    return {
        **(_one_sided if ranks > 1 else {}),
        "MPI_Comm_rank": (1, 0),
        "MPI_Comm_size": (1, 0),
        "MPI_Sendrecv": (1, 3 * DOUBLE),
        # 5 ints and 2 × 4 ints to the next rank, 7 and 5 characters to itself
        "MPI_Isend": (4, 5 * INT + 7 + 5 + 8 * INT),
        "MPI_Irecv": (1, 5 * INT),  # what arrives, not the room of 50
        "MPI_Recv": (3, 7 + 5 + 8 * INT),
        "MPI_Waitall": (4, 0),
        "MPI_Wait": (5, 0),
        "MPI_Probe": (1, 0),
        "MPI_Send_init": (1, 0),
        "MPI_Recv_init": (1, 0),
        "MPI_Start": (6, 3 * 4 * DOUBLE + 3 * 4 * DOUBLE),  # sent and received
        "MPI_Request_free": (2, 0),
        "MPI_Bcast": (1, 6 * INT),
        "MPI_Reduce": (1, 2 * DOUBLE),
        "MPI_Gather": (1, 3 * INT),
        "MPI_Scatter": (1, 3 * INT),
        "MPI_Allreduce": (4, 3 * 2 * DOUBLE + INT),
        "MPI_Allgather": (1, 2 * INT),
        "MPI_Alltoall": (1, ranks * 2 * DOUBLE),
        "MPI_Alltoallv": (1, triangle * INT),
        "MPI_Allgatherv": (1, (rank + 1) * INT),
        "MPI_Scan": (1, DOUBLE),
        "MPI_Reduce_scatter_block": (1, ranks * 2 * INT),
        "MPI_Iallreduce": (1, 4 * DOUBLE),
        "MPI_Ibarrier": (1, 0),
        "MPI_Barrier": (3, 0),
        "MPI_Comm_split": (1, 0),
        "MPI_Comm_dup": (1, 0),
        "MPI_Comm_free": (3, 0),
        "MPI_Cart_create": (1, 0),
        "MPI_Neighbor_alltoall": (1, 2 * 2 * INT),
        "MPI_Neighbor_allgather": (1, DOUBLE),
        "MPI_Type_contiguous": (1, 0),
        "MPI_Type_commit": (1, 0),
        "MPI_Type_free": (1, 0),
        "MPI_File_open": (1, 0),
        "MPI_File_write_at": (1, 8 * INT),
        "MPI_File_read_at_all": (1, 8 * INT),
        "MPI_File_close": (1, 0),
    }


# `received_bytes` of the functions that receive.
RECEIVED = {
    "MPI_Sendrecv": 3 * DOUBLE,
    "MPI_Irecv": 5 * INT,
    "MPI_Recv": 7 + 5 + 8 * INT,
    "MPI_Start": 3 * 4 * DOUBLE,
}

# `completed_bytes`: what the receives brought that these calls completed.
COMPLETED = {"MPI_Waitall": 5 * INT + 3 * 4 * DOUBLE, "MPI_Wait": 0}


def peers(rank: int, ranks: int) -> dict[int, dict[str, int]]:
    """The row of the communication matrix."""
    rows = {peer: dict.fromkeys(COLUMNS, 0) for peer in range(ranks)}
    _point_to_point(rows, rank, (rank + 1) % ranks, (rank - 1) % ranks)
    for peer in range(ranks):
        if peer != rank:
            _collectives(rows[peer], rank, peer, ranks)
    # neighbourhood calls on the ring: 2 ints and 1 double to each side, also to oneself
    for neighbour in ((rank - 1) % ranks, (rank + 1) % ranks):
        rows[neighbour]["collective_messages"] += 2
        rows[neighbour]["collective_bytes"] += 2 * INT + DOUBLE
    return {peer: row for peer, row in rows.items() if any(row.values())}


COLUMNS = (
    "sent_messages",
    "sent_bytes",
    "received_messages",
    "received_bytes",
    "put_messages",
    "put_bytes",
    "get_messages",
    "get_bytes",
    "collective_messages",
    "collective_bytes",
)


def _point_to_point(rows: dict[int, dict[str, int]], rank: int, above: int, below: int) -> None:
    # Sendrecv, Isend of ints, three persistent, one derived type
    bytes_around = 3 * DOUBLE + 5 * INT + 3 * 4 * DOUBLE + 8 * INT
    traffic = [
        (above, 6, bytes_around, "sent"),
        (below, 6, bytes_around, "received"),
        (rank, 2, 7 + 5, "sent"),
        (rank, 2, 7 + 5, "received"),
    ]
    if len(rows) > 1:
        traffic += [(above, 2, 2 * DOUBLE + DOUBLE, "put"), (above, 1, 3 * DOUBLE, "get")]
    for peer, messages, size, way in traffic:
        rows[peer][f"{way}_messages"] += messages
        rows[peer][f"{way}_bytes"] += size


def _collectives(row: dict[str, int], rank: int, peer: int, ranks: int) -> None:
    def add(size: int, messages: int = 1) -> None:
        row["collective_messages"] += messages
        row["collective_bytes"] += size

    if rank == 0:
        add(6 * INT)  # Bcast
        add(3 * INT)  # Scatter
    if peer == 0:
        add(3 * INT)  # Gather
    if peer == ranks - 1:
        add(2 * DOUBLE)  # Reduce
    add(3 * 2 * DOUBLE, 3)  # Allreduce
    add(2 * INT)  # Allgather
    add(2 * DOUBLE)  # Alltoall
    add((peer + 1) * INT)  # Alltoallv
    add((rank + 1) * INT)  # Allgatherv
    if peer > rank:
        add(DOUBLE)  # Scan
    add(2 * INT)  # Reduce_scatter_block
    add(4 * DOUBLE)  # Iallreduce
    add(0, 4)  # Ibarrier, two Barriers, one more on the copy
    if peer % 2 == rank % 2:
        add(INT)  # Allreduce of the half
