# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command and keeps what is to be known of it: record, CPU time, other load."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import RunFailedError
from halocline.record.model import Record
from halocline.record.store import read_record

from suite.variants import Variant


@dataclass(frozen=True)
class Sample:
    """One run: its record, and CPU seconds of all its processes from start to end."""

    record: Record
    cpu_s: float

    @property
    def cycle_s(self) -> float:
        """Seconds of one cycle, averaged over the run."""
        return self.record.results.compute_s / self.record.results.cycles

    @property
    def setup_cpu_s(self) -> float:
        """CPU seconds outside the cycles; only meaningful on one rank and thread."""
        return self.cpu_s - self.record.results.compute_s


def run_variant(variant: Variant, program: Path, mesh_folder: Path, scratch: Path) -> Sample:
    """Run mgcfd once and read its record."""
    output = scratch / variant.name.replace(" ", "-")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    command = variant.command(program, mesh_folder, output)
    cpu_s = _run(command, variant.environment(), output / "log.txt")
    return Sample(read_record(output / "record.json"), cpu_s)


@dataclass(frozen=True)
class YardstickRun:
    """What the plain loops took and found."""

    cycle_s: float
    cycles: int
    rms: float


def run_yardstick(program: Path, mesh_folder: Path, cycles: int, scratch: Path) -> YardstickRun:
    """Run MG-CFD as plain loops on one core."""
    log = scratch / "yardstick.log"
    _run([str(program), "-d", str(mesh_folder), "-g", str(cycles)], {"OMP_NUM_THREADS": "1"}, log)
    words = log.read_text(encoding="utf-8")
    rms = re.search(r"rms of cycle \d+ = (\S+)", words)
    total = re.search(r"Max total runtime = (\S+)", words)
    if rms is None or total is None:
        raise RunFailedError(f"{program.name} printed no results; its words are in {log}.", 5)
    return YardstickRun(float(total.group(1)) / cycles, cycles, float(rms.group(1)))


def run_micro(program: Path, nodes: int, repetitions: int, scratch: Path) -> dict[str, list[float]]:
    """Run the micro-benchmark; return seconds per edge of each case, one value a repetition."""
    output = scratch / "edge_flux.json"
    command = [str(program), f"--nodes={nodes}", f"--benchmark_out={output}"]
    command += ["--benchmark_out_format=json", f"--benchmark_repetitions={repetitions}"]
    command += ["--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.2"]
    _run(command, {"OMP_NUM_THREADS": "1"}, scratch / "edge_flux.log")
    times: dict[str, dict[int, float]] = {}
    for row in json.loads(output.read_text(encoding="utf-8"))["benchmarks"]:
        if row["run_type"] == "iteration":
            by_repetition = times.setdefault(row["run_name"], {})
            by_repetition[row["repetition_index"]] = row["s_per_edge"]
    return {name: [rows[index] for index in sorted(rows)] for name, rows in times.items()}


def run_race(command: Sequence[str], log: Path) -> None:
    """Run a program that times its own variants; its threads stay on the cores they are given."""
    _run(command, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}, log)


def _run(command: Sequence[str], environment: Mapping[str, str], log: Path) -> float:
    """Run to the end, words into `log`; return user + system seconds of the process tree."""
    before = os.times()
    with log.open("w", encoding="utf-8") as words:
        code = subprocess.call(
            command, env={**os.environ, **environment}, stdout=words, stderr=subprocess.STDOUT
        )
    after = os.times()
    if code != 0:
        raise RunFailedError(f"{command[0]} ended with code {code}; its words are in {log}.", code)
    return (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )


def bus_scaling(program: Path, mesh_folder: Path, scratch: Path) -> float:
    """Triad of two threads over that of one, now: how much of the bus others leave to us."""
    speeds = []
    for threads in (1, 2):
        variant = Variant("bus", "tiny", 1, threads=threads, flags=("--triad",))
        speed = run_variant(variant, program, mesh_folder, scratch).record.triad_gb_per_s
        if speed is None:
            raise RunFailedError(f"{program.name} measured no triad; see {scratch / 'bus'}.", 5)
        speeds.append(speed)
    return speeds[1] / speeds[0]


def background_load(seconds: float = 0.5) -> float:
    """Cores that others keep busy while we do nothing, time stolen by other guests included."""
    first = _cpu_ticks()
    time.sleep(seconds)
    second = _cpu_ticks()
    total = second[0] - first[0]
    busy = second[1] - first[1]
    return (os.cpu_count() or 1) * busy / total if total else 0.0


def _cpu_ticks() -> tuple[int, int]:
    """(all, not idle) ticks of all cores since the machine started."""
    fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    ticks = [int(value) for value in fields]
    idle = ticks[3] + ticks[4]
    return sum(ticks), sum(ticks) - idle
