# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a launch line with the recorder preloaded into its ranks, then makes the report."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from halocline.errors import RunFailedError
from halocline.files.lock import locked
from halocline.launch.mpi_library import mpi_library
from halocline.launch.process import run_foreground, shell_exit_code
from halocline.launch.programs import is_static
from halocline.preload import Family, family_of, preloaded, tool_library
from halocline.preload.launch_line import read_launch_line, resolve_program
from halocline.snapshot.folder import RANK_FOLDER, prepare_folder, recording_place

if TYPE_CHECKING:
    from halocline.snapshot.model import Snapshot

TOOL = "snapshot"


@dataclass(frozen=True)
class Settings:
    """What the recorder is asked for; the defaults cost next to nothing."""

    depth: int = 1
    sites: bool = True
    io: bool = True
    openmp: bool = True

    def variables(self) -> dict[str, str]:
        """Environment variables of the recorder that differ from its defaults."""
        switches = {"SITES": self.sites, "IO": self.io, "OPENMP": self.openmp}
        changed = {f"HALOCLINE_SNAPSHOT_{name}": "0" for name, on in switches.items() if not on}
        if self.depth != 1:
            changed["HALOCLINE_SNAPSHOT_DEPTH"] = str(self.depth)
        return changed


@dataclass(frozen=True)
class Plan:
    """All that a recording will do."""

    given: list[str]
    command: list[str]
    folder: Path
    library: Path
    family: Family

    @property
    def shell_line(self) -> str:
        """The command as one could type it."""
        return shlex.join(self.command)


@dataclass(frozen=True)
class Outcome:
    """The report, and the exit code to pass on."""

    snapshot: Snapshot
    exit_code: int


class NothingRecordedError(RunFailedError):
    """No rank left a file; the program's exit code, which may be 0, is passed on."""

    def __init__(self, command: Sequence[str], exit_code: int) -> None:
        super().__init__(
            f"no snapshot of '{shlex.join(command)}', which ended with code {exit_code}: no rank "
            f"left a file ({_why_nothing(command)}).",
            exit_code,
        )


def _why_nothing(command: Sequence[str]) -> str:
    """Name what is known of the programs of a launch line that were not recorded."""
    line = read_launch_line(command)
    found = [resolve_program(line.command(part)[0]) for part in line.parts]
    programs = [program for program in found if program is not None]
    for program in programs:
        if is_static(program):
            return f"{program.name} is linked statically; link it with the shared MPI library"
    if programs and not any(mpi_library(program) for program in programs):
        names = " and ".join(dict.fromkeys(program.name for program in programs))
        return f"{names} is not linked to MPI, and started nothing that called MPI_Init"
    return "it ended before MPI_Init returned, or never called it; see above for its own words"


def plan_recording(
    command: Sequence[str], folder: Path, family: str | None, settings: Settings
) -> Plan:
    """Decide how to run a launch line; look at the machine, change nothing."""
    found = family_of(command, family)
    library = tool_library(TOOL, found)
    ranks = (folder / RANK_FOLDER).absolute()
    variables = {"HALOCLINE_SNAPSHOT_DIR": str(ranks), **settings.variables()}
    words = preloaded(command, library, variables, found)
    return Plan(list(command), words, folder, library, found)


def _load_report_modules() -> None:
    """Load them while the launcher starts ranks and the cores are idle, not after the last word."""
    import halocline.snapshot.store
    import halocline.snapshot.terminal  # noqa: F401
    from halocline.documents.check import prepare
    from halocline.snapshot.html import load_page_template
    from halocline.snapshot.raw import RawRank

    prepare(RawRank)
    load_page_template()


def record(plan: Plan, output_to_stderr: bool = False) -> Outcome:
    """Run the program, merge its rank files, write the report.

    A program that fails, is killed or stops early is reported as far as it came. One that leaves
    nothing to report keeps its exit code; `NothingRecordedError` says why.
    """
    with locked(recording_place(plan.folder)):
        return _record(plan, output_to_stderr)


def _record(plan: Plan, output_to_stderr: bool) -> Outcome:
    prepare_folder(plan.folder)
    start = time.perf_counter()
    raw_code = run_foreground(plan.command, {}, output_to_stderr, meanwhile=_load_report_modules)
    wall_s = time.perf_counter() - start
    code = shell_exit_code(raw_code)
    from halocline.snapshot.merge import Launch, merge
    from halocline.snapshot.raw import read_ranks
    from halocline.snapshot.store import write_report

    ranks = read_ranks(plan.folder / RANK_FOLDER)
    if not ranks:
        raise NothingRecordedError(plan.given, code)
    snapshot = merge(ranks, Launch(plan.given, code, wall_s))
    write_report(plan.folder, snapshot)
    return Outcome(snapshot, code)
