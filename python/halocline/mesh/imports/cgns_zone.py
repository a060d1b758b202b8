# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of a CGNS file in the HDF5 mapping, and a zone while it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.imports.source import broken


@dataclass
class Table:
    """Elements of one kind: corners (n, k) and their numbers in the zone (n,)."""

    kind: str
    corners: AnyArray
    numbers: Ints
    section: str


@dataclass
class Zone:
    """A zone while it is read; node numbers count from `first_node`.

    `shape`: nodes along i, j, k of a structured zone; empty for others.
    """

    path: Path
    group: Any
    first_node: int
    points: Floats
    tables: list[Table] = field(default_factory=list)
    ngon: dict[int, tuple[AnyArray, Ints]] = field(default_factory=dict)
    ngon_section: str = ""
    nface: tuple[Ints, Ints] | None = None
    shape: tuple[int, ...] = ()


def zone_points(path: Path, name: str, zone: Any) -> Floats:
    """Return the coordinates (N, 3) of a zone."""
    grid = child(zone, "GridCoordinates_t")
    columns = []
    for axis in "XYZ":
        node = None if grid is None else grid.get(f"Coordinate{axis}")
        if node is not None:
            columns.append(np.asarray(values_of(node), dtype=np.float64).ravel())
    if len(columns) < 2 or len({len(column) for column in columns}) != 1:
        raise broken(path, f"zone '{name}' has no CoordinateX, Y, Z of equal length")
    points = np.zeros((len(columns[0]), 3))
    for number, column in enumerate(columns):
        points[:, number] = column
    return points


def children(group: Any, label: str) -> Iterator[tuple[str, Any]]:
    """Yield name and node of all children with a label."""
    for name in group:
        node = group.get(name) if isinstance(name, str) else None
        if isinstance(node, h5py.Group) and label_of(node) == label:
            yield name, node


def child(group: Any, label: str) -> Any | None:
    """Return the first child with a label; None where there is none."""
    return next((node for _, node in children(group, label)), None)


def label_of(node: Any) -> str:
    """Return the label of a node."""
    value = node.attrs.get("label", b"")
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def dataset_of(node: Any) -> Any:
    """Return where the data of a node lie."""
    found = hdf5.find(node, " data")
    if found is None:
        raise broken(Path(node.file.filename), f"'{node.name}' holds no data")
    return hdf5.require_numbers(found)


def values_of(node: Any) -> AnyArray:
    """Return the data of a node."""
    return np.asarray(dataset_of(node)[...])


def text_of(node: Any | None) -> str:
    """Return the words in a node; "" where there are none."""
    if node is None or hdf5.find(node, " data") is None:
        return ""
    return bytes(np.asarray(values_of(node)).astype(np.uint8)).decode(errors="replace").strip("\0 ")
