# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From a point to what starts it: words, environment, folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError, MissingEnvironmentError
from halocline.launch.cores import usable_cores
from halocline.launch.layout import Layout
from halocline.launch.limited_run import Command
from halocline.launch.mesh_recipe import MeshJob
from halocline.launch.mpi import MpiLauncher, find_mpirun, launch_words
from halocline.launch.mpi_library import mpi_family
from halocline.launch.programs import find_program
from halocline.study.model import ProgramSection
from halocline.study.placeholders import filled, plain_text
from halocline.study.point import Point
from halocline.study.variables import check_binding, parameter_variables, transport_variables
from halocline.submit.program import brings_launcher


@dataclass(frozen=True)
class Launch:
    """What starts a run of a point; the same each time."""

    command: Command
    #: Whether the folder where it starts is its own, which is emptied before each run.
    owns_folder: bool
    files: tuple[Path, ...] = ()
    #: The program alone, without a launcher, and the case's settings: what a batch job is made of.
    program: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    mesh: MeshJob | None = None
    record: Path | None = None
    oversubscribed: bool = False


@dataclass(frozen=True)
class Place:
    """Where a study lies, for messages and relative paths."""

    source: str
    base: Path
    output: Path
    key: str
    submits: bool = False
    meshes: Path = field(default=Path("meshes"))


def launch_of(program: ProgramSection, point: Point, place: Place) -> Launch:
    """Return what starts a point; reads facts of the machine, changes nothing."""
    if program.case is not None:
        from halocline.study.case_launch import case_launch

        return case_launch(program, point, place)
    words = _command(program, point, place)
    environment = variables_of(program, point, place)
    folder, owns = folder_of(program, point, place)
    files = tuple(place.base / name for name in program.files)
    launched, oversubscribed = _launched(program, words, point, place)
    command = Command(launched, environment, folder)
    return Launch(command, owns, files, tuple(words), oversubscribed=oversubscribed)


def _command(program: ProgramSection, point: Point, place: Place) -> list[str]:
    source = f"{place.source}: key 'program.command'"
    values = {"ranks": 1, "threads": 1, **point.values}
    if program.programs:
        values["program"] = _program_word(program.programs, str(values.get("mpi", "")), place)
    words = [filled(word, values, source) for word in program.words]
    if not brings_launcher(words):
        words[0] = _absolute(words[0], place.base)
        if "/" in words[0] and not place.submits and not Path(words[0]).is_file():
            raise InvalidInputError(
                f"{source}: there is no program {words[0]}. Correct it; a path with blanks stands "
                "in quotes of its own, or `command` is a list of words."
            )
    return words


def _program_word(programs: Mapping[Any, str], mpi: str, place: Place) -> str:
    found = programs.get(mpi) if mpi else next(iter(programs.values()))
    if found is None:
        raise InvalidInputError(
            f"{place.source}: [program.programs] has none for '{mpi}', which 'mpi' asks for. "
            "Add it."
        )
    return _absolute(found, place.base)


def _absolute(word: str, base: Path) -> str:
    """Return a program's path from the study file's folder; a plain name is left to the PATH."""
    return str((base / word).absolute()) if "/" in word else word


def variables_of(program: ProgramSection, point: Point, place: Place) -> dict[str, str]:
    """Return the environment of a point beside that of halocline itself."""
    values = point.values
    source = f"{place.source}: key 'program.environment'"
    found = {
        name: filled(text, {"ranks": 1, "threads": 1, **values}, source)
        for name, text in program.environment.items()
    }
    if "threads" in values:
        found["OMP_NUM_THREADS"] = str(values["threads"])
    for name, value in values.items():
        if name.startswith("env."):
            found[name.removeprefix("env.")] = plain_text(value)
    transport, parameters = str(values.get("transport", "")), str(values.get("parameters", ""))
    if transport or parameters:
        family = values.get("mpi")
        launcher = mpirun_of(str(family) if family else None)
        found |= transport_variables(transport, launcher, place.source)
        found |= parameter_variables(parameters, launcher.family, place.source)
    return found


def folder_of(program: ProgramSection, point: Point, place: Place) -> tuple[Path, bool]:
    """Return where a run starts, and whether that folder is its own."""
    asked = point.values.get("folder")
    if asked:
        return (place.base / str(asked)).absolute() / f"halocline-{place.key}" / point.name, True
    if program.files or program.case is not None:
        return place.output / "work" / point.name, True
    return place.base.absolute(), False


def _launched(
    program: ProgramSection, words: list[str], point: Point, place: Place
) -> tuple[list[str], bool]:
    """Put mpirun in front, where the command brings no launcher and ranks are asked for."""
    own = brings_launcher(words) or program.launcher == "none"
    if own:
        _refuse_lost(point, place)
        return words, False
    if place.submits and point.values.get("binding"):
        raise InvalidInputError(
            f"{place.source}: 'binding' varies, but jobs are bound as their site says (it would "
            "have no effect). Leave it out, or set launch.bind_to in the site file."
        )
    wanted = {"ranks", "mpi", "binding", "transport", "parameters"} & point.values.keys()
    if place.submits or (program.launcher == "auto" and not wanted):
        return words, False
    family = point.values.get("mpi") or _family(words[0])
    launcher, oversubscribed = launcher_words(point, str(family) if family else None, place.source)
    return [*launcher, *words], oversubscribed


def _refuse_lost(point: Point, place: Place) -> None:
    """A variable that nobody reads would be reported to make no difference."""
    lost = [name for name in ("mpi", "binding") if point.values.get(name)]
    if lost:
        raise InvalidInputError(
            f"{place.source}: '{lost[0]}' varies, but the command starts its ranks itself (it "
            f"would have no effect). Leave mpirun out of 'program.command'."
        )


def launcher_words(point: Point, family: str | None, source: str) -> tuple[list[str], bool]:
    """Return mpirun's words for a point on this machine, and whether it has too few cores."""
    ranks, threads = point.number("ranks"), point.number("threads")
    oversubscribed = ranks * threads > usable_cores().cores
    asked = str(point.values.get("binding", ""))
    binding = check_binding(asked, source) if asked else None
    layout = Layout(ranks, threads, oversubscribed)
    return launch_words("mpirun", layout, family, (), binding), oversubscribed


@cache
def mpirun_of(family: str | None) -> MpiLauncher:
    """Return the mpirun of a family, or say that there is none."""
    found = find_mpirun(family)
    if found is None:
        raise MissingEnvironmentError(
            f"no mpirun of {family or 'any MPI'} was found (points of the study need one). Install "
            "it, e.g. apt-get install openmpi-bin or mpich, or leave it out of the study."
        )
    return found


@cache
def _family(word: str) -> str | None:
    program = find_program(word)
    return mpi_family(program) if program else None
