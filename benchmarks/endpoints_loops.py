# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the preloaded library costs programs of nothing but short collectives.

    .venv/bin/python benchmarks/endpoints_loops.py [--mpi mpich]

Calls go straight to the MPI library and through the preloaded one, in turn in one process, in parts
of about ten milliseconds; several processes, since the system places each one differently. Quoted
are medians of the parts, and median and quartiles of the ratios of neighbouring parts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import HaloclineError, RunFailedError
from halocline.preload import Family, preloaded, tool_library
from mpi_programs import compile_program

SOURCE = Path(__file__).parent / "tools" / "collective_loop.c"
MIXED = 0
SIZES = (8, 800, 16384, MIXED)
PART_NS = 1e7
LIMIT_S = 600
Pairs = list[tuple[float, float]]


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mpi", choices=[str(family) for family in Family], default="openmpi")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=7, help="processes")
    parser.add_argument("--pairs", type=int, default=50, help="of parts, in each process")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="0: mixed")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def run_loop(words: list[str], size: int, calls: int, pairs: int) -> Pairs:
    """Nanoseconds a call, straight and through the library, of each pair of one process."""
    done = subprocess.run(
        [*words, str(size), str(calls), str(pairs)],
        env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        raise RunFailedError(f"{' '.join(words)} failed: {done.stderr.strip()[-400:]}")
    rows = (line.split() for line in done.stdout.splitlines())
    return [(float(straight), float(through)) for straight, through in rows]


def measure(given: argparse.Namespace, program: Path, size: int) -> Pairs:
    """All pairs of all processes."""
    family = Family(given.mpi)
    line = [f"mpirun.{family}", "-n", str(given.ranks), str(program)]
    settings = {
        "MEP_NUM_THREADS": "2",
        "MEP_SUMMARY": "0",
        "MEP_MEMORY": str(program.parent / "memory"),
    }
    words = preloaded(line, tool_library("endpoints", family), settings, family)
    first = statistics.median(straight for straight, _ in run_loop(words, size, 1000, 5))
    calls = max(100, int(PART_NS / first))
    return [pair for _ in range(given.runs) for pair in run_loop(words, size, calls, given.pairs)]


def summary(size: int, pairs: Pairs) -> dict[str, float]:
    """Medians [us] and ratios [%]."""
    low, middle, high = statistics.quantiles([100 * (b / a - 1) for a, b in pairs], n=4)
    return {
        "bytes": float(size),
        "pairs": float(len(pairs)),
        "straight_us": 1e-3 * statistics.median(a for a, _ in pairs),
        "through_us": 1e-3 * statistics.median(b for _, b in pairs),
        "slower_percent": middle,
        "slower_low_percent": low,
        "slower_high_percent": high,
    }


def show(results: list[dict[str, float]]) -> None:
    """Print one row a size."""
    heads = ("bytes", "pairs", "straight us", "through us", "slower, %", "quartiles")
    rows = table("Loops of Allreduce alone", *heads, right=heads)
    for each in results:
        rows.add_row(
            "mixed" if each["bytes"] == MIXED else f"{each['bytes']:,.0f}",
            f"{each['pairs']:.0f}",
            f"{each['straight_us']:.3f}",
            f"{each['through_us']:.3f}",
            f"{each['slower_percent']:+.2f}",
            f"{each['slower_low_percent']:+.2f} … {each['slower_high_percent']:+.2f}",
        )
    console().print(rows)


def main() -> None:
    """Measure and print."""
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(Family(given.mpi), SOURCE, Path(folder))
        results = [summary(size, measure(given, program, size)) for size in given.sizes]
    if given.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)


if __name__ == "__main__":
    try:
        main()
    except HaloclineError as error:
        sys.exit(f"endpoints_loops: {error}")
