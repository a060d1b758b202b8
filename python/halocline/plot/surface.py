# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the boundary surface of a mesh: quadrilaterals by group, or bare boundary nodes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.mesh.folder import group_names, require_dataset
from halocline.plot.arrays import Floats, Ints
from halocline.plot.rows import read_rows

LARGEST = 1e100
SMALLEST_ANGLE_RAD = 1e-3


@dataclass(frozen=True)
class Surface:
    """Boundary of a mesh; `quads` counts in rows of `points`, which are mesh nodes `nodes`."""

    points: Floats
    nodes: Ints
    quads: Ints
    groups: Ints
    group_names: dict[int, str]
    axis: Floats | None
    angle_rad: float | None
    length_unit: str
    shape: str
    mesh_nodes: int


def read_surface(file: Path, base_index: int) -> Surface:
    """Read the boundary of a level file.

    A file without `bnd_quads` (one not made by halocline) gives no quadrilaterals but its
    boundary nodes, to be drawn as points.
    """
    with hdf5.opened(file) as handle:
        return _read(file, handle, base_index)


def _read(file: Path, handle: h5py.File, base_index: int) -> Surface:
    coordinates = require_dataset(file, handle, "node_coordinates")
    nodes, quads, groups = _boundary(file, handle, base_index, int(coordinates.shape[0]))
    points = read_rows(coordinates, nodes)
    if not bool(np.all(np.abs(points) < LARGEST)):
        raise InvalidInputError(
            f"{file}: node_coordinates of the boundary are not finite, or beyond {LARGEST:g}. "
            "See `halocline mesh check`."
        )
    values = hdf5.attributes(handle)
    angle = hdf5.numbers_of(values, "periodic_angle_rad", 1)
    axis = hdf5.numbers_of(values, "rotation_axis", 3)
    turns = angle is not None and axis is not None and axis.any() and angle[0] > SMALLEST_ANGLE_RAD
    return Surface(
        points=points,
        nodes=nodes,
        quads=quads,
        groups=groups,
        group_names=group_names(values),
        axis=axis if turns else None,
        angle_rad=float(angle[0]) if turns and angle is not None else None,
        length_unit=hdf5.text_of(values, "length_unit"),
        shape=hdf5.text_of(values, "shape"),
        mesh_nodes=int(coordinates.shape[0]),
    )


def _boundary(
    file: Path, handle: h5py.File, base_index: int, mesh_nodes: int
) -> tuple[Ints, Ints, Ints]:
    """Return (mesh nodes, quadrilaterals in rows of these, groups of quadrilaterals or nodes)."""
    if hdf5.find(handle, "bnd_quads") is not None:
        corners, groups = _whole(file, handle, "bnd_quads"), _whole(file, handle, "bnd_quad_group")
    else:
        corners = _whole(file, handle, "bnd_node-->node")
        groups = _whole(file, handle, "bnd_node-->group")
    corners, groups = corners - base_index, groups.ravel()
    if len(groups) != len(corners):
        raise InvalidInputError(f"{file}: groups and members of the boundary differ in number.")
    if corners.size and (corners.min() < 0 or corners.max() >= mesh_nodes):
        raise InvalidInputError(
            f"{file}: the boundary names nodes beyond the {mesh_nodes:,} of the mesh "
            f"(base_array_index is {base_index}). See `halocline mesh check`."
        )
    if corners.shape[1] == 4:
        nodes, quads = np.unique(corners, return_inverse=True)
        return nodes, quads.reshape(corners.shape), groups
    nodes, first = np.unique(corners.ravel(), return_index=True)
    return nodes, np.empty((0, 4), dtype=np.int64), groups[first]


def _whole(file: Path, handle: h5py.File, name: str) -> Ints:
    """Return a data set of integers as (rows, columns)."""
    data = require_dataset(file, handle, name)
    return np.asarray(data, dtype=np.int64).reshape(data.shape[0], -1)
