# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From a point to the run of a case: `--set` for keys, a mesh for each recipe."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from halocline.case.load import load_case
from halocline.errors import InvalidInputError
from halocline.launch.case_run import plan_run
from halocline.launch.limited_run import Command
from halocline.launch.mpi_library import mpi_family
from halocline.study.launch import Launch, Place, folder_of, launcher_words, variables_of
from halocline.study.model import ProgramSection
from halocline.study.point import Point, Value
from halocline.study.variables import CASE_KEYS

RECIPE = "mesh.make."


def case_launch(program: ProgramSection, point: Point, place: Place) -> Launch:
    """Return what starts the case of a point."""
    case_file = (place.base / str(program.case)).resolve()
    folder, _ = folder_of(program, point, place)
    settings = _settings(point, folder, place)
    plan = plan_run(load_case(case_file, settings), case_file, settings)
    words, oversubscribed = plan.command, plan.layout.oversubscribed
    if not place.submits and plan.case.parallel.launcher != "none":
        words, oversubscribed = _relaunched(words, point, place)
    environment = {**plan.environment, **variables_of(program, point, place)}
    return Launch(
        command=Command(words, environment, folder),
        owns_folder=True,
        program=(str(case_file),),
        settings=tuple(settings),
        mesh=plan.mesh,
        record=plan.record_file,
        oversubscribed=oversubscribed,
    )


def _relaunched(words: list[str], point: Point, place: Place) -> tuple[list[str], bool]:
    """Launch by mpirun at any number of ranks: what it costs counts at each scale alike."""
    start = next(at for at, word in enumerate(words) if Path(word).name == "halocline-solve")
    family = mpi_family(Path(words[start]))
    asked = point.values.get("mpi")
    if asked is not None and asked != family:
        raise InvalidInputError(
            f"{place.source}: 'mpi' is '{asked}', but {words[start]} is built with {family}. "
            "Build it with the other (HALOCLINE_MPI), and name it in a command."
        )
    launcher, oversubscribed = launcher_words(point, family, place.source)
    return [*launcher, *words[start:]], oversubscribed


def _settings(point: Point, folder: Path, place: Place) -> list[str]:
    """Return what `--set` is given: the point's keys, its layout, folders of its own."""
    keys: dict[str, Value] = {
        "parallel.ranks": point.number("ranks"),
        "parallel.threads": point.number("threads"),
    }
    for name, value in point.values.items():
        if name.startswith("case."):
            keys[name.removeprefix("case.")] = value
        elif name in CASE_KEYS:
            keys[CASE_KEYS[name]] = value
    recipe = {key: value for key, value in keys.items() if key.startswith(RECIPE)}
    if recipe:
        name = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:12]
        keys["mesh.directory"] = str(place.output / place.meshes / name)
    keys["output.directory"] = str(folder)
    return [f"{key}={json.dumps(value)}" for key, value in keys.items()]
