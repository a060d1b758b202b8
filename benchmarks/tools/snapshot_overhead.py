# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of the recorder in nanoseconds a call: calls on one rank, plain and recorded in turn.

    .venv/bin/python benchmarks/tools/snapshot_overhead.py [--rounds 5] [--tools FOLDER] [--regions]

With --regions the calls are parallel regions of OpenMP, on GCC's and on LLVM's runtime.

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
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
SWITCHES = {"calls": "HALOCLINE_SNAPSHOT_SITES", "regions": "HALOCLINE_SNAPSHOT_OPENMP"}
# None: without the recorder; else the value of the switch
VARIANTS: dict[str, dict[str, str | None]] = {
    "calls": {"plain": None, "no sites": "0", "sites": "1"},
    "regions": {"plain": None, "not timed": "0", "timed": "1"},
}
Figures = dict[tuple[str, str], list[tuple[float, float]]]


@dataclass(frozen=True)
class Subject:
    """What is measured: a program of `calls` or of `regions`, how it is made and named."""

    kind: str
    family: str
    title: str
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    @property
    def variants(self) -> dict[str, str | None]:
        """Ways to run it."""
        return VARIANTS[self.kind]

    def build(self, folder: Path) -> Path:
        """Compile; flags are for compiling alone, so that they choose no runtime library."""
        source = FOLDER / {"calls": "call_overhead.c", "regions": "region_overhead.c"}[self.kind]
        made, program = folder / "program.o", folder / "program"
        compiler = f"mpicc.{self.family}"
        words = [compiler, "-O2", "-w", *self.flags, "-c", str(source), "-o", str(made)]
        subprocess.run(words, check=True)
        subprocess.run([compiler, str(made), *self.libraries, "-o", str(program)], check=True)
        return program


def subjects(family: str, regions: bool) -> list[Subject]:
    """What there is to measure with one MPI library."""
    if not regions:
        return [Subject("calls", family, family)]
    found = [Subject("regions", family, f"{family}, libgomp", ("-fopenmp",), ("-fopenmp",))]
    for library in sorted(Path("/usr/lib").glob("llvm-*/lib/libomp.so"))[-1:]:
        path = str(library)
        found.append(Subject("regions", family, f"{family}, libomp", ("-fopenmp",), (path,)))
    return found


def run_once(subject: Subject, program: Path, library: Path, value: str | None) -> str:
    """Output of one process."""
    variables = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if value is not None:
        variables["LD_PRELOAD"] = str(library)
        variables["HALOCLINE_SNAPSHOT_DIR"] = str(program.parent / "ranks")
        variables[SWITCHES[subject.kind]] = value
    return subprocess.run(
        [str(program)], env=variables, capture_output=True, text=True, check=True
    ).stdout


def measure(subject: Subject, library: Path, rounds: int) -> Figures:
    """(least, median) ns of each loop and variant, one entry a round."""
    figures: Figures = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        program = subject.build(Path(name))
        for _ in range(rounds):
            for variant, value in subject.variants.items():
                for line in run_once(subject, program, library, value).splitlines():
                    loop, _, median, least, _ = line.split()
                    figures[loop, variant].append((float(least), float(median)))
    return figures


def table(subject: Subject, figures: Figures) -> str:
    """Markdown: plain ns and what each variant adds."""
    names = list(subject.variants)
    more = " | ".join(f"+ recorder, {name}" for name in names[1:])
    lines = [f"| {subject.title} | plain, ns | {more} |", "|---|---|---|---|"]
    for loop in dict.fromkeys(loop for loop, _ in figures):
        least = {variant: min(x for x, _ in figures[loop, variant]) for variant in names}
        median = {variant: min(x for _, x in figures[loop, variant]) for variant in names}
        cells = [
            f"{least[v] - least['plain']:.0f} ({median[v] - median['plain']:.0f})"
            for v in names[1:]
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
    parser.add_argument("--regions", action="store_true", help="OpenMP regions, not MPI calls")
    options = parser.parse_args()
    found = 0
    print("least loop (median loop) of a process, least over rounds\n")
    for family in ("openmpi", "mpich"):
        library = options.tools / f"libhalocline-snapshot-{family}.so"
        if shutil.which(f"mpicc.{family}") and library.exists():
            for subject in subjects(family, options.regions):
                print(table(subject, measure(subject, library.resolve(), options.rounds)), "\n")
            found += 1
    if found == 0:
        print(f"no recorder in {options.tools}: run make build, or set --tools.", file=sys.stderr)
    return 0 if found else 4


if __name__ == "__main__":
    sys.exit(main())
