# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of one program with and without the snapshot recorder, in turn, and what both clocks say."""

from __future__ import annotations

import math
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import RunFailedError
from halocline.launch.cores import usable_cores
from halocline.preload import family_of, preloaded, tool_library
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.raw import read_ranks
from snapshot_cases import Program, run_once
from snapshot_slices import LaunchLine, run_in_slices

FEWEST_PAIRS = 5  # quartiles of fewer say nothing


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


def binding(ranks: int, threads: int) -> list[str]:
    """Each thread a core where one is left for launcher and kernel; free to move otherwise."""
    if ranks * threads < usable_cores().cores:
        return ["--map-by", f"slot:PE={threads}", "--bind-to", "core"]
    return ["--oversubscribe"]


def measure(
    program: Program, pairs: int, ranks: int, limit_s: float, sliced: bool
) -> tuple[list[Pair], dict[str, float]]:
    """Run pairs after one run of each that only warms caches; the limit leaves out the last."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="halocline-") as name:
        files = Path(name) / "ranks"
        plain, recorded = _lines(program, ranks, Path(name), files)
        _require_same(
            program, *(_results(line, program, run_once(line)) for line in (plain, recorded))
        )
        made: list[Pair] = []
        run_pair = _run_sliced if sliced else _run_whole
        for number in range(pairs):
            if len(made) >= FEWEST_PAIRS and time.perf_counter() - start > limit_s:
                break
            order = (plain, recorded) if number % 2 == 0 else (recorded, plain)
            runs = dict(zip(map(id, order), run_pair(order, ranks), strict=True))
            results = (_results(line, program, runs[id(line)]) for line in (plain, recorded))
            _require_same(program, *results)
            made.append(Pair(*(_times(program, runs[id(line)]) for line in (plain, recorded))))
            print(f"  {program.name} {number + 1}/{pairs}: {made[-1].words()}", flush=True)
        if program.log is None:
            return made, _traffic(files)
        run_once(recorded)
        own = _own_timer(program, recorded.folder, files) if ranks > 1 else {}
        return made, _traffic(files) | own


def _lines(
    program: Program, ranks: int, folder: Path, files: Path
) -> tuple[LaunchLine, LaunchLine]:
    """Without and with the recorder, each in a folder that is prepared."""
    first, second = folder / "plain", folder / "recorded"
    first.mkdir()
    if program.prepare is not None:
        program.prepare(first)
    shutil.copytree(first, second)
    words = ["mpirun", "-n", str(ranks), *binding(ranks, program.threads), "--quiet"]
    words += program.words
    library = tool_library("snapshot", family_of(words))
    variables = {"HALOCLINE_SNAPSHOT_DIR": str(files)}
    threads = {"OMP_NUM_THREADS": str(program.threads)}
    under = preloaded(words, library, variables, family_of(words))
    return LaunchLine(words, first, threads), LaunchLine(under, second, threads)


def _run_whole(lines: Sequence[LaunchLine], _ranks: int) -> list[tuple[float, float, str]]:
    return [run_once(line) for line in lines]


def _run_sliced(lines: Sequence[LaunchLine], ranks: int) -> list[tuple[float, float, str]]:
    """Clocks on the wall mean nothing then: only processor time is known."""
    return [(math.nan, cpu_s, out) for cpu_s, out in run_in_slices(lines, ranks)]


def _results(line: LaunchLine, program: Program, run: tuple[float, float, str]) -> str:
    """Everything that a run has said."""
    log = "" if program.log is None else (line.folder / program.log).read_text()
    return run[2] + log


def _require_same(program: Program, plain: str, recorded: str) -> None:
    pattern = re.compile(program.result, re.MULTILINE)
    found = pattern.findall(plain)
    if not found:
        raise RunFailedError(f"{program.name} printed no results to compare.")
    if found != pattern.findall(recorded):
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
    regions = 0 if snapshot.openmp is None else snapshot.openmp.entered
    return {
        "calls": float(calls),
        "regions_per_s": regions / len(snapshot.ranks) / snapshot.times.elapsed_s,
        "calls_per_s": rate,
        "mpi_percent": snapshot.times.mpi_percent,
        "merge_s": merge_s,
    }
