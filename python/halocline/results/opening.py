# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds what a folder, a prefix or a file of results means, and makes one object of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from halocline.errors import HaloclineError, InvalidInputError
from halocline.record.store import RECORD_NAME, read_record
from halocline.results.checkpoint_file import Checkpoint, checkpoint_prefix, read_checkpoint
from halocline.results.field import Field
from halocline.results.mesh import Mesh, open_mesh
from halocline.results.mgcfd_files import ResultFile, fields_of, result_file
from halocline.results.run import Run
from halocline.results.series import flow_file, joined, of_one_run
from halocline.results.time_series import (
    SERIES_NAME,
    TimeSeries,
    is_series,
    read_time_series,
)
from halocline.results.vtkhdf_file import SUFFIX, ResultsFile, read_results_file

if TYPE_CHECKING:
    from halocline.record.model import Record


def open_run(path: str | os.PathLike[str], mesh: str | os.PathLike[str] | None = None) -> Run:
    """Open the results of a run; values are read when they are asked for.

    Args:
        path: folder of a run, the prefix of its files (`output/run1.`), one file of results, or
            a checkpoint.
        mesh: mesh folder or level file; by default that of the results file, else the one that
            the run record names.

    Returns:
        A `Run`: `run["density"].at(step=100)` is an array.

    Raises:
        InvalidInputError: there are no results, or they are damaged.
    """
    place = Path(path)
    files, prefix = _files(place)
    named = [found for file in files if (found := result_file(file)) is not None]
    folder = place if place.is_dir() else place.parent
    record = _record(folder, files, prefix)
    results = _results(files, record)
    fields = joined([field for found in results for field in found.fields])
    have = {(field.level, field.name) for field in fields}
    fields += [field for field in fields_of(named) if (field.level, field.name) not in have]
    saved = _checkpoint(place)
    if saved is not None:
        fields += saved.fields
    series = _series(files, prefix)
    if not fields and record is None and series is None:
        raise InvalidInputError(
            f"{place} holds no results (no *{SUFFIX}, no variables.L0.cycles=*.h5, no "
            f"{SERIES_NAME}, no {RECORD_NAME}). Name the output folder of a run."
        )
    return Run(
        place,
        sorted(fields, key=lambda field: field.level),
        _meshes(folder, results, record, Path(mesh) if mesh is not None else None),
        record=record,
        series=series,
        solver=_solver(results, record, named) or (saved.solver if saved else ""),
        time_unit=next((found.time_unit for found in results if found.time_unit), ""),
    )


def fields_over_time(folder: Path) -> list[Field]:
    """Return what the results files (`*.vtkhdf`) of a folder hold, and nothing else of it."""
    files, prefix = _files(folder)
    results = _results(files, _record(folder, files, prefix))
    return joined([field for found in results for field in found.fields])


def _results(files: list[Path], record: Record | None) -> list[ResultsFile]:
    series = [file for file in files if file.suffix == SUFFIX]
    return [read_results_file(file) for file in of_one_run(series, record)]


def _checkpoint(place: Path) -> Checkpoint | None:
    """Checkpoints are results where one is named; in a folder they repeat what others say."""
    if place.is_file() and checkpoint_prefix(place) is not None:
        return read_checkpoint(place)
    return None


def _series(files: list[Path], prefix: str) -> TimeSeries | None:
    named = [file for file in files if file.name == f"{prefix}{SERIES_NAME}"]
    return read_time_series(named[0]) if named else None


def _files(place: Path) -> tuple[list[Path], str]:
    """Return the files that are meant, and the prefix that their names share."""
    if place.is_file():
        return [place], _prefix(place)
    if place.is_dir():
        files = sorted(place.iterdir())
        prefixes = {found.prefix for file in files if (found := result_file(file)) is not None}
        prefixes |= {flow.prefix for file in files if (flow := flow_file(file)) is not None}
        if len(prefixes) > 1:
            names = ", ".join(f"'{place / prefix}'" for prefix in sorted(prefixes))
            raise InvalidInputError(
                f"{place} holds results of several runs. Name one of them by its prefix: {names}."
            )
        return files, next(iter(prefixes), "")
    if place.parent.is_dir():
        files = [
            file for file in sorted(place.parent.iterdir()) if file.name.startswith(place.name)
        ]
        if files:
            return files, place.name
    raise InvalidInputError(f"{place} does not exist. Check the path.")


def _prefix(file: Path) -> str:
    """Return what stands before the name that a run gives a file of this kind."""
    if is_series(file):
        return file.name.removesuffix(SERIES_NAME)
    named = result_file(file) or flow_file(file)
    return named.prefix if named is not None else checkpoint_prefix(file) or ""


def _record(folder: Path, files: list[Path], prefix: str) -> Record | None:
    """Return the record beside the results: with their prefix, else the only one."""
    named = [file for file in files if file.name.endswith(RECORD_NAME)]
    if not named:
        named = [file for file in (folder / f"{prefix}{RECORD_NAME}",) if file.is_file()]
    return read_record(named[0]) if len(named) == 1 else None


def _solver(results: list[ResultsFile], record: Record | None, named: list[ResultFile]) -> str:
    if record is not None:
        return record.settings.solver
    said = next((found.solver for found in results if found.solver), "")
    return said or ("mgcfd" if named else "")


def _meshes(
    folder: Path, results: list[ResultsFile], record: Record | None, mesh: Path | None
) -> dict[int, Mesh]:
    """Return the mesh of each level: as named, of the results file, or of the run record."""
    if mesh is not None:
        return dict(enumerate(open_mesh(mesh)))
    read = _mesh_read(folder, record)
    for found in results:
        for level, of_level in found.meshes.items():
            of_level.described_by = read.get(level)
    return {**read, **next((found.meshes for found in results if found.meshes), {})}


def _mesh_read(folder: Path, record: Record | None) -> dict[int, Mesh]:
    """Return the mesh beside the results, or that of the run record; nothing where it is gone."""
    for place in _mesh_places(folder, record):
        try:
            return dict(enumerate(open_mesh(place)))
        except HaloclineError:
            continue  # only who asks for it needs to know
    return {}


def _mesh_places(folder: Path, record: Record | None) -> list[Path]:
    beside = (
        [folder] if (folder / "input.dat").is_file() or (folder / "mesh.L0.h5").is_file() else []
    )
    if record is None:
        return beside
    return [*beside, Path(record.working_directory) / record.mesh.input]
