# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How a launcher tells a process its rank, and how many ranks a launch line asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import UsageError
from halocline.launch.mpi import identify_mpirun
from halocline.preload.launch_line import LaunchLine, resolve_program

#: Launchers of other systems, whose lines nobody here can take apart.
FOREIGN = ("aprun", "jsrun", "ibrun", "yhrun", "ccc_mprun", "flux", "charmrun", "poe", "dplace")
#: Their programs stand in a file.
IN_A_FILE = ("--multi-prog", "--app", "-app", "-configfile", "--configfile")
COUNTS = ("-n", "-np", "--n", "--np", "-c", "--ntasks")


@dataclass(frozen=True)
class Numbering:
    """Environment variables of a rank, the first that is set wins; empty: there is one rank."""

    rank: tuple[str, ...]
    local: tuple[str, ...]
    size: tuple[str, ...]


OPEN_MPI = Numbering(
    ("OMPI_COMM_WORLD_RANK", "PMIX_RANK"),
    ("OMPI_COMM_WORLD_LOCAL_RANK", "PRTE_LOCAL_RANK"),
    ("OMPI_COMM_WORLD_SIZE",),
)
HYDRA = Numbering(("PMI_RANK", "PMIX_RANK"), ("MPI_LOCALRANKID",), ("PMI_SIZE",))
SLURM = Numbering(("SLURM_PROCID",), ("SLURM_LOCALID",), ("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"))
ALONE = Numbering((), (), ())
#: Of a launcher that did not say what it is.
ANY = Numbering(
    ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"),
    ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PRTE_LOCAL_RANK"),
    ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"),
)


def numbering_of(line: LaunchLine) -> Numbering:
    """Return how ranks of a launch line know their numbers.

    Variables of other families are not looked at: a job that starts inside another one inherits
    the variables of that one's rank.
    """
    _refuse_what_is_not_understood(line)
    if line.launcher is None:
        return ALONE
    if line.by_srun:
        return SLURM
    program = resolve_program(line.words[line.launcher])
    known = identify_mpirun(program) if program else None
    if known is None:
        return ANY
    return OPEN_MPI if known.family == "openmpi" else HYDRA


def ranks_asked_for(line: LaunchLine) -> int | None:
    """Return how many ranks a launch line starts, where it says so in so many words."""
    if line.launcher is None:
        return 1
    counts = [_count(line.options(part), line.by_srun) for part in line.parts]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _count(options: Sequence[str], srun: bool) -> int | None:
    names = ("-n", "--ntasks") if srun else COUNTS
    found = None
    for place, word in enumerate(options):
        name, equals, value = word.partition("=")
        if name in names:
            value = value if equals else options[place + 1] if place + 1 < len(options) else ""
        elif srun and word.startswith("-n") and not word.startswith("--"):
            value = word[2:]
        else:
            continue
        found = int(value) if value.isdecimal() else found
    return found


def _refuse_what_is_not_understood(line: LaunchLine) -> None:
    first = Path(line.words[0]).name
    if line.launcher is None and first in FOREIGN:
        raise UsageError(
            f"launch lines of '{first}' are not understood (mpirun, mpiexec and srun are). "
            "Put `sh SCRIPT` before the program yourself; --dry-run with mpirun shows the script."
        )
    for part in line.parts:
        for word in line.options(part):
            if word.partition("=")[0] in IN_A_FILE:
                raise UsageError(
                    f"the launch line takes its programs from a file ({word}), before which no "
                    "tool can be put. Name the programs on the line, apart by ':'."
                )
