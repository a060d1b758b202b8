# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of batch schedulers, build tools and halocline's native programs."""

from __future__ import annotations

import os
import shutil

from halocline.doctor.fact import Fact, State, ask, first_line
from halocline.launch.mpi_library import mpi_family
from halocline.launch.programs import find_program

SCHEDULERS = {
    "Slurm": ("sbatch", ["--version"], "SLURM_JOB_ID"),
    "PBS": ("qsub", ["--version"], "PBS_JOBID"),
    "LSF": ("bsub", ["-V"], "LSB_JOBID"),
    "Donau": ("dsub", ["--version"], "CCS_ALLOC_FILE"),
}
NEEDED = ("halocline-solve", "mgcfd")
PROGRAMS = (*NEEDED, "halocline-p2p")
TOOLS = {name: f"apt-get install {name}" for name in ("g++", "cmake", "ninja", "make")}
TOOLS["ninja"] = "apt-get install ninja-build"


def scheduler_facts() -> list[Fact]:
    """Return the schedulers whose commands are here, and the job we may be in."""
    facts = [fact for name in SCHEDULERS if (fact := _scheduler_fact(name)) is not None]
    if facts:
        return facts
    commands = ", ".join(command for command, _, _ in SCHEDULERS.values())
    return [
        Fact(
            "scheduler",
            "none: runs start here directly",
            State.ABSENT,
            found_by=f"PATH ({commands})",
        )
    ]


def _scheduler_fact(name: str) -> Fact | None:
    command, version_words, job_variable = SCHEDULERS[name]
    path = shutil.which(command)
    job = os.environ.get(job_variable)
    if path is None and job is None:
        return None
    version = first_line(ask([command, *version_words])) or path or "commands not on the PATH"
    text = f"{version}{f', in job {job}' if job else ''}"
    value = {"command": path, "version": version, "job": job}
    return Fact(name, text, value=value, found_by=f"{command}, ${job_variable}")


def program_facts() -> list[Fact]:
    """Return the native programs, the instruction set they were built for, and build tools."""
    programs = [_program_fact(name) for name in PROGRAMS if name in NEEDED or find_program(name)]
    return [*programs, *(_tool_fact(name) for name in TOOLS)]


def _program_fact(name: str) -> Fact:
    path = find_program(name)
    if path is None:
        return Fact(name, "not built", State.MISSING, found_by="PATH", remedy="make build")
    version = first_line(ask([str(path), "--version"])) or "version unknown"
    value = {"path": str(path), "version": version, "mpi": mpi_family(path)}
    return Fact(name, f"{version}, {path}", value=value, found_by="--version, ldd")


def _tool_fact(name: str) -> Fact:
    version = first_line(ask([name, "--version"]))
    if version:
        return Fact(name, version, found_by=f"{name} --version")
    return Fact(name, "none", State.ABSENT, found_by="PATH", remedy=TOOLS[name])
