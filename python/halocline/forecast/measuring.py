# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the case here, on a few numbers of ranks, for what a forecast has to know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.case.load import load_case
from halocline.cores.launch import measure_cores
from halocline.forecast.busy_host import BusyHost, busy_host_of
from halocline.forecast.measured import Run, measured, merged
from halocline.launch.case_run import execute, plan_run
from halocline.record.store import RECORD_NAME, read_record
from halocline.terminal import note

CORES_NAME = "cores.json"
QUIET = (
    "output.variables=false",
    "output.fluxes=false",
    "output.step_factors=false",
    "output.flow_interval=0",
    "output.series_interval=0",
    'solver.measure_triad="off"',
)


@dataclass(frozen=True)
class Measurement:
    """What to run."""

    case_file: Path
    settings: tuple[str, ...]
    folder: Path
    cycles: int
    repeats: int
    #: Changes of the case that end a run after `cycles`.
    few: Sequence[str]


def measure(what: Measurement, ranks: Sequence[int]) -> list[Run]:
    """Return a run for each number of ranks; repetitions take turns and are merged."""
    return merged([_run(what, count, repeat) for repeat in range(what.repeats) for count in ranks])


def measure_host(folder: Path) -> BusyHost | None:
    """Return what busy cores of this host do to each other; the result stays in `folder`."""
    file = folder / CORES_NAME
    note("measuring what busy cores do to each other")
    return busy_host_of(measure_cores(["--quiet"], file, output_to_stderr=True), str(file))


def run_settings(what: Measurement, ranks: int, folder: Path) -> list[str]:
    """Return the changes of the case for one run: few cycles, no output."""
    return [
        *what.settings,
        *QUIET,
        *what.few,
        f"parallel.ranks={ranks}",
        "parallel.threads=1",
        f"output.directory={json.dumps(str(folder))}",
    ]


def _run(what: Measurement, ranks: int, repeat: int) -> Run:
    folder = (what.folder / "runs" / f"{ranks}-{repeat + 1}").absolute()
    settings = run_settings(what, ranks, folder)
    plan = plan_run(load_case(what.case_file, settings), what.case_file, settings)
    note(f"measuring {ranks} rank(s), {what.cycles} cycles, repetition {repeat + 1}")
    execute(plan, output_to_stderr=True)
    file = folder / RECORD_NAME
    return measured(read_record(file), file)
