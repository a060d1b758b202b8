# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the mesh file and the field file that a folder or a list of files means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import InvalidInputError
from halocline.mesh.folder import open_folder
from halocline.record.model import Record
from halocline.record.store import RECORD_NAME, read_record

FIELD_NAME = re.compile(r"variables\.L0\.(cycles?)=(\d+)\.h5$")


@dataclass(frozen=True)
class Sources:
    """Files behind one picture."""

    mesh: Path
    field: Path | None
    record: Record | None
    base_index: int


def find_sources(paths: Sequence[Path], mesh: Path | None) -> Sources:
    """Sort out `paths`: one folder, or a field file and a mesh file in any order.

    Args:
        paths: a results folder, a mesh folder, or files.
        mesh: mesh file or folder that overrides what the record says.
    """
    missing = next((path for path in paths if not path.exists()), None)
    if missing is not None:
        raise InvalidInputError(f"{missing} does not exist. Check the path.")
    folders = [path for path in paths if path.is_dir()]
    files = [path for path in paths if path.is_file()]
    field = next((path for path in files if FIELD_NAME.search(path.name)), None)
    if field is None and folders:
        field = newest_field(folders[0])
    others = [path for path in files if path != field and path.name != RECORD_NAME]
    record = _record_beside(field, folders)
    mesh_place = mesh or next(iter(others), None) or _mesh_place(folders, field, record)
    file, base_index = level_0_of(mesh_place)
    return Sources(file, field, record, base_index)


def newest_field(folder: Path) -> Path | None:
    """Return the field of the last cycle; an end-of-run file goes before an in-loop one."""
    found = [path for path in folder.glob("*.h5") if FIELD_NAME.search(path.name)]
    return max(found, key=lambda path: (field_cycle(path), ".cycles=" in path.name), default=None)


def field_cycle(field: Path) -> int:
    """Return the cycle in a field file's name."""
    match = FIELD_NAME.search(field.name)
    return int(match[2]) if match else 0


def _record_beside(field: Path | None, folders: list[Path]) -> Record | None:
    places = [*folders, *([field.parent] if field else [])]
    for place in places:
        records = sorted(place.glob(f"*{RECORD_NAME}"))
        if len(records) == 1:
            return read_record(records[0])
    return None


def _mesh_place(folders: list[Path], field: Path | None, record: Record | None) -> Path:
    for folder in [*folders, *([field.parent] if field else [])]:
        if (folder / "input.dat").is_file() or (folder / "mesh.L0.h5").is_file():
            return folder
    if record is not None:
        return Path(record.working_directory) / record.mesh.input
    where = folders[0] if folders else field
    raise InvalidInputError(
        f"{where}: no mesh found (no run record and no input.dat there). Name it with --mesh."
    )


def level_0_of(place: Path) -> tuple[Path, int]:
    """Return the finest level's file and the base of its indices.

    Args:
        place: a level file, an input.dat, or a folder with one of them.
    """
    if place.is_dir():
        inside = [place / "input.dat", place / "mesh.L0.h5"]
        found = next((path for path in inside if path.is_file()), None)
        if found is None:
            raise InvalidInputError(f"{place} holds no mesh (no input.dat). Check --mesh.")
        place = found
    if not place.is_file():
        raise InvalidInputError(f"mesh {place} does not exist. Name it with --mesh.")
    if place.suffix == ".h5":
        index = place.parent / "input.dat"
        return place, (open_folder(index).base if index.is_file() else 0)
    mesh = open_folder(place)
    return mesh.files[0], mesh.base
