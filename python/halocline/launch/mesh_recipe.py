# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Decides whether a case's mesh must be made first, and refuses a mesh made otherwise."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halocline.case.model import Case, MakeRecipe, MeshSection
from halocline.errors import InvalidInputError
from halocline.files.output_file import write_text
from halocline.launch.ourselves import own_command

STAMP_NAME = "recipe.json"


@dataclass(frozen=True)
class MeshJob:
    """A mesh to be made before the run."""

    command: list[str]
    folder: Path
    recipe: MakeRecipe
    input_file: Path

    def is_made(self) -> bool:
        """Whether somebody else has made it meanwhile."""
        return self.input_file.is_file()

    def write_stamp(self) -> None:
        """Leave the recipe beside the mesh, so that a changed recipe is noticed later."""
        text = json.dumps(self.recipe.model_dump(), indent=2)
        write_text(self.folder / STAMP_NAME, text + "\n")


def mesh_job(case: Case, base: Path, source: str) -> MeshJob | None:
    """Return what must be made, or None when the mesh is there.

    Args:
        case: its section [mesh] and what its solver needs of a mesh.
        base: folder that relative paths start from.
        source: name of the case file for messages.
    """
    mesh = case.mesh
    folder = base / mesh.directory
    if (folder / mesh.input).is_file():
        _refuse_other_recipe(mesh, folder, source)
        return None
    if mesh.make is None:
        raise InvalidInputError(
            f"{source}: keys 'mesh.directory' and 'mesh.input' lead to {folder / mesh.input}, "
            "which is missing. Correct them, or add [mesh.make] with shape, nodes and levels."
        )
    command = _make_command(mesh.make, folder, laplacian=case.solver.needs_laplacian)
    return MeshJob(command, folder, mesh.make, folder / mesh.input)


def _make_command(recipe: MakeRecipe, folder: Path, *, laplacian: bool) -> list[str]:
    words = own_command("mesh", "make", recipe.shape)
    words += ["--nodes", str(recipe.nodes), "--levels", str(recipe.levels)]
    if recipe.shuffle:
        words.append("--shuffle")
    if recipe.shuffle or recipe.perturb:
        words += ["--seed", str(recipe.seed)]
    words += ["--scaling", recipe.scaling]
    if recipe.stretch != 1.0:
        words += ["--stretch", str(recipe.stretch)]
    if recipe.elements != "hex":
        words += ["--elements", recipe.elements]
    if recipe.perturb:
        words += ["--perturb", str(recipe.perturb)]
    for option in ("aspect", "cells", "periodic"):
        if text := getattr(recipe, option):
            words += [f"--{option}", text]
    if recipe.dimension:
        words += ["--dimension", str(recipe.dimension)]
    if recipe.laplacian or laplacian:
        words.append("--laplacian")
    return [*words, "-o", str(folder)]


def _refuse_other_recipe(mesh: MeshSection, folder: Path, source: str) -> None:
    stamp = _read_stamp(folder)
    if mesh.make is None or stamp is None:
        return
    # Meshes from before a key was there were made as its default says.
    made = {key: field.default for key, field in MakeRecipe.model_fields.items()} | stamp
    changed = [key for key, value in mesh.make.model_dump().items() if made[key] != value]
    if not changed:
        return
    raise InvalidInputError(
        f"{source}: the mesh in {folder} was made with another recipe (mesh.make differs in "
        f"{', '.join(changed)}). Remove that folder or choose another mesh.directory."
    )


def _read_stamp(folder: Path) -> dict[str, Any] | None:
    try:
        data = json.loads((folder / STAMP_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None
