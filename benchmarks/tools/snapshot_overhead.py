# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of the recorder in nanoseconds a call: calls on one rank, plain and recorded in turn.

    .venv/bin/python benchmarks/tools/snapshot_overhead.py [--rounds 5] [--tools FOLDER]

On one rank MPI does almost nothing, so the difference is the recorder. Each round starts every
variant once, one after the other; a variant's figure is its least over rounds, because everything
else on the machine only adds. Both the least and the median loop of a process are shown.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).with_name("call_overhead.c")
VARIANTS = {"plain": None, "no sites": "0", "sites": "1"}
Figures = dict[tuple[str, str], list[tuple[float, float]]]


def run_once(program: Path, library: Path, folder: Path, sites: str | None) -> str:
    """Output of one process."""
    variables = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if sites is not None:
        variables["LD_PRELOAD"] = str(library)
        variables["HALOCLINE_SNAPSHOT_DIR"] = str(folder)
        variables["HALOCLINE_SNAPSHOT_SITES"] = sites
    return subprocess.run(
        [str(program)], env=variables, capture_output=True, text=True, check=True
    ).stdout


def measure(family: str, library: Path, rounds: int) -> Figures:
    """(least, median) ns of each loop and variant, one entry a round."""
    figures: Figures = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "call_overhead"
        subprocess.run(
            [f"mpicc.{family}", "-O2", "-w", str(SOURCE), "-o", str(program)], check=True
        )
        for _ in range(rounds):
            for variant, sites in VARIANTS.items():
                for line in run_once(program, library, Path(name) / "ranks", sites).splitlines():
                    loop, _, median, least, _ = line.split()
                    figures[loop, variant].append((float(least), float(median)))
    return figures


def table(family: str, figures: Figures) -> str:
    """Markdown: plain ns and what each variant adds."""
    lines = [
        f"| {family} | plain, ns | + recorder without sites | + recorder with sites |",
        "|---|---|---|---|",
    ]
    for loop in dict.fromkeys(loop for loop, _ in figures):
        least = {variant: min(x for x, _ in figures[loop, variant]) for variant in VARIANTS}
        median = {variant: min(x for _, x in figures[loop, variant]) for variant in VARIANTS}
        cells = [
            f"{least[v] - least['plain']:.0f} ({median[v] - median['plain']:.0f})"
            for v in ("no sites", "sites")
        ]
        plain = f"{least['plain']:.1f} ({median['plain']:.1f})"
        lines.append(f"| {loop} | {plain} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def main() -> int:
    """Measure every MPI family that has a compiler and a recorder."""
    parser = argparse.ArgumentParser(description="Cost of the snapshot recorder, ns a call.")
    parser.add_argument("--rounds", type=int, default=5)
    default = Path(sys.prefix) / "lib" / "halocline"
    parser.add_argument("--tools", type=Path, default=default, help="folder of the libraries")
    options = parser.parse_args()
    found = 0
    print("least loop (median loop) of a process, least over rounds\n")
    for family in ("openmpi", "mpich"):
        library = options.tools / f"libhalocline-snapshot-{family}.so"
        if shutil.which(f"mpicc.{family}") and library.exists():
            print(table(family, measure(family, library.resolve(), options.rounds)), "\n")
            found += 1
    if found == 0:
        print(f"no recorder in {options.tools}: run make build, or set --tools.", file=sys.stderr)
    return 0 if found else 4


if __name__ == "__main__":
    sys.exit(main())
