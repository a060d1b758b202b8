# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Start-up time of the `halocline` command; a benchmark, not a test: python bench_startup.py [N].

Starts each command line N times (default 20), in turns, and prints the median of wall and of
processor time with the quartiles, in milliseconds. The target of the project is 200 ms for
`halocline --help`.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

LAUNCH = ["--mpi", "openmpi", "--dry-run", "--", "true"]
COMMAND_LINES = (
    ["--version"],
    ["--help"],
    ["run", "--help"],
    ["mesh", "--help"],
    ["p2p", "--dry-run"],
    ["endpoints", *LAUNCH],
    ["snapshot", *LAUNCH],
)


def times_ms(words: list[str]) -> tuple[float, float]:
    """Wall and processor time of one start."""
    start = time.perf_counter()
    command = [sys.executable, "-P", "-m", "halocline", *words]
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet)
    _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f"halocline {' '.join(words)} failed")
    return 1e3 * (time.perf_counter() - start), 1e3 * (used.ru_utime + used.ru_stime)


def quartiles(values: list[float]) -> str:
    """Return e.g. `123 (120 … 130)`."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:4.0f} ({low:.0f} … {high:.0f})"


def main() -> None:
    """Measure and print."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found: list[list[tuple[float, float]]] = [[] for _ in COMMAND_LINES]
    for _ in range(repetitions):
        for row, words in zip(found, COMMAND_LINES, strict=True):
            row.append(times_ms(words))
    for row, words in zip(found, COMMAND_LINES, strict=True):
        wall, used = (list(column) for column in zip(*row, strict=True))
        name = f"halocline {' '.join(words)}"
        print(f"{name:56s} wall {quartiles(wall)}, processor {quartiles(used)} ms")


if __name__ == "__main__":
    main()
