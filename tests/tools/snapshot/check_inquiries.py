# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions most of whose calls are not timed: every call is counted at its place all the same."""

from __future__ import annotations

from collections import Counter

from harness import Bench, RankFile, by_name, main

ROUNDS, SIZES, FEW, PLACES = 3000, 4000, 50, 7  # as in inquiries.c
RANK_SITES = [ROUNDS // 3, ROUNDS]
SIZE_SITES = sorted(len(range(place, SIZES, PLACES)) for place in range(PLACES))
CALL_NS = 100
# 64 calls at first, one in 64 then, some more where the program had not called before
MOST_TIMED = 64 + (sum(RANK_SITES) - 64) // 64 + 10
CLOCK = {"HALOCLINE_SNAPSHOT_CLOCK": "counting_clock", "HALOCLINE_SNAPSHOT_FLUSH_S": "0"}
GLUE_ROUNDS = 500  # as in inquiries.F90


def check(bench: Bench) -> None:
    """C on one and two threads, with and without call sites; Fortran."""
    for threads in (1, 2):
        for sites in ("1", "0"):
            variables = {**CLOCK, "HALOCLINE_SNAPSHOT_SITES": sites}
            run = bench.run("inquiries_c", 2, str(threads), variables=variables)
            where = f"inquiries.{bench.family}, {threads} threads, sites {sites}"
            bench.equal((run.code, sorted(run.ranks)), (0, [0, 1]), f"{where}\n{run.errors}")
            for found in run.ranks.values():
                check_functions(bench, found, threads, where)
                check_sites(bench, found, threads if sites == "1" else 0, where)
    check_glue(bench)


def check_functions(bench: Bench, found: RankFile, threads: int, where: str) -> None:
    """Calls to the last one; times that stand for others are those of the timed ones."""
    rows = by_name(found)
    calls = {"MPI_Comm_rank": sum(RANK_SITES), "MPI_Comm_size": SIZES, "MPI_Type_size": FEW}
    for name, count in calls.items():
        row, wanted = rows[name], threads * count
        bench.equal(row["calls"], wanted, f"{where}: calls of {name}")
        bench.equal(row["time_ns"], CALL_NS * wanted, f"{where}: time of {name}")
        bench.equal(row["histogram"], [[0, wanted, 0, CALL_NS * wanted, CALL_NS]], f"{where}: bins")
    timed = threads * sum(RANK_SITES) - rows["MPI_Comm_rank"]["untimed_calls"]
    bench.expect(timed <= threads * MOST_TIMED, f"{where}: {timed} calls of MPI_Comm_rank timed")
    bench.equal(rows["MPI_Type_size"]["untimed_calls"], 0, f"{where}: few calls are all timed")
    bench.equal(
        sum(thread["calls"] for thread in found["threads"]),
        sum(row["calls"] for row in rows.values()),
        f"{where}: calls of all threads",
    )


def check_sites(bench: Bench, found: RankFile, threads: int, where: str) -> None:
    """Each place has its calls and their time; none without sites."""
    counts = site_counts(found, "MPI_Comm_rank")
    bench.equal(counts, [threads * each for each in RANK_SITES if threads], f"{where}: rank sites")
    counts = site_counts(found, "MPI_Comm_size")
    bench.equal(counts, [threads * each for each in SIZE_SITES if threads], f"{where}: size sites")
    for row in found["call_sites"]["rows"]:
        if row["function"] in ("MPI_Comm_rank", "MPI_Comm_size"):
            bench.equal(row["time_ns"], CALL_NS * row["calls"], f"{where}: time of a site")


def site_counts(found: RankFile, function: str) -> list[int]:
    """Calls of each place, threads together, fewest first."""
    counts: Counter[tuple[int, ...]] = Counter()
    for row in found["call_sites"]["rows"]:
        if row["function"] == function:
            counts[tuple(row["frames"][0])] += row["calls"]
    return sorted(counts.values())


def check_glue(bench: Bench) -> None:
    """What glue asks for itself is not the program's, however often the program asks, too."""
    run = bench.run("inquiries_f90", 2)
    where = f"inquiries_f90.{bench.family}"
    bench.equal((run.code, sorted(run.ranks)), (0, [0, 1]), f"{where}\n{run.errors}")
    for found in run.ranks.values():
        rows = by_name(found)
        bench.equal(rows["MPI_Comm_size"]["calls"], 2 * GLUE_ROUNDS + 1, f"{where}: sizes")
        bench.equal(rows["MPI_Alltoallv"]["calls"], GLUE_ROUNDS, f"{where}: exchanges")
        counts = site_counts(found, "MPI_Comm_size")
        bench.equal(counts, [1, GLUE_ROUNDS, GLUE_ROUNDS], f"{where}: sites")


if __name__ == "__main__":
    main(check)
