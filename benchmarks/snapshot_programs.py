# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the snapshot recorder costs real programs: runs with and without it, in turn.

Both runs of a pair use the same launch line; which one comes first alternates. Quoted are the
median and the quartiles of the ratios of the pairs, by the clock of the launch line (launcher,
start and end of the recorder included), by the processor time of all its processes, and by the
program's own clock (its main part). Processor time is what others on the machine disturb least; on
several ranks it holds the polling of those that wait, so `--ranks 1` gives the sharpest figure.
Results must not change, or the time of the run does not count.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import HaloclineError, MissingEnvironmentError, RunFailedError
from halocline.launch.cores import usable_cores
from halocline.preload import family_of, preloaded, tool_library
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.raw import read_ranks
from snapshot_slices import run_in_slices
from suite.measure import background_load

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "apps" / "cases"
LIMIT_S = 900
FEWEST_PAIRS = 5  # quartiles of fewer say nothing


@dataclass(frozen=True)
class Program:
    """One real program: how to prepare and start it, and what must not change."""

    name: str
    needed: str
    words: list[str]
    result: str  # regular expression of output lines that must be equal in all runs
    clock: str  # regular expression of its own time of its main part, in its output
    prepare: Callable[[Path], None] | None = None
    timer: str | None = None  # regular expression of its own timer of `timed` in `log`
    timed: str | None = None
    log: str | None = None


@dataclass(frozen=True)
class Times:
    """Seconds of one run, by three clocks."""

    wall: float  # of the launch line
    cpu: float  # of all its processes
    own: float  # what the program prints


@dataclass(frozen=True)
class Pair:
    """Two runs that took turns."""

    plain: Times
    recorded: Times

    def overhead_percent(self, clock: str) -> float:
        """What the recorder added by one of the clocks."""
        return 100.0 * (float(getattr(self.recorded, clock)) / getattr(self.plain, clock) - 1.0)

    def words(self) -> str:
        """All of them for the log."""
        known = [clock for clock in CLOCKS if not math.isnan(self.overhead_percent(clock))]
        return ", ".join(f"{clock} {self.overhead_percent(clock):+.2f} %" for clock in known)


CLOCKS = ("wall", "cpu", "own")


@dataclass(frozen=True)
class Row:
    """All pairs of one program on one number of ranks."""

    program: str
    ranks: int
    pairs: list[Pair]
    traffic: dict[str, float]


def prepare_espresso(folder: Path, points: int) -> None:
    """Make an input of some seconds: more points a direction than the case's 4."""
    text = (CASES / "quantum_espresso" / "silicon.in").read_text()
    (folder / "silicon.in").write_text(text.replace("4 4 4 1 1 1", f"{points} " * 3 + "1 1 1"))


def prepare_gromacs(folder: Path) -> None:
    """Fill a box with water and make the run input."""
    for name in ("water.mdp", "water.top"):
        shutil.copy(CASES / "gromacs" / name, folder)
    box = ["-cs", "spc216.gro", "-box", "4.05", "4.05", "4.05"]
    _run(["gmx", "solvate", *box, "-p", "water.top", "-o", "water.gro"], folder, {})
    files = ["-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o", "water.tpr"]
    _run(["gmx", "grompp", *files, "-maxwarn", "2"], folder, {})


def programs(steps: int, points: int) -> list[Program]:
    """Return the programs in the order of their size."""
    melt = ["lmp", "-in", str(CASES / "lammps" / "melt.in"), "-log", "none"]
    dynamics = ["gmx_mpi", "mdrun", "-s", "water.tpr", "-deffnm", "out", "-ntomp", "1", "-reprod"]
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
            dynamics,
            r"^Statistics over.*$",
            r"^ +Time: +[\d.]+ +([\d.]+)",
            prepare_gromacs,
            # Columns: ranks, threads, calls, wall time. It brackets MPI_Alltoall and nothing else.
            r"^ *PME 3D-FFT Comm\. +\d+ +\d+ +\d+ +([\d.]+)",
            "MPI_Alltoall",
            "out.log",
        ),
    ]


def _cpu_s() -> float:
    """Processor time of all processes that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(words: Sequence[str], folder: Path, more: Mapping[str, str]) -> tuple[float, float, str]:
    """Run words; return wall time, processor time and output."""
    start, cpu_start_s = time.perf_counter(), _cpu_s()
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", **more},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    wall_s = time.perf_counter() - start
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-600:]
        raise RunFailedError(f"{shlex.join(words)} ended with code {done.returncode}: {said}")
    return wall_s, _cpu_s() - cpu_start_s, done.stdout + done.stderr


def binding(ranks: int) -> list[str]:
    """Each rank on a core where one is left for launcher and kernel; free to move otherwise."""
    if ranks < usable_cores().cores:
        return ["--map-by", "core", "--bind-to", "core"]
    return ["--oversubscribe"]


def measure(
    program: Program, pairs: int, ranks: int, limit_s: float, sliced: bool
) -> tuple[list[Pair], dict[str, float]]:
    """Run pairs after one run of each that only warms caches; the limit leaves out the last."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="halocline-") as name:
        folder = Path(name)
        if program.prepare is not None:
            program.prepare(folder)
        plain = ["mpirun", "-n", str(ranks), *binding(ranks), "--quiet", *program.words]
        library = tool_library("snapshot", family_of(plain))
        files = folder / "ranks"
        variables = {"HALOCLINE_SNAPSHOT_DIR": str(files)}
        recorded = preloaded(plain, library, variables, family_of(plain))
        _run(plain, folder, {})
        _run(recorded, folder, {})
        made: list[Pair] = []
        run_pair = _run_sliced if sliced else _run_whole
        for number in range(pairs):
            if len(made) >= FEWEST_PAIRS and time.perf_counter() - start > limit_s:
                break
            order = (plain, recorded) if number % 2 == 0 else (recorded, plain)
            runs = dict(zip(map(id, order), run_pair(order, ranks, folder), strict=True))
            _require_same(program, runs[id(plain)][2], runs[id(recorded)][2])
            made.append(Pair(*(_times(program, runs[id(words)]) for words in (plain, recorded))))
            print(f"  {program.name} {number + 1}/{pairs}: {made[-1].words()}", flush=True)
        if program.log is None:
            return made, _traffic(files)
        _run(recorded, folder, {})
        return made, _traffic(files) | _own_timer(program, folder, files)


def _run_whole(
    lines: Sequence[Sequence[str]], _ranks: int, folder: Path
) -> list[tuple[float, float, str]]:
    return [_run(words, folder, {}) for words in lines]


def _run_sliced(
    lines: Sequence[Sequence[str]], ranks: int, folder: Path
) -> list[tuple[float, float, str]]:
    """Clocks on the wall mean nothing then: only processor time is known."""
    runs = run_in_slices(lines, ranks, folder, {**os.environ, "OMP_NUM_THREADS": "1"})
    return [(math.nan, cpu_s, out) for cpu_s, out in runs]


def _require_same(program: Program, plain: str, recorded: str) -> None:
    pattern = re.compile(program.result, re.MULTILINE)
    if pattern.findall(plain) != pattern.findall(recorded):
        raise RunFailedError(f"{program.name} gives other results under the recorder.")


def _times(program: Program, run: tuple[float, float, str]) -> Times:
    wall_s, cpu_s, out = run
    return Times(wall_s, cpu_s, math.nan if math.isnan(wall_s) else _own_clock(program, out))


def _own_clock(program: Program, out: str) -> float:
    match = re.search(program.clock, out, re.MULTILINE)
    if match is None:
        raise RunFailedError(f"{program.name} printed no time of its main part.")
    return float(match[1])


def _own_timer(program: Program, folder: Path, ranks: Path) -> dict[str, float]:
    """Compare a function's time with what the program measured itself in the same run."""
    match = re.search(program.timer or "", (folder / (program.log or "")).read_text(), re.MULTILINE)
    if match is None:
        raise RunFailedError(f"{program.name} printed no timer of {program.timed}.")
    snapshot = merge(read_ranks(ranks), Launch([], 0, None))
    ours = next(each for each in snapshot.functions if each.name == program.timed)
    own_s, ours_s = float(match[1]), ours.seconds.mean
    print(f"  {program.name}: {program.timed} {ours_s:.3f} s, its own timer {own_s:.3f} s "
          f"({100 * (ours_s / own_s - 1):+.1f} %)")  # fmt: skip
    return {"own_timer_s": own_s, "ours_s": ours_s}


def _traffic(folder: Path) -> dict[str, float]:
    """Calls a second and rank of the last recorded run, and the time that its report takes."""
    start = time.perf_counter()
    snapshot = merge(read_ranks(folder), Launch([], 0, None))
    merge_s = time.perf_counter() - start
    calls = sum(function.calls for function in snapshot.functions)
    rate = calls / len(snapshot.ranks) / snapshot.times.elapsed_s
    return {
        "calls": float(calls),
        "calls_per_s": rate,
        "mpi_percent": snapshot.times.mpi_percent,
        "merge_s": merge_s,
    }


def write(rows: list[Row], load: float, folder: Path) -> None:
    """Write all values of all pairs so far: a session may be cut short."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"background_cores": load, "programs": [asdict(row) for row in rows]}
    (folder / "snapshot_programs.json").write_text(json.dumps(data, indent=2) + "\n")


def show(rows: list[Row], load: float) -> None:
    """Print the table."""
    title = "Overhead of the recorder in percent: median and quartiles of pairs"
    columns = ["ranks", "pairs", "run", "wall", "CPU", "own clock", "calls/s·rank", "MPI"]
    made = table(title, "program", *columns, right=tuple(columns))
    for row in rows:
        cells = []
        for clock in CLOCKS:
            overhead = [pair.overhead_percent(clock) for pair in row.pairs]
            if any(math.isnan(each) for each in overhead):
                cells.append("")
                continue
            low, middle, high = statistics.quantiles(overhead, n=4)
            cells.append(f"{middle:+.2f}\n{low:+.2f} … {high:+.2f}")
        made.add_row(
            row.program,
            str(row.ranks),
            str(len(row.pairs)),
            f"{statistics.median(pair.plain.cpu for pair in row.pairs) / row.ranks:.2f} s",
            *cells,
            f"{row.traffic['calls_per_s']:,.0f}",
            f"{row.traffic['mpi_percent']:.1f} %",
        )
    console().print(made)
    print(f"other processes kept {load:.2f} cores busy")


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


def main() -> int:
    """Run; turn an error into one sentence and its exit code."""
    parser = argparse.ArgumentParser(prog="bench_snapshot.sh", description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of runs a program")
    parser.add_argument(
        "--limit-s",
        type=float,
        default=math.inf,
        help="end the pairs of a program and number of ranks after so long",
    )
    parser.add_argument(
        "--sliced",
        action="store_true",
        help="run both jobs of a pair on the same cores, a twentieth of a second each in turn",
    )
    parser.add_argument("--ranks", type=int, nargs="+", default=[2], help="one run each")
    parser.add_argument("--steps", type=int, default=400, help="time steps of LAMMPS")
    parser.add_argument("--points", type=int, default=8, help="k points a direction of QE")
    parser.add_argument("--programs", nargs="*", default=[], help="names; default: all installed")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "bench-output")
    chosen = parser.parse_args()
    try:
        load = background_load()
        rows: list[Row] = []
        for program in choose(programs(chosen.steps, chosen.points), chosen.programs):
            for ranks in chosen.ranks:
                made, traffic = measure(program, chosen.pairs, ranks, chosen.limit_s, chosen.sliced)
                rows.append(Row(program.name, ranks, made, traffic))
                write(rows, load, chosen.output)
        show(rows, load)
    except HaloclineError as error:
        print(f"halocline: {error}", file=sys.stderr)
        return int(error.exit_code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
