# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Waiting by the formulae of docs/formats/snapshot-raw.md where it is known by construction.

Time is virtual (programs/virtual_time.c), so nothing here depends on how busy the machine is.
"""

from __future__ import annotations

from harness import Bench, RankFile, by_name, main

STEPS, STEP_NS, CALL_NS = 8, 120_000_000, 1000
# A message costs what a quarter of those of its size take, but no more than 100 us and 10 ns a
# byte of the next power of two; that much of each wait in messages is not seen.
UNSEEN_NS = 100_000 + 10 * 2**4
# Work is cut to whole nanoseconds, and so is each figure of the files.
TOLERANCE_POINTS = 1e-5


def check(bench: Bench) -> None:
    """10, 33 and 50 % in collectives, 33 % in messages."""
    for percent, ranks, way in (
        (10, 2, "collective"),
        (33, 2, "collective"),
        (50, 2, "collective"),
        (33, 3, "collective"),
        (33, 2, "message"),
    ):
        where = f"{percent} % by {way} on {ranks}"
        clock = {"HALOCLINE_SNAPSHOT_CLOCK": "virtual_now"}
        run = bench.run("imbalance", ranks, str(percent), way, variables=clock)
        bench.equal(run.code, 0, f"{where}: exit code\n{run.errors}")
        bench.equal(sorted(run.ranks), list(range(ranks)), f"{where}: ranks with a file")
        for found in run.ranks.values():
            bench.equal(found["tool"]["timer"], "program", f"{where}: clock")
        if len(run.ranks) == ranks:
            found_percent, wanted = imbalance_percent(run.ranks, ranks), expected(percent, way)
            bench.expect(
                abs(found_percent - wanted) <= TOLERANCE_POINTS,
                f"{where}: the formula gives {found_percent:.5f} %, by construction {wanted:.5f} %",
            )

    check_quick_times(bench)


def check_quick_times(bench: Bench) -> None:
    """400 receives of 11 us, every 20th of 1 us: a quarter of them ended within 11 us."""
    clock = {"HALOCLINE_SNAPSHOT_CLOCK": "virtual_now"}
    run = bench.run("imbalance", 2, "0", "quick", variables=clock)
    if bench.equal((run.code, sorted(run.ranks)), (0, [0, 1]), f"quick: ranks\n{run.errors}"):
        receive = by_name(run.ranks[0])["MPI_Recv"]
        ((_, calls, _, _, least),) = receive["histogram"]
        bench.equal((calls, least), (400, CALL_NS), "quick: calls, the quickest")
        ((_, quick),) = receive["quick_ns"]
        late = 10_000 + CALL_NS
        bench.expect(abs(quick - late) <= late / 4, f"quick: {quick} ns is not the class of {late}")


def expected(percent: int, way: str) -> float:
    """Of the time to MPI_Finalize: steps that are a call longer than their work."""
    elapsed = STEPS * (STEP_NS + CALL_NS)
    waited = percent / 100 * STEPS * STEP_NS
    if way == "message":
        # the wait holds the receive itself; the receiver ends when the sender does
        waited += (STEPS * CALL_NS - STEPS * UNSEEN_NS) / 2
    return 100 * waited / elapsed


def imbalance_percent(files: dict[int, RankFile], ranks: int) -> float:
    """Mean over ranks of the waiting, of the elapsed time."""
    elapsed = max(found["time"]["mpi_ns"] for found in files.values())
    waits = collective_waiting(files) + message_waiting(files)
    waits += sum(elapsed - found["time"]["mpi_ns"] for found in files.values())
    return 100 * waits / ranks / elapsed


def collective_waiting(files: dict[int, RankFile]) -> float:
    """All calls are kept, so the exact sum of rule 1."""
    durations: dict[tuple[str, int], list[int]] = {}
    for found in files.values():
        for index, sequence, _, duration in found["collective_samples"]["rows"]:
            key = (found["communicators"][index]["id"], sequence)
            durations.setdefault(key, []).append(duration)
    return sum(sum(each) - len(each) * min(each) for each in durations.values())


def message_waiting(files: dict[int, RankFile]) -> float:
    """Rule 2: beyond the price of a call, a quarter of them but no more than a network needs."""
    rows = [row for found in files.values() for row in found["functions"]]
    rows = [row for row in rows if row["class"] in ("send", "receive")]
    total = 0.0
    for row in rows:
        for bin_, calls, _, time_ns, _ in row["histogram"]:
            quick = min(
                dict(other["quick_ns"])[bin_]
                for other in rows
                if other["name"] == row["name"] and bin_ in dict(other["quick_ns"])
            )
            least, most = 2_000 + 0.1 * 2**bin_, 100_000 + 10 * 2**bin_
            total += max(0, time_ns - calls * min(max(quick, least), most))
    return total


if __name__ == "__main__":
    main(check)
