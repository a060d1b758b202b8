# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline-p2p beside a plain program with the protocol of OSU's benchmarks, run in turn.

    python benchmarks/p2p_pairs.py --pairs 7 [--program build/bin/halocline-p2p] [-- OPTIONS of p2p]

Prints for each size the plain program's median, the median of the ratios of pairs, and their range.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).parent / "tools" / "p2p_plain.c"
SIZES = (0, 1, 8, 64, 512, 1024, 4096, 8192, 32768, 131072, 1048576, 4194304)
LAUNCH = ["mpirun.openmpi", "-n", "2", "--bind-to", "core"]
Times = dict[tuple[str, int], float]


def plain_times(program: Path) -> Times:
    """Seconds a message of the plain program, by pattern and size."""
    words = [*LAUNCH, str(program), *(str(size) for size in SIZES)]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {(pattern, int(size)): float(time_s) for pattern, size, time_s in rows}


def our_times(program: Path, folder: Path, options: list[str]) -> Times:
    """The same of halocline-p2p."""
    result = folder / "p2p.json"
    words = ["--path", "host", "--pattern", "latency,bandwidth", "--device", "none", "--quiet"]
    words += ["--sizes", ",".join(str(size) for size in SIZES), "--json", str(result), *options]
    subprocess.run([*LAUNCH, str(program), *words], check=True)
    rows = json.loads(result.read_text())["rows"]
    return {(row["pattern"], row["bytes"]): row["median_s"] / row["messages"] for row in rows}


def main() -> None:
    """Run the pairs, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--program", type=Path, default=Path("build/bin/halocline-p2p"))
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    plain, ratios = defaultdict(list), defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        judge = Path(name) / "plain"
        subprocess.run(["mpicc.openmpi", "-O2", str(SOURCE), "-o", str(judge)], check=True)
        for pair in range(given.pairs):
            runs = [
                lambda: plain_times(judge),
                lambda: our_times(given.program, Path(name), given.options),
            ]
            first, second = (run() for run in (runs if pair % 2 == 0 else runs[::-1]))
            theirs, ours = (first, second) if pair % 2 == 0 else (second, first)
            for key, time_s in theirs.items():
                plain[key].append(time_s)
                ratios[key].append(ours[key] / time_s)
    print(
        f"{'pattern':<10} {'bytes':>8} {'plain us':>9} {'ours/plain':>10} {'least':>7} {'most':>7}"
    )
    for (pattern, size), values in sorted(
        ratios.items(), key=lambda item: (item[0][0], item[0][1])
    ):
        time_us = 1e6 * median(plain[pattern, size])
        figures = f"{time_us:>9.3f} {median(values):>10.3f} {min(values):>7.3f} {max(values):>7.3f}"
        print(f"{pattern:<10} {size:>8} {figures}")


if __name__ == "__main__":
    main()
