# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Summarises a mesh folder: sizes, boundary groups, bounding boxes, how it was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.mesh.cells import cell_counts
from halocline.mesh.folder import (
    REQUIRED,
    chunks,
    find_dataset,
    group_names,
    open_folder,
    open_level,
    require_dataset,
)
from halocline.mesh.groups import kind


@dataclass(frozen=True)
class LevelInfo:
    """Sizes of one level; box is ((x, y, z) smallest, (x, y, z) largest); cells by kind.

    `diagonals` of the Laplacian: None where the level has no Laplacian.
    """

    file: str
    nodes: int
    edges: int
    boundary_entries: int
    groups: dict[int, int]
    periodic_pairs: int
    size_bytes: int
    box: tuple[tuple[float, ...], tuple[float, ...]]
    cells: dict[str, int] = field(default_factory=dict)
    diagonals: int | None = None


@dataclass(frozen=True)
class MeshInfo:
    """A mesh folder; origin holds the attributes that its maker stored."""

    folder: str
    base: int
    levels: list[LevelInfo]
    group_names: dict[int, str]
    group_kinds: dict[int, str]
    origin: dict[str, Any] = field(default_factory=dict)


def mesh_info(path: Path) -> MeshInfo:
    """Summarise a mesh folder without checking it.

    Raises:
        InvalidInputError: a file or dataset is missing.
    """
    folder = open_folder(path)
    levels = []
    origin: dict[str, Any] = {}
    for number, file in enumerate(folder.files):
        with open_level(file) as handle:
            levels.append(_level_info(file, handle))
            if number == 0:
                origin = hdf5.attributes(handle)
    names = group_names(origin)
    groups = sorted({group for level in levels for group in level.groups})
    return MeshInfo(
        folder=str(path),
        base=folder.base,
        levels=levels,
        group_names={group: names.get(group, "") for group in groups},
        group_kinds={group: kind(group) for group in groups},
        origin=origin,
    )


def _level_info(file: Path, handle: h5py.File) -> LevelInfo:
    data = {name: require_dataset(file, handle, name) for name in REQUIRED}
    pairs = find_dataset(handle, "periodic_node_pairs")
    return LevelInfo(
        file=file.name,
        nodes=int(data["node_coordinates"].shape[0]),
        edges=int(data["edge-->node"].shape[0]),
        boundary_entries=int(data["bnd_node-->node"].shape[0]),
        groups=_group_sizes(data["bnd_node-->group"]),
        periodic_pairs=int(pairs.shape[0]) if pairs is not None and pairs.shape else 0,
        size_bytes=file.stat().st_size,
        box=_bounding_box(data["node_coordinates"]),
        cells=cell_counts(handle),
        diagonals=_diagonals(handle),
    )


def _diagonals(handle: h5py.File) -> int | None:
    if find_dataset(handle, "edge_stiffness") is None:
        return None
    found = find_dataset(handle, "diagonal-->node")
    return int(found.shape[0]) if found is not None and found.shape else 0


def _group_sizes(dataset: Any) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for _, part in chunks(dataset):
        for group, count in zip(*np.unique(part, return_counts=True), strict=True):
            sizes[int(group)] = sizes.get(int(group), 0) + int(count)
    return dict(sorted(sizes.items()))


def _bounding_box(dataset: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for _, part in chunks(dataset):
        low, high = np.minimum(low, part.min(axis=0)), np.maximum(high, part.max(axis=0))
    return tuple(map(float, low)), tuple(map(float, high))
