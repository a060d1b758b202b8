# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline-p2p beside a plain program with the protocol of OSU's benchmarks, run in turn.

    python benchmarks/p2p_pairs.py --rounds 31 [--program PROGRAM] [-- OPTIONS of p2p]

Like is set against like: the plain program takes as many samples of as many iterations as
halocline-p2p took in a first run, both are quoted by the median of their samples, both are bound
by the same launch line. It runs twice a round, with its buffers in ordinary pages and in huge ones,
which is where halocline-p2p has those from 2 MiB on. Which of the three comes first goes round.

Prints for each pattern and size the plain program's median, and of the ratios of rounds the
median, its 95 % confidence interval (order statistics) and the quartiles.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from suite.spread import median_interval

SOURCE = Path(__file__).parent / "tools" / "p2p_plain.c"
SIZES = (8, 8192, 131072, 4194304)
LAUNCH = ["mpirun.openmpi", "-n", "2", "--bind-to", "core"]
PAGES = ("ordinary", "huge")
FEWEST_ROUNDS = 5
Key = tuple[str, int]
Times = dict[Key, float]


def plain_times(program: Path, pages: str, counts: list[str]) -> Times:
    """Seconds a message of the plain program, by pattern and size."""
    words = [*LAUNCH, str(program), pages, *counts]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {(pattern, int(size)): float(time_s) for pattern, size, time_s, _ in rows}


def our_rows(program: Path, folder: Path, options: list[str]) -> list[dict[str, object]]:
    """What halocline-p2p measured."""
    result = folder / "p2p.json"
    words = ["--path", "host", "--pattern", "latency,bandwidth", "--device", "none", "--quiet"]
    words += ["--sizes", ",".join(str(size) for size in SIZES), "--json", str(result), *options]
    subprocess.run([*LAUNCH, str(program), *words], check=True)
    rows: list[dict[str, object]] = json.loads(result.read_text())["rows"]
    return rows


def our_times(rows: list[dict[str, object]]) -> Times:
    """Seconds a message of halocline-p2p."""
    return {
        (str(row["pattern"]), int(str(row["bytes"]))): float(str(row["median_s"]))
        / float(str(row["messages"]))
        for row in rows
    }


def show(
    plain: dict[tuple[str, Key], list[float]], ratios: dict[tuple[str, Key], list[float]]
) -> None:
    """Print the table."""
    print(f"{len(next(iter(ratios.values())))} rounds")
    print(f"{'pattern':<10} {'bytes':>8} {'pages':<9} {'plain us':>9} {'ours/plain':>10}"
          f" {'95 %':>13} {'quartiles':>13}")  # fmt: skip
    for (pages, (pattern, size)), values in sorted(ratios.items(), key=lambda item: item[0][::-1]):
        time_us = 1e6 * median(plain[pages, (pattern, size)])
        low, high = median_interval(values)
        first, _, third = quantiles(values, n=4)
        print(f"{pattern:<10} {size:>8} {pages:<9} {time_us:>9.3f} {median(values):>10.3f}"
              f" {low:>6.3f} {high:>6.3f} {first:>6.3f} {third:>6.3f}")  # fmt: skip


def main() -> None:
    """Run the rounds, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--limit-s", type=float, default=math.inf, help="begin none after so long")
    parser.add_argument("--program", type=Path, default=Path("build/bin/halocline-p2p"))
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    plain: dict[tuple[str, Key], list[float]] = defaultdict(list)
    ratios: dict[tuple[str, Key], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder, judge = Path(name), Path(name) / "plain"
        subprocess.run(["mpicc.openmpi", "-O2", str(SOURCE), "-o", str(judge)], check=True)
        counts = [
            str(row[key])
            for row in our_rows(given.program, folder, given.options)
            for key in ("pattern", "bytes", "samples", "batch")
        ]
        runs: dict[str, Callable[[], Times]] = {
            "ours": lambda: our_times(our_rows(given.program, folder, given.options)),
            "ordinary": lambda: plain_times(judge, "ordinary", counts),
            "huge": lambda: plain_times(judge, "huge", counts),
        }
        names = list(runs)
        start_s = time.monotonic()
        for number in range(given.rounds):
            if number >= FEWEST_ROUNDS and time.monotonic() - start_s > given.limit_s:
                break
            turn = number % len(names)
            times = {each: runs[each]() for each in names[turn:] + names[:turn]}
            for pages in PAGES:
                for key, time_s in times[pages].items():
                    plain[pages, key].append(time_s)
                    ratios[pages, key].append(times["ours"][key] / time_s)
    show(plain, ratios)


if __name__ == "__main__":
    main()
