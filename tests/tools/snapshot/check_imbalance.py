# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Waiting by the formulae of docs/formats/snapshot-raw.md where it is known by construction."""

from __future__ import annotations

from harness import Bench, RankFile, Run, main

# On a busy machine a rank sleeps longer than it should and leaves a call later than it could: the
# first is true imbalance, known from the arrivals; the second must stay below these points.
TOLERANCE_POINTS = 4.0
# How far the arrivals themselves may be from the construction.
DRIFT_POINTS = 8.0


def check(bench: Bench) -> None:
    """10, 33 and 50 % in collectives, 33 % in messages."""
    for percent, ranks, way in (
        (10, 2, "collective"),
        (33, 2, "collective"),
        (50, 2, "collective"),
        (33, 2, "message"),
    ):
        where = f"{percent} % by {way} on {ranks}"
        for _ in range(5):  # a machine that stops for a moment is not the recorder's fault
            run = bench.run("imbalance", ranks, str(percent), way)
            found = imbalance_percent(run.ranks, ranks)
            truth = arrival_percent(run)
            drift = abs(truth - percent)
            if abs(found - truth) <= TOLERANCE_POINTS and drift <= DRIFT_POINTS:
                break
        bench.equal(run.code, 0, f"{where}: exit code")
        sentence = f"{where}: the formula gives {found:.1f} %, the arrivals {truth:.1f} %"
        bench.expect(abs(found - truth) <= TOLERANCE_POINTS, sentence)
        bench.expect(drift <= DRIFT_POINTS, sentence)


def arrival_percent(run: Run) -> float:
    """The same number from what the ranks printed: each waits for the last."""
    lines = [line.split()[1:] for line in run.output.splitlines() if line.startswith("arrivals")]
    arrivals = [[float(word) for word in line] for line in lines]
    steps = list(zip(*arrivals, strict=True))
    waited = sum(max(step) - each for step in steps for each in step)
    elapsed = max(found["time"]["mpi_ns"] for found in run.ranks.values())
    return 100 * waited / len(arrivals) / elapsed


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
    """Rule 2: beyond the price of a call, the quickest but no more than a network needs."""
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
            total += max(0, time_ns - calls * min(least, 100_000 + 10 * 2**bin_))
    return total


if __name__ == "__main__":
    main(check)
