# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The tour in C, C++ and Fortran 77, 90, 2008: every call and byte is known in advance."""

from __future__ import annotations

import tour_expected as expected
from harness import Bench, RankFile, by_name, main, rows_by_peer

RANKS = {
    "tour_c": (1, 2, 3, 4),
    "tour_cpp": (2,),
    "tour_f77": (3,),
    "tour_f90": (1, 2),
    "tour_f08": (2, 4),
}


def check(bench: Bench) -> None:
    """All languages, each on its numbers of ranks."""
    for program, counts in RANKS.items():
        for ranks in counts:
            run = bench.run(program, ranks, "tour.data")
            where = f"{program}.{bench.family} on {ranks}"
            bench.expect(run.code == 0, f"{where}: exit code {run.code}\n{run.errors}")
            bench.equal(sorted(run.ranks), list(range(ranks)), f"{where}: ranks with a file")
            for rank, found in run.ranks.items():
                check_rank(bench, found, rank, ranks, f"{where}, rank {rank}")
                check_sites(bench, found, program, f"{where}, rank {rank}")


def check_rank(bench: Bench, found: RankFile, rank: int, ranks: int, where: str) -> None:
    """Ends, functions, histograms, peers, samples of one rank."""
    bench.equal((found["complete"], found["end"]), (True, "finalize"), f"{where}: end")
    functions = by_name(found)
    wanted = expected.functions(rank, ranks)
    bench.equal(sorted(functions), sorted(wanted), f"{where}: functions")
    for name in wanted.keys() & functions.keys():
        row = functions[name]
        bench.equal((row["calls"], row["bytes"]), wanted[name], f"{where}: calls, bytes of {name}")
        check_histogram(bench, row, f"{where}: {name}")
    for key, table in (
        ("received_bytes", expected.RECEIVED),
        ("completed_bytes", expected.COMPLETED),
    ):
        for name, row in functions.items():
            bench.equal(row[key], table.get(name, 0), f"{where}: {key} of {name}")
    check_points(bench, found, rank, ranks, where)
    bench.equal(rows_by_peer(found), expected.peers(rank, ranks), f"{where}: peers")
    bench.equal(found["peers"]["unknown_peer_bytes"], 0, f"{where}: unknown peers")
    # on one rank there is nobody to wait for, and nothing is sampled; the half may have one member
    if ranks == 1:
        bench.equal(found["collective_samples"]["seen"], 0, f"{where}: samples")
    else:
        # 16 blocking collectives and makers on the world, 1 on the copy, 1 on a half of several
        several = (ranks + 1 - rank % 2) // 2 > 1
        bench.equal(found["collective_samples"]["seen"], SAMPLED + several, f"{where}: samples")


def check_points(bench: Bench, found: RankFile, rank: int, ranks: int, where: str) -> None:
    """Collectives by communicator and size: on one rank none, else all of those on the world."""
    points = found["collective_points"]
    bench.equal(points["left_out"], 0, f"{where}: points left out")
    bench.equal(bool(points["rows"]), ranks > 1, f"{where}: points")
    functions = by_name(found)
    for name in {row[0] for row in points["rows"]}:
        rows = [row for row in points["rows"] if row[0] == name]
        whole = functions[name]
        bench.equal(whole["class"], "collective", f"{where}: class of {name}")
        bench.expect(all(1 < row[1] <= ranks for row in rows), f"{where}: members of {name}")
        for at, key in ((3, "calls"), (4, "bytes"), (5, "time_ns")):
            total = sum(row[at] for row in rows)
            bench.expect(total <= whole[key] + len(rows), f"{where}: {key} of points of {name}")
    if ranks > 1:
        calls = sum(row[3] for row in points["rows"] if row[0] == "MPI_Allreduce")
        # 3 on the world; 1 on a half, which is not a point where the half has one member
        several = (ranks + 1 - rank % 2) // 2 > 1
        bench.equal(calls, 3 + several, f"{where}: points of Allreduce")


# Bcast, Reduce, Gather, Scatter, 3 Allreduce, Allgather, Alltoall, Alltoallv, Allgatherv, Scan,
# Reduce_scatter_block, 2 Barriers, Comm_split, Comm_dup, Cart_create, Win_create; Barrier of a copy
SAMPLED = 19 + 1


def check_histogram(bench: Bench, row: dict[str, object], where: str) -> None:
    """Bins hold what their number says and add up to the totals."""
    histogram: list[list[int]] = row["histogram"]  # type: ignore[assignment]
    for bin_, calls, bytes_, time_ns, least_ns in histogram:
        if row["class"] in ("complete", "test"):
            bench.equal(bytes_, 0, f"{where}: bytes of bin {bin_}")
        elif bin_ == 0:
            bench.equal(bytes_, 0, f"{where}: bytes of bin 0")
        else:
            low, high = calls << (bin_ - 1), calls * ((1 << bin_) - 1)
            bench.expect(
                low <= bytes_ <= high, f"{where}: {calls} calls, {bytes_} bytes in bin {bin_}"
            )
        # bins of receives that were started earlier hold calls without a time
        if least_ns is not None and not row["received_bytes"]:
            bench.expect(least_ns * calls <= time_ns + calls, f"{where}: least of bin {bin_}")
    time_sum = sum(line[3] for line in histogram) + row["initiation_ns"]  # type: ignore[operator]
    # each conversion from ticks rounds down
    bench.expect(abs(time_sum - row["time_ns"]) <= len(histogram) + 1, f"{where}: time of bins")  # type: ignore[operator]


def check_sites(bench: Bench, found: RankFile, program: str, where: str) -> None:
    """Sites lie in the program itself, also where Fortran glue stands between."""
    sites = found["call_sites"]
    modules = {module["index"]: module["path"] for module in sites["modules"]}
    for row in sites["rows"]:
        path = modules[row["frames"][0][0]]
        bench.expect(
            path.endswith(f"{program}.{bench.family}"),
            f"{where}: site of {row['function']} in {path}",
        )
    totals = {name: function["calls"] for name, function in by_name(found).items()}
    counted: dict[str, int] = {}
    for row in sites["rows"]:
        counted[row["function"]] = counted.get(row["function"], 0) + row["calls"]
    bench.equal(counted, totals, f"{where}: calls of all sites")


if __name__ == "__main__":
    main(check)
