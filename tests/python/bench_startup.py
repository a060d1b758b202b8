# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Start-up time of the `halocline` command; a benchmark, not a test: python bench_startup.py [N].

Starts each command line N times (default 20) and prints the median and the spread in
milliseconds. The target of the project is 200 ms for `halocline --help`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMAND_LINES = (["--version"], ["--help"], ["run", "--help"], ["mesh", "--help"])


def seconds(words: list[str]) -> float:
    """Wall time of one start."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "halocline", *words], stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for words in COMMAND_LINES:
        times = sorted(1e3 * seconds(words) for _ in range(repetitions))
        print(
            f"halocline {' '.join(words):12s} median {statistics.median(times):6.1f} ms, "
            f"{times[0]:.1f} to {times[-1]:.1f}, {repetitions} starts"
        )


if __name__ == "__main__":
    main()
