# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a launch line with the collectives library preloaded into its ranks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.endpoints.report import REPORT, EndpointsReport
from halocline.endpoints.settings import environment_settings
from halocline.errors import ExitCode, RunFailedError
from halocline.launch.process import run_foreground
from halocline.preload import Family, family_of, preloaded, tool_library
from halocline.preload.launch_line import read_launch_line

TOOL = "endpoints"
SIGNAL_CODES = 128
NO_MEMORY = "none"
BINDING_OPTIONS = ("--bind-to", "-bind-to", "--map-by", "-map-by", "--cpu-set", "--rankfile", "-rf")


@dataclass(frozen=True)
class Plan:
    """All that a run will do."""

    given: list[str]
    command: list[str]
    library: Path
    family: Family
    settings: dict[str, str]

    @property
    def shell_line(self) -> str:
        """The command as one could type it."""
        return shlex.join(self.command)


def plan_run(command: Sequence[str], chosen: Mapping[str, str], family: str | None) -> Plan:
    """Decide how to run a launch line; `chosen` settings win over the environment's."""
    found = family_of(command, family)
    library = tool_library(TOOL, found)
    settings = environment_settings() | dict(chosen)
    for name in ("MEP_REPORT", "MEP_MEMORY"):  # ranks may start elsewhere
        if settings.get(name, NO_MEMORY) != NO_MEMORY:
            settings[name] = str(Path(settings[name]).absolute())
    words = preloaded(command, library, settings, found)
    return Plan(list(command), words, library, found, settings)


def binding_advice(plan: Plan) -> str | None:
    """A sentence on cores for workers, where the launch line leaves none.

    Open MPI binds each of one or two ranks to a single core unless it is told otherwise.
    """
    line = read_launch_line(plan.given)
    if plan.family is not Family.OPENMPI or line.launcher is None or line.by_srun:
        return None
    options = [word.partition("=")[0] for part in line.parts for word in line.options(part)]
    if any(word in BINDING_OPTIONS for word in options) or "--oversubscribe" in options:
        return None
    threads = plan.settings.get("MEP_NUM_THREADS", "T")
    return (
        "the launch line does not say how ranks are bound (Open MPI may give each one core, which "
        f"its endpoints then share). Give each rank T cores: --map-by slot:PE={threads}, "
        "or --bind-to none."
    )


def run(plan: Plan, output_to_stderr: bool = False) -> int:
    """Run the program with our terminal; return its exit code."""
    report = _report_file(plan)
    if report is not None:
        report.unlink(missing_ok=True)  # an old report must not pass for this run's
    code = run_foreground(plan.command, {}, output_to_stderr)
    return SIGNAL_CODES - code if code < 0 else code


def read_report(plan: Plan, code: int) -> EndpointsReport:
    """Return the report of a run that has ended with `code`."""
    file = _report_file(plan)
    if file is None or not file.exists():
        raise RunFailedError(
            f"'{shlex.join(plan.given)}' left no report (exit code {code}: rank 0 did not reach "
            "MPI_Finalize, calls no MPI, or is linked statically). See above for its own words.",
            code or ExitCode.RUN_FAILED,
        )
    return REPORT.read(file)


def _report_file(plan: Plan) -> Path | None:
    name = plan.settings.get("MEP_REPORT")
    return Path(name) if name else None
