#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What output within the time loop costs: none, beside the loops, at once; in turns.

Usage: benchmarks/output/run.py MESH FOLDER [--ranks 2] [--cycles 25] [--repetitions 15]

MESH is a mesh folder, FOLDER lies on the disk to be measured. Programs come from PATH. What is
hidden is a ratio of two differences, which single rounds of a shared machine do not give: it is
that of the medians of all rounds, with a 95 % interval from rounds drawn again (bootstrap).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import multiprocessing.synchronize
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np

ROW_BYTES = 40  # of the state at a point: what is set aside
WAYS = {
    "none": [],
    "async": ["--output-interval", "1", "--io", "async"],
    "sync": ["--output-interval", "1", "--io", "sync"],
}


def run(way: str, asked: argparse.Namespace) -> dict[str, float]:
    """One run; what its record says of time."""
    folder = asked.folder / way
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    launcher = ["mpirun", "-n", str(asked.ranks)] if asked.ranks > 1 else []
    words = ["-d", str(asked.mesh), "-g", str(asked.cycles), "-o", f"{folder}/", *WAYS[way]]
    words += ["--output-fields", asked.fields, "--io-buffers", str(asked.buffers)]
    quiet = ["--progress", "off", "--no-summary", "--no-triad", "--threads", "1"]
    subprocess.run([*launcher, "mgcfd_mpi", *words, *quiet], check=True, capture_output=True)
    record = json.loads((folder / "record.json").read_text())
    return {
        **record["io"],
        "compute_s": record["results"]["compute_s"],
        "points": record["mesh"]["levels"][0]["nodes"],
    }


def disk_gb_per_s(folder: Path, size: int) -> float:
    """What `dd conv=fsync` reaches on the same disk with as many bytes."""
    file = folder / "dd"
    start = time.monotonic()
    command = ["dd", "if=/dev/zero", f"of={file}", "bs=4M", f"count={size >> 22}", "conv=fsync"]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.monotonic() - start
    file.unlink()
    return size / seconds / 1e9


def copy_again(
    size: int,
    together: multiprocessing.synchronize.Barrier,
    medians: multiprocessing.Queue[float],
) -> None:
    """Copies between arrays that no cache holds any more, at the same time as other processes."""
    sources = [np.ones(size, np.uint8) for _ in range(8)]
    targets = [np.zeros(size, np.uint8) for _ in range(8)]
    times = []
    for turn in range(24):
        source, target = sources[turn % 8], targets[turn % 8]
        together.wait()
        start = time.monotonic()
        np.copyto(target, source)
        times.append(time.monotonic() - start)
    medians.put(1e3 * statistics.median(times))


def copy_ms(size: int, processes: int) -> float:
    """What a copy of so many bytes takes in each of so many processes at once."""
    together = multiprocessing.Barrier(processes)
    medians: multiprocessing.Queue[float] = multiprocessing.Queue()
    started = [
        multiprocessing.Process(target=copy_again, args=(size, together, medians))
        for _ in range(processes)
    ]
    for process in started:
        process.start()
    found = [medians.get() for _ in started]
    for process in started:
        process.join()
    return statistics.mean(found)


def hidden_percent(rounds: dict[str, np.ndarray]) -> tuple[float, float, float]:
    """Of what output at once costs, the share that output beside the loops does not; 95 % interval.

    `rounds` has the seconds of all rounds for each way.
    """

    def share(none: np.ndarray, beside: np.ndarray, at_once: np.ndarray) -> np.ndarray:
        none, beside, at_once = (np.median(s, axis=-1) for s in (none, beside, at_once))
        return np.asarray(100 * (1 - (beside - none) / (at_once - none)))

    ways = [rounds[way] for way in ("none", "async", "sync")]
    drawn = np.random.default_rng(1).integers(0, ways[0].size, (2000, ways[0].size))
    low, high = np.percentile(share(*(way[drawn] for way in ways)), [2.5, 97.5])
    return float(share(*ways)), float(low), float(high)


def main() -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mesh", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--cycles", type=int, default=25)
    parser.add_argument("--buffers", type=int, default=4)
    parser.add_argument("--fields", default="density,momentum,energy,pressure,mach")
    parser.add_argument("--repetitions", type=int, default=15)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[float]] = {}
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(asked.repetitions):
        done = {way: run(way, asked) for way in WAYS}
        for way in WAYS:
            seconds[way].append(done[way]["compute_s"])
        beside, at_once, none = done["async"], done["sync"], done["none"]
        extra = at_once["compute_s"] - none["compute_s"]
        disk = disk_gb_per_s(asked.folder, int(at_once["bytes"]))
        for name, value in {
            "no output, s": none["compute_s"],
            "beside the loops, s": beside["compute_s"],
            "at once, s": at_once["compute_s"],
            "share of output at once, %": 100 * extra / at_once["compute_s"],
            "writing not waited for, %": 100 * beside["hidden_s"] / beside["written_s"],
            "set aside, ms a moment": 1e3 * beside["copied_s"] / beside["writes"],
            "memcpy of the same rows, ms": copy_ms(
                ROW_BYTES * int(none["points"]) // asked.ranks, asked.ranks
            ),
            "blocked, s": beside["blocked_s"],
            "last writes, s": beside["drained_s"],
            "at once, GB/s": at_once["bytes"] / at_once["written_s"] / 1e9,
            "dd with fsync, GB/s": disk,
            "at once ÷ dd, %": 100 * at_once["bytes"] / at_once["written_s"] / 1e9 / disk,
        }.items():
            rows.setdefault(name, []).append(value)
    print(f"{'':32}{'median':>10}{'least':>10}{'largest':>10}")
    for name, values in rows.items():
        median, least, largest = statistics.median(values), min(values), max(values)
        print(f"{name:32}{median:>10.3g}{least:>10.3g}{largest:>10.3g}")
    share, low, high = hidden_percent({way: np.array(seconds[way]) for way in WAYS})
    print(f"of the cost at once hidden: {share:.0f} % ({low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
