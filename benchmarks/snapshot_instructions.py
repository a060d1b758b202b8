# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions that the snapshot recorder adds to LAMMPS and Quantum ESPRESSO.

    .venv/bin/python benchmarks/snapshot_instructions.py

Valgrind counts them on one rank: no clock, so other work on the machine changes nothing. On several
ranks the polling of those that wait would count, too, and never twice the same. Start and end of
the recorder are included.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import HaloclineError, MissingEnvironmentError, RunFailedError
from halocline.preload import Family, tool_library
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.raw import read_ranks

CASES = Path(__file__).resolve().parents[1] / "tests" / "apps" / "cases"
VALGRIND = [
    *("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"),
]
COUNT = re.compile(r"I +refs: +([\d,]+)")
LIMIT_S = 1800


@dataclass(frozen=True)
class Program:
    """A program from Debian that one rank can run without a launcher."""

    name: str
    words: list[str]


PROGRAMS = (
    Program("LAMMPS", ["lmp", "-in", str(CASES / "lammps" / "melt.in"), "-log", "none"]),
    Program("Quantum ESPRESSO", ["pw.x", "-in", str(CASES / "quantum_espresso" / "silicon.in")]),
)


def instructions(words: list[str], folder: Path, more: dict[str, str]) -> int:
    """How many one run takes."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [*VALGRIND, *words],
        cwd=folder,
        env={**os.environ, **root, "OMP_NUM_THREADS": "1", **more},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LIMIT_S,
        check=False,
    )
    found = COUNT.search(done.stderr)
    if done.returncode != 0 or found is None:
        raise RunFailedError(f"{' '.join(words)} failed: {done.stderr.strip()[-400:]}")
    return int(found[1].replace(",", ""))


def main() -> None:
    """Count both ways and print one row a program."""
    if shutil.which("valgrind") is None:
        raise MissingEnvironmentError("valgrind is missing. scripts/bench_snapshot.sh installs it.")
    library = tool_library("snapshot", Family.OPENMPI)
    heads = ("calls", "plain, million", "added, million", "added, %")
    rows = table("Instructions of one rank", "program", *heads, right=heads)
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            ranks = folder / "ranks"
            recorder = {"LD_PRELOAD": str(library), "HALOCLINE_SNAPSHOT_DIR": str(ranks)}
            plain = instructions(program.words, folder, {})
            added = instructions(program.words, folder, recorder) - plain
            functions = merge(read_ranks(ranks), Launch([], 0, None)).functions
        cells = f"{1e-6 * plain:,.0f}", f"{1e-6 * added:,.1f}", f"{100 * added / plain:.2f}"
        rows.add_row(program.name, f"{sum(each.calls for each in functions):,}", *cells)
    console().print(rows)


if __name__ == "__main__":
    try:
        main()
    except HaloclineError as error:
        print(f"snapshot_instructions: {error}", file=sys.stderr)
        sys.exit(int(error.exit_code))
