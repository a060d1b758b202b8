#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a study costs beside its runs: 100 points of `true`, from the end of a run to the next.

Usage: benchmarks/study_overhead.py [ROUNDS]; prints time between runs (median, quartiles, largest),
the size of the page, and, where chromium is installed, the time in which it opens the page.
"""

from __future__ import annotations

import csv
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

STUDY = """
[program]
command = "true {{level}}"
[vary]
level = {levels}
[run]
least = {rounds}
most = {rounds}
noise_rounds = 2
[measure]
snapshot = "never"
"""


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 13
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "study.toml"
        file.write_text(STUDY.format(levels=list(range(100)), rounds=rounds))
        words = [sys.executable, "-P", "-m", "halocline", "study", str(file)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        with (folder / "study" / "runs.csv").open() as lines:
            rows = list(csv.DictReader(lines))
        starts = [datetime.fromisoformat(row["started"]).timestamp() for row in rows]
        gaps = [
            later - start - float(row["wall"])
            for start, later, row in zip(starts, starts[1:], rows, strict=False)
        ]
        low, middle, high = (1000 * value for value in statistics.quantiles(gaps, n=4))
        print(
            f"{len(rows)} runs: {middle:.1f} ms between two (quartiles {low:.1f} … {high:.1f},",
            end=" ",
        )
        print(f"largest {1000 * max(gaps):.0f} ms)")
        page = folder / "study" / "study.html"
        print(f"page of 100 points: {page.stat().st_size / 1000:.0f} kB")
        if shutil.which("chromium"):
            empty = folder / "empty.html"
            empty.write_text("<!DOCTYPE html><title>empty</title>")
            both = f"{_opened_s(page):.2f} s, an empty page in {_opened_s(empty):.2f} s"
            print(f"opened and drawn by chromium, its start included, in {both}")


def _opened_s(page: Path) -> float:
    """Return the least of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--dump-dom",
                f"file://{page}",
            ],
            check=True,
            capture_output=True,
        )
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
