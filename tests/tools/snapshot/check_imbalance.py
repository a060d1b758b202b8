# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Waiting by the formulae of docs/formats/snapshot-raw.md where it is known by construction."""

from __future__ import annotations

from harness import Bench, RankFile, main

# A step is 40 ms; a sleep may end late by a scheduling delay, which is waiting for the others.
TOLERANCE_POINTS = 3.0


def check(bench: Bench) -> None:
    """10, 33 and 50 % in collectives, 33 % in messages."""
    for percent, ranks, way in (
        (10, 2, "collective"),
        (33, 3, "collective"),
        (50, 2, "collective"),
        (33, 2, "message"),
    ):
        where = f"{percent} % by {way} on {ranks}"
        for _ in range(3):  # a machine that stops for a moment is not the recorder's fault
            run = bench.run("imbalance", ranks, str(percent), way)
            found = imbalance_percent(run.ranks, ranks)
            if abs(found - percent) <= TOLERANCE_POINTS:
                break
        bench.equal(run.code, 0, f"{where}: exit code")
        bench.expect(
            abs(found - percent) <= TOLERANCE_POINTS, f"{where}: the formula gives {found:.1f} %"
        )


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
    """Rule 2: beyond the price of a call, the quickest one but no more than a network would need."""
    rows = [row for found in files.values() for row in found["functions"]]
    rows = [row for row in rows if row["class"] in ("send", "receive")]
    total = 0.0
    for row in rows:
        for bin_, calls, _, time_ns, _ in row["histogram"]:
            least = min(
                line[4]
                for other in rows
                if other["name"] == row["name"]
                for line in other["histogram"]
                if line[0] == bin_
            )
            total += max(0, time_ns - calls * min(least, 10_000 + 2**bin_))
    return total


if __name__ == "__main__":
    main(check)
