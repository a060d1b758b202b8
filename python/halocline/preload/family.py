# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which MPI library the ranks of a launch line will use: handles of the two families differ."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from halocline.errors import MissingEnvironmentError, UsageError, suggestion
from halocline.launch.mpi import identify_mpirun
from halocline.launch.mpi_library import MpiLibrary, mpi_library
from halocline.preload.launch_line import LaunchLine, Part, read_launch_line, resolve_program


class Family(StrEnum):
    """MPI libraries that share an application binary interface."""

    OPENMPI = "openmpi"
    MPICH = "mpich"

    @property
    def label(self) -> str:
        """The name its authors write."""
        return {"openmpi": "Open MPI", "mpich": "MPICH"}[self.value]


def family_of(command: Sequence[str], chosen: str | None = None) -> Family:
    """Return the MPI family of a launch line, or say what would go wrong with it.

    The library that the program will load decides; scripts and interpreters tell nothing, then the
    launcher does; `chosen` (`openmpi` or `mpich`) decides over both.
    """
    if chosen is not None:
        return _named(chosen)
    line = read_launch_line(command)
    of_programs = {found for part in line.parts if (found := _family_of_part(line, part))}
    of_launcher = _family_of_launcher(line)
    if len(of_programs) > 1:
        raise UsageError(
            "the programs of this launch line use Open MPI and MPICH (one tool library serves "
            "one of them). Launch them apart."
        )
    if not of_programs:
        return of_launcher or _give_up(line)
    family = of_programs.pop()
    if of_launcher not in (None, family):
        _refuse_mixture(line, family, of_launcher)
    return family


def _named(name: str) -> Family:
    try:
        return Family(name.casefold())
    except ValueError:
        hint = suggestion(name, list(Family))
        raise UsageError(f"no MPI family '{name}' (tools exist for two). {hint}") from None


def _family_of_part(line: LaunchLine, part: Part) -> Family | None:
    """Family of the first word that is linked to MPI: `env A=b ./app` starts ./app in the end."""
    for word in line.command(part):
        program = resolve_program(word)
        library = mpi_library(program) if program else None
        if library:
            return _interface(word, library)
    return None


def _interface(word: str, library: MpiLibrary) -> Family:
    if library.interface is not None:
        return Family(library.interface)
    raise UsageError(
        f"{word} uses the MPI library {library.path} (its handles are neither Open MPI's nor "
        "MPICH's, which tools are made for). Build it with the mpicc of one of those two, not with "
        "that of the standard binary interface (mpicc_abi)."
    )


def _family_of_launcher(line: LaunchLine) -> Family | None:
    if line.launcher is None or line.by_srun:
        return None
    word = line.words[line.launcher]
    program = resolve_program(word)
    if program is None:
        raise MissingEnvironmentError(
            f"launcher '{word}' was not found (it is neither a file nor on the PATH). "
            "Install it, e.g. apt-get install openmpi-bin, or name its path."
        )
    known = identify_mpirun(program)
    return Family(known.family) if known else None


def _refuse_mixture(line: LaunchLine, family: Family, of_launcher: Family | None) -> None:
    launcher = line.words[line.launcher or 0]
    title = of_launcher.label if of_launcher else "another MPI"
    raise UsageError(
        f"the program is linked to {family.label}, but {launcher} belongs to {title} (every rank "
        f"would run alone). Launch it with {family.label}'s mpirun, e.g. mpirun.{family}."
    )


def _give_up(line: LaunchLine) -> Family:
    word = line.words[line.parts[0].program]
    if resolve_program(word) is None:
        raise UsageError(
            f"there is no program '{word}' (neither a file nor on the PATH). Correct the launch "
            "line."
        )
    program = Path(word).name
    raise UsageError(
        f"cannot tell which MPI library '{program}' uses (it is not linked to one, and no mpirun "
        "is on the line). Name it: --mpi openmpi or --mpi mpich."
    )
