# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a job runs: a case through its native program, or any command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halocline.case.model import Case
from halocline.case.resolve import resolved_case, write_resolved
from halocline.errors import InvalidInputError
from halocline.launch.mesh_recipe import mesh_job
from halocline.launch.mpi_library import mpi_family
from halocline.launch.ourselves import own_command
from halocline.launch.programs import find_program
from halocline.launch.solve import PROGRAM, solve_words
from halocline.record.store import RECORD_NAME
from halocline.submit.job import Program, Shape

#: Launch lines of their own: the job script adds no second launcher in front of these.
LAUNCHERS = ("mpirun", "mpiexec", "orterun", "prterun", "srun", "aprun", "jsrun")


def command_program(words: Sequence[str], folder: Path) -> Program:
    """Return a plain command as the program of a job, run in `folder`."""
    if any("\0" in word for word in words):
        raise InvalidInputError("a word of the command holds a NUL character. Remove it.")
    path = find_program(words[0])
    title = " ".join(" ".join(words).split())
    return Program(title, tuple(words), folder, mpi_family(path) if path else None)


def brings_launcher(words: Sequence[str]) -> bool:
    """Whether a command starts its ranks itself."""
    return Path(words[0]).name in LAUNCHERS


def case_program(case: Case, case_file: Path, settings: Sequence[str], shape: Shape) -> Program:
    """Return the native program of a case, with what `--set` changed and the threads of the shape.

    A mesh that is missing is made by the job, on a compute host, not here. Pictures are drawn at
    the end of jobs of one host: of others all hosts would wait for one. GPUs that a job asks
    for are used, unless the case names another back end.
    """
    base = case_file.resolve().parent
    output = case_output(case, case_file)
    record = output / f"{case.output.prefix}{RECORD_NAME}"
    mesh = mesh_job(case, base, str(case_file))
    program = find_program(PROGRAM)
    words = solve_words(case_file.resolve(), settings, shape.threads)
    if shape.gpus_per_node and case.parallel.backend == "auto":
        words += ["--backend", "cuda"]
    step = tuple(own_command(module="halocline.submit.case_steps"))
    given = (str(case_file.resolve()), *settings)
    ranks, threads = str(shape.ranks), str(shape.threads)
    return Program(
        title=" ".join(case.title.split()) or case_file.stem,
        words=(str(program or PROGRAM), *words),
        work_folder=base,
        mpi_family=mpi_family(program) if program else None,
        prepare=((*step, "mesh", *given),) if mesh else (),
        complete=((*step, "record", ranks, threads, *given),),
        draw=(*step, "pictures", *given) if case.output.pictures and shape.nodes == 1 else (),
        stale=(record,),
        stops_on_signal=True,
        resume_words=("--restart", "auto"),
    )


def case_output(case: Case, case_file: Path) -> Path:
    """Return the folder that results of a case go to."""
    return case_file.resolve().parent / case.output.directory


def write_resolved_case(case: Case, case_file: Path, shape: Shape) -> None:
    """Leave `case.resolved.toml` in the output folder, as a run does."""
    resolved = resolved_case(case, shape.ranks, shape.threads)
    write_resolved(resolved, case_output(case, case_file), case_file)
