# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares recorded MPI times with the timers of LAMMPS itself.

    .venv/bin/python benchmarks/snapshot_timers.py --runs 5

Two cases on two ranks. With `timer full sync` LAMMPS puts MPI_Barrier before each phase and prints
the time in it as "Sync". Its "Comm" holds packing of buffers, too, so it is compared in a box that
is filled to 60 %, where one rank waits so long that packing no longer matters; other work on the
machine lengthens packing and spoils that comparison.

Exit code 6 where a median is off by more than 5 %.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import ExitCode, HaloclineError, MissingEnvironmentError, RunFailedError
from halocline.snapshot.raw import read_ranks
from halocline.snapshot.store import read_snapshot

INPUT = Path(__file__).resolve().parents[1] / "tests" / "apps" / "cases" / "lammps" / "melt.in"
MPIRUN = ["mpirun", "-n", "2", "--oversubscribe", "--quiet"]
TIMER = re.compile(r"^(\w+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\|", re.MULTILINE)
ACCEPTED_PERCENT = 5.0
LIMIT_S = 600


@dataclass(frozen=True)
class Case:
    """A timer of LAMMPS, and the call sites that it spans."""

    timer: str
    options: tuple[str, ...]
    function: str  # empty: all
    symbol: str


CASES = (
    Case("Sync", ("-var", "timers", "sync"), "MPI_Barrier", "Timer::_stamp"),
    Case("Comm", ("-var", "filled", "0.6"), "", "Comm"),
)


def run(case: Case, folder: Path) -> tuple[float, float]:
    """Seconds of the rank with most, ours and LAMMPS' own, of one run."""
    lammps = [*MPIRUN, "lmp", "-in", str(INPUT), "-log", "none", *case.options]
    words = [sys.executable, "-m", "halocline", "snapshot", "-o", "snapshot", "--", *lammps]
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    if done.returncode != 0:
        raise RunFailedError(f"LAMMPS failed: {done.stderr.strip()[-400:]}")
    own = {row[0]: float(row[3]) for row in TIMER.findall(done.stdout)}
    return max(recorded(case, folder / "snapshot")), own[case.timer]


def recorded(case: Case, folder: Path) -> Iterator[float]:
    """Seconds in the calls of a case, rank by rank."""
    offsets = {
        site.offset
        for site in read_snapshot(folder).call_sites
        if case.symbol in (site.symbol or "") and case.function in ("", site.function)
    }
    for raw in read_ranks(folder / "ranks"):
        rows = (row for row in raw.call_sites.rows if row.frames[0][1] in offsets)
        yield 1e-9 * sum(row.time_ns for row in rows)


def main() -> int:
    """Run all cases and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    if shutil.which("lmp") is None:
        raise MissingEnvironmentError("lmp is missing. scripts/bench_snapshot.sh installs LAMMPS.")
    heads = ("runs", "recorded s", "its own s", "difference, %", "range")
    rows = table("LAMMPS' timers (medians, rank with most)", "timer", *heads, right=heads)
    worst = 0.0
    for case in CASES:
        with tempfile.TemporaryDirectory() as name:
            found = [run(case, Path(name)) for _ in range(runs)]
        off = [100.0 * (ours / own - 1.0) for ours, own in found]
        worst = max(worst, abs(statistics.median(off)))
        rows.add_row(
            case.timer,
            str(runs),
            f"{statistics.median(ours for ours, _ in found):.4f}",
            f"{statistics.median(own for _, own in found):.4f}",
            f"{statistics.median(off):+.2f}",
            f"{min(off):+.2f} … {max(off):+.2f}",
        )
    console().print(rows)
    return 0 if worst <= ACCEPTED_PERCENT else int(ExitCode.DIFFERS)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HaloclineError as error:
        print(f"snapshot_timers: {error}", file=sys.stderr)
        sys.exit(int(error.exit_code))
