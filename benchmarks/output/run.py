#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What output within the time loop costs: none, beside the loops, at once; in turns.

Usage: benchmarks/output/run.py MESH FOLDER [--ranks 2] [--cycles 12] [--repetitions 5]

MESH is a mesh folder, FOLDER lies on the disk to be measured. Programs come from PATH.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np

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
    words += ["--output-fields", "density,momentum,energy", "--io-buffers", str(asked.buffers)]
    quiet = ["--progress", "off", "--no-summary", "--no-triad", "--threads", "1"]
    subprocess.run([*launcher, "mgcfd_mpi", *words, *quiet], check=True, capture_output=True)
    record = json.loads((folder / "record.json").read_text())
    return {**record["io"], "compute_s": record["results"]["compute_s"]}


def disk_gb_per_s(folder: Path, size: int) -> float:
    """What `dd conv=fsync` reaches on the same disk with as many bytes."""
    file = folder / "dd"
    start = time.monotonic()
    command = ["dd", "if=/dev/zero", f"of={file}", "bs=4M", f"count={size >> 22}", "conv=fsync"]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.monotonic() - start
    file.unlink()
    return size / seconds / 1e9


def copy_ms(size: int) -> float:
    """What one core needs to copy so many bytes between arrays that it has touched before."""
    source, target = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    times = []
    for _ in range(5):
        start = time.monotonic()
        np.copyto(target, source)
        times.append(time.monotonic() - start)
    return 1e3 * statistics.median(times)


def main() -> None:
    """Prints one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mesh", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--cycles", type=int, default=12)
    parser.add_argument("--buffers", type=int, default=4)
    parser.add_argument("--repetitions", type=int, default=5)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[float]] = {}
    for _ in range(asked.repetitions):
        done = {way: run(way, asked) for way in WAYS}
        beside, at_once, none = done["async"], done["sync"], done["none"]
        cost = beside["compute_s"] - none["compute_s"]
        extra = at_once["compute_s"] - none["compute_s"]
        disk = disk_gb_per_s(asked.folder, int(at_once["bytes"]))
        for name, value in {
            "no output, s": none["compute_s"],
            "beside the loops, s": beside["compute_s"],
            "at once, s": at_once["compute_s"],
            "share of output at once, %": 100 * extra / at_once["compute_s"],
            "of its cost hidden, %": 100 * (1 - cost / extra),
            "writing not waited for, %": 100 * beside["hidden_s"] / beside["written_s"],
            "set aside, ms a moment": 1e3 * beside["copied_s"] / beside["writes"],
            "memcpy of as much, ms": copy_ms(int(beside["bytes"] / beside["writes"] / asked.ranks)),
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


if __name__ == "__main__":
    main()
