# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures collectives with and without endpoints over message sizes, and prints one table.

    .venv/bin/python benchmarks/endpoints_times.py --mpi openmpi --ranks 2 --threads 2

Both ways take turns within one process, each after a barrier; the time of a call is that of the
slowest rank. Quoted are medians, quartiles and the ratio of the medians.
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

SOURCE = Path(__file__).parent / "tools" / "collective_times.c"
FUNCTIONS = ("allreduce", "bcast", "alltoall")
SIZES = tuple(1024 * 4**k for k in range(8))  # 1 KB … 16 MB
LIMIT_S = 600
SETTINGS = {
    "MEP_CALIBRATE": "0",
    "MEP_SUMMARY": "0",
    "MEP_ALLREDUCE_THRESHOLD": "2",
    "MEP_BCAST_THRESHOLD": "2",
}


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mpi", choices=[str(family) for family in Family], default="openmpi")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--functions", nargs="+", choices=FUNCTIONS, default=list(FUNCTIONS))
    parser.add_argument("--repetitions", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def pairs(given: argparse.Namespace, program: Path, function: str, size: int) -> list[list[float]]:
    """Run one size; return pairs of microseconds, split first."""
    family = Family(given.mpi)
    options = ["--oversubscribe", "--bind-to", "none"] if family is Family.OPENMPI else []
    line = [f"mpirun.{family}", "-n", str(given.ranks), *options, str(program)]
    settings = SETTINGS | {"MEP_NUM_THREADS": str(given.threads)}
    repetitions = max(10, min(given.repetitions, given.repetitions * 2**22 // size))
    words = preloaded(line, tool_library("endpoints", family), settings, family)
    done = subprocess.run(
        [*words, function, str(size), str(repetitions)],
        env={
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",
        },
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        raise RunFailedError(f"{' '.join(words)} failed: {done.stderr.strip()[-400:]}")
    return [[float(word) for word in row.split()] for row in done.stdout.splitlines()]


def summary(found: list[list[float]]) -> dict[str, float]:
    """Medians and quartiles of both ways [us], and the ratio plain : split."""
    result = {"pairs": float(len(found))}
    for name, values in zip(("split", "plain"), zip(*found, strict=True), strict=True):
        low, middle, high = statistics.quantiles(values, n=4)
        result |= {f"{name}_us": middle, f"{name}_low_us": low, f"{name}_high_us": high}
    return result | {"speed_up": result["plain_us"] / result["split_us"]}


def show(results: list[dict[str, object]]) -> None:
    """Print one row a function and size."""
    heads = ("function", "bytes", "pairs", "plain us", "split us", "plain : split")
    rows = table("Collectives with endpoints (median, quartiles)", *heads, right=heads[1:])
    for each in results:
        cells = [
            f"{each[f'{way}_us']:.1f} [{each[f'{way}_low_us']:.1f}, {each[f'{way}_high_us']:.1f}]"
            for way in ("plain", "split")
        ]
        ratio = f"{each['speed_up']:.2f}"
        rows.add_row(
            str(each["function"]), f"{each['bytes']:,}", f"{each['pairs']:.0f}", *cells, ratio
        )
    console().print(rows)


def main() -> None:
    """Measure and print."""
    given = arguments()
    results: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(Family(given.mpi), SOURCE, Path(folder))
        for function in given.functions:
            for size in SIZES:
                found = summary(pairs(given, program, function, size))
                results.append({"function": function, "bytes": size, **found})
    if given.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)


if __name__ == "__main__":
    try:
        main()
    except HaloclineError as error:
        sys.exit(f"endpoints_times: {error}")
