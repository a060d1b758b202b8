# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the boundary surface of a mesh: quadrilaterals by group, or bare boundary nodes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from halocline.errors import InvalidInputError
from halocline.plot.arrays import Floats, Ints
from halocline.plot.rows import read_rows


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
    try:
        with h5py.File(file, "r") as opened:
            return _read(opened, base_index)
    except OSError:
        raise InvalidInputError(f"{file} is not a readable HDF5 file. Is it complete?") from None
    except KeyError as error:
        raise InvalidInputError(f"{file}: {error.args[0]}. Is it a mesh level file?") from None


def _read(opened: h5py.File, base_index: int) -> Surface:
    if "bnd_quads" in opened:
        corners = np.asarray(opened["bnd_quads"], dtype=np.int64) - base_index
        groups = np.asarray(opened["bnd_quad_group"], dtype=np.int64).ravel()
        nodes, quads = np.unique(corners, return_inverse=True)
        quads = quads.reshape(corners.shape)
    else:
        entries = np.asarray(opened["bnd_node-->node"], dtype=np.int64).ravel() - base_index
        kinds = np.asarray(opened["bnd_node-->group"], dtype=np.int64).ravel()
        nodes, first = np.unique(entries, return_index=True)
        quads, groups = np.empty((0, 4), dtype=np.int64), kinds[first]
    coordinates = opened["node_coordinates"]
    attributes = opened.attrs
    names = json.loads(attributes.get("bnd_group_names", "{}"))
    axis = attributes.get("rotation_axis")
    angle = attributes.get("periodic_angle_rad")
    return Surface(
        points=read_rows(coordinates, nodes),
        nodes=nodes,
        quads=quads,
        groups=groups,
        group_names={int(group): str(name) for group, name in names.items()},
        axis=None if axis is None else np.asarray(axis, dtype=np.float64),
        angle_rad=None if angle is None else float(angle),
        length_unit=str(attributes.get("length_unit", "")),
        shape=str(attributes.get("shape", "")),
        mesh_nodes=int(coordinates.shape[0]),
    )
