# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Opens a mesh folder: input.dat, the level files, and the names of the datasets in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray

CHUNK_ROWS = 2_000_000
LEVEL_NUMBER = re.compile(r"[0-9]{1,9}")
INPUT_FILE = "input.dat"
SHAPES: dict[str, tuple[int, str]] = {
    "node_coordinates": (3, "f"),
    "edge-->node": (2, "i"),
    "edge_weights": (3, "f"),
    "bnd_node-->node": (1, "i"),
    "bnd_node-->group": (1, "i"),
    "bnd_node_weights": (3, "f"),
    "node-->mg_node": (1, "i"),
    "areas": (1, "f"),
    "periodic_node_pairs": (2, "i"),
    "bnd_quads": (4, "i"),
    "bnd_quad_group": (1, "i"),
    "edge_stiffness": (1, "f"),
    "edge_vectors": (3, "f"),
    "diagonal-->node": (2, "i"),
    "diagonal_stiffness": (1, "f"),
    "diagonal_vectors": (3, "f"),
    "edge_faces": (3, "f"),
    "diagonal_faces": (3, "f"),
    "wall_distance": (1, "f"),
    "nearest_wall_node": (1, "i"),
}
"""Columns and kind (float or integer) of the datasets of a level."""

REQUIRED = (
    "node_coordinates",
    "edge-->node",
    "edge_weights",
    "bnd_node-->node",
    "bnd_node-->group",
    "bnd_node_weights",
)
ALIASES = {
    "node_coordinates": "node_coordinates.renumbered",
    "edge-->node": "edge-->node.renumbered",
    "edge_weights": "edge_weights.recalculated",
    "bnd_node-->node": "bnd_node-->node.renumbered",
    "node-->mg_node": "node-->mg_node.renumbered",
}
"""Names in MG-CFD's legacy mode."""


@dataclass(frozen=True)
class MeshFolder:
    """A mesh: its level files, finest first, and the index that maps count from (0 or 1)."""

    path: Path
    files: tuple[Path, ...]
    base: int


def open_folder(path: Path) -> MeshFolder:
    """Read input.dat of a mesh folder (or the file itself, under any name).

    Raises:
        InvalidInputError: missing or contradictory, naming file and key.
    """
    index = path / INPUT_FILE if path.is_dir() else path
    if not index.is_file():
        raise InvalidInputError(
            f"{path}: no {INPUT_FILE} found, so this is not a mesh folder."
            " Name a folder that `halocline mesh make` wrote, or an input file of MG-CFD."
        )
    keys, files = _parse(index)
    levels = _integer(index, keys, "num_levels", None)
    base = _integer(index, keys, "base_array_index", 1)
    if base not in (0, 1):
        raise InvalidInputError(f"{index}: base_array_index = {base} must be 0 or 1. Correct it.")
    if levels != len(files) or sorted(files) != list(range(len(files))) or levels < 1:
        raise InvalidInputError(
            f"{index}: num_levels = {levels}, but [levels] lists {sorted(files)}."
            " List each level from 0 on once."
        )
    paths = tuple(index.parent / files[level] for level in range(levels))
    return MeshFolder(path, paths, base)


@dataclass(frozen=True)
class OpenLevel:
    """A level file and its attributes, for whose reading a process is started."""

    handle: h5py.File
    attributes: dict[str, Any]


@contextmanager
def open_level(file: Path) -> Iterator[h5py.File]:
    """Open a level file for reading, or say in a sentence why that fails."""
    if not file.is_file():
        raise InvalidInputError(
            f"{file}: the level file does not exist. Copy it or remake the mesh."
        )
    with hdf5.opened(file, "Remake the mesh.") as handle:
        yield handle


def find_dataset(handle: h5py.File, name: str) -> Any | None:
    """Dataset under its default name, else its legacy name, else None."""
    for candidate in (name, ALIASES.get(name)):
        found = None if candidate is None else hdf5.find(handle, candidate)
        if found is not None:
            return found
    return None


def form_of(name: str) -> str:
    """Return in words what a dataset of a level has to hold."""
    columns, kind = SHAPES[name]
    return f"{columns} columns of {'real' if kind == 'f' else 'integer'} numbers"


def has_form(name: str, dataset: Any) -> bool:
    """Whether a dataset has the columns and the kind of numbers that its name stands for."""
    columns, kind = SHAPES[name]
    shape = dataset.shape
    if shape is None or len(shape) not in (1, 2) or hdf5.kind(dataset) != kind:
        return False
    return bool((1 if len(shape) == 1 else shape[1]) == columns)


def require_dataset(file: Path, handle: h5py.File, name: str) -> Any:
    """Return a dataset of the right form, all of it written, or say what is wrong with it."""
    dataset = find_dataset(handle, name)
    if dataset is None:
        raise InvalidInputError(
            f"{file}: the dataset '{name}' is missing. See `halocline mesh check` for the rest."
        )
    if not has_form(name, dataset):
        raise InvalidInputError(
            f"{file}: the dataset '{name}' does not hold {form_of(name)}. See "
            "`halocline mesh check` for the rest."
        )
    return hdf5.require_numbers(dataset)


def group_names(attributes: dict[str, Any]) -> dict[int, str]:
    """Return the names of boundary groups that a level file stores, empty where it stores none."""
    try:
        names = json.loads(hdf5.text_of(attributes, "bnd_group_names", "{}"))
        return {int(group): str(name) for group, name in names.items()}
    except (AttributeError, RecursionError, ValueError):
        return {}


def chunks(dataset: Any, rows: int = CHUNK_ROWS) -> Iterator[tuple[int, AnyArray]]:
    """Yield (first row, rows) of a dataset; one-dimensional ones as a single column."""
    for first in range(0, dataset.shape[0], rows):
        part = dataset[first : first + rows]
        yield first, part.reshape(len(part), -1)


def _parse(index: Path) -> tuple[dict[str, str], dict[int, str]]:
    keys: dict[str, str] = {}
    files: dict[int, str] = {}
    section = ""
    try:
        lines = index.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidInputError(
            f"{index}: is not an index of a mesh (it is not text). "
            "Give the folder of the mesh, or the input.dat in it."
        ) from error
    except OSError as error:
        raise InvalidInputError(f"{index}: cannot be read ({error}).") from error
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text.startswith("["):
            section = text
        elif section in ("", "[levels]") and text and not text.startswith("#"):
            key, equals, value = (part.strip() for part in text.partition("="))
            if not equals or (section and LEVEL_NUMBER.fullmatch(key) is None):
                raise InvalidInputError(f"{index}: line {number} '{text}' is not 'key = value'.")
            if section:
                files[int(key)] = value
            else:
                keys[key] = value
    return keys, files


def _integer(index: Path, keys: dict[str, str], key: str, default: int | None) -> int:
    if key not in keys:
        if default is None:
            raise InvalidInputError(f"{index}: the key '{key}' is missing. Add '{key} = <number>'.")
        return default
    try:
        return int(keys[key])
    except ValueError:
        raise InvalidInputError(f"{index}: {key} = '{keys[key]}' is not a whole number.") from None
