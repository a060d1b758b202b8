# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The real programs that the recorder is measured on: how to prepare, start, and judge them."""

from __future__ import annotations

import resource
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import MissingEnvironmentError, RunFailedError
from snapshot_slices import LaunchLine

CASES = Path(__file__).resolve().parents[1] / "tests" / "apps" / "cases"
LIMIT_S = 900


@dataclass(frozen=True)
class Program:
    """One real program: how to prepare and start it, and what must not change."""

    name: str
    needed: str
    words: list[str]
    result: str  # regular expression of lines of output and log that must be equal in all runs
    clock: str  # regular expression of its own time of its main part, in its output
    prepare: Callable[[Path], None] | None = None
    timer: str | None = None  # regular expression of its own timer of `timed` in `log`
    timed: str | None = None
    log: str | None = None
    threads: int = 1  # of each rank


def prepare_espresso(folder: Path, points: int) -> None:
    """Make an input of some seconds: more points a direction than the case's 4."""
    text = (CASES / "quantum_espresso" / "silicon.in").read_text()
    (folder / "silicon.in").write_text(text.replace("4 4 4 1 1 1", f"{points} " * 3 + "1 1 1"))


def prepare_gromacs(folder: Path) -> None:
    """Fill a box with water and make the run input."""
    for name in ("water.mdp", "water.top"):
        shutil.copy(CASES / "gromacs" / name, folder)
    solvate = ["gmx", "solvate", "-cs", "spc216.gro", "-box", "4.05", "4.05", "4.05"]
    run_once(LaunchLine([*solvate, "-p", "water.top", "-o", "water.gro"], folder))
    files = ["-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o", "water.tpr"]
    run_once(LaunchLine(["gmx", "grompp", *files, "-maxwarn", "2"], folder))


def programs(steps: int, points: int, threads: int) -> list[Program]:
    """Return the programs in the order of their size."""
    melt = ["lmp", "-in", str(CASES / "lammps" / "melt.in"), "-log", "none"]
    dynamics = ["gmx_mpi", "-nobackup", "mdrun", "-s", "water.tpr", "-deffnm", "out", "-reprod"]
    return [
        Program(
            "LAMMPS",
            "lmp",
            [*melt, "-var", "steps", str(steps)],
            r"^ +\d+ +[-\d.]+ +[-\d.]+ .*$",
            r"^Loop time of ([\d.]+)",
        ),
        Program(
            "Quantum ESPRESSO",
            "pw.x",
            ["pw.x", "-in", "silicon.in"],
            r"^! +total energy .*$",
            r"^ +electrons +: .* ([\d.]+)s WALL",
            lambda folder: prepare_espresso(folder, points),
        ),
        Program(
            "GROMACS",
            "gmx_mpi",
            [*dynamics, "-ntomp", str(threads)],
            r"^ +Energies \(kJ/mol\)\n(?:.*\n){4}",
            r"^ +Time: +[\d.]+ +([\d.]+)",
            prepare_gromacs,
            # Columns: ranks, threads, calls, wall time. It brackets MPI_Alltoall and nothing else.
            r"^ *PME 3D-FFT Comm\. +\d+ +\d+ +\d+ +([\d.]+)",
            "MPI_Alltoall",
            "out.log",
            threads,
        ),
    ]


def choose(known: list[Program], names: Sequence[str]) -> list[Program]:
    """Return the programs that are named, or all that are there."""
    wanted = {name.casefold() for name in names}
    chosen = [program for program in known if not wanted or program.name.casefold() in wanted]
    missing = [program for program in chosen if shutil.which(program.needed) is None]
    for program in missing:
        if wanted or len(missing) == len(chosen):
            raise MissingEnvironmentError(
                f"{program.needed} is missing (it measures {program.name}). "
                "scripts/bench_snapshot.sh installs it."
            )
        print(f"{program.needed} is not here: {program.name} is left out")
    return [program for program in chosen if program not in missing]


def _cpu_s() -> float:
    """Processor time of all processes that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_once(line: LaunchLine) -> tuple[float, float, str]:
    """Run a line; return wall time, processor time and output."""
    start, cpu_start_s = time.perf_counter(), _cpu_s()
    done = subprocess.run(
        line.words,
        cwd=line.folder,
        env=line.environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    wall_s = time.perf_counter() - start
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-600:]
        raise RunFailedError(f"{shlex.join(line.words)} ended with code {done.returncode}: {said}")
    return wall_s, _cpu_s() - cpu_start_s, done.stdout + done.stderr
