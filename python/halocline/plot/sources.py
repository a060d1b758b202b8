# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the run and the mesh that a folder or a list of files means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halocline.errors import InvalidInputError, UsageError
from halocline.record.store import RECORD_NAME
from halocline.results.checkpoint_file import checkpoint_prefix
from halocline.results.mesh import Mesh, open_mesh
from halocline.results.mgcfd_files import result_file
from halocline.results.opening import open_run
from halocline.results.run import Run
from halocline.results.vtkhdf_file import SUFFIX


def find_run(paths: Sequence[Path], mesh: Path | None) -> Run:
    """Sort out `paths`: a folder or prefix, or a file of results and a mesh file in any order.

    Args:
        paths: a results folder, a mesh folder, or files.
        mesh: mesh file or folder that overrides what the record says.

    Returns:
        A run; one without fields where only a mesh is named.
    """
    results = [path for path in paths if _is_result(path)]
    others = [path for path in paths if path.is_file() and path not in results]
    meshes = [path for path in others if path.name != RECORD_NAME]
    place = mesh or next(iter(meshes), None)
    rest = [path for path in paths if path not in meshes]
    if not rest and place is not None:
        return _only_mesh(place)
    if rest[0].is_dir() and not _has_results(rest[0]):
        return _only_mesh(place or rest[0])
    return open_run(next(iter(results), rest[0]), place)


def _is_result(path: Path) -> bool:
    if not path.is_file():
        return False
    named = result_file(path) is not None or checkpoint_prefix(path) is not None
    return named or path.suffix == SUFFIX


def _has_results(folder: Path) -> bool:
    return any(_is_result(path) or path.name.endswith(RECORD_NAME) for path in folder.iterdir())


def _only_mesh(place: Path) -> Run:
    return Run(place, [], dict(enumerate(open_mesh(place))))


def mesh_of(run: Run) -> Mesh:
    """Return the finest mesh of a run, or say how to name it."""
    try:
        return run.mesh(0)
    except UsageError:
        raise InvalidInputError(
            f"{run.path}: no mesh found (no results file, no run record and no input.dat there "
            "leads to one). Name it with --mesh."
        ) from None
