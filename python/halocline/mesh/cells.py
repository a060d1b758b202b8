# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of cells as level files keep them: names, corners in VTK's order, faces, volumes.

Node numbers count from 0 in every mesh. Pictures need cells; the solvers do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Bools, Floats, Ints

Face = tuple[int, ...]

PREFIX = "cells_"
CONVEX = "cells_convex_"


@dataclass(frozen=True)
class Kind:
    """A kind of cell: dataset, corners, and faces counter-clockwise seen from outside."""

    dataset: str
    corners: int
    faces: tuple[Face, ...]
    dimension: int = 3


TETRAHEDRON = Kind("cells_tetrahedron", 4, ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)))
PYRAMID = Kind("cells_pyramid", 5, ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)))
PRISM = Kind("cells_prism", 6, ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)))
"""VTK's wedge: the normal of its first triangle points towards the second, as faces, shape
functions and Jacobians of VTK 9.7 have it; older pages of VTK say the opposite."""
HEXAHEDRON = Kind(
    "cells_hexahedron",
    8,
    ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
)
TRIANGLE = Kind("cells_triangle", 3, ((0, 1, 2),), dimension=2)
QUADRILATERAL = Kind("cells_quadrilateral", 4, ((0, 1, 2, 3),), dimension=2)

KINDS = {
    kind.dataset: kind
    for kind in (TETRAHEDRON, PYRAMID, PRISM, HEXAHEDRON, TRIANGLE, QUADRILATERAL)
}
BY_CORNERS = {kind.corners: kind for kind in (TETRAHEDRON, PYRAMID, PRISM, HEXAHEDRON)}
FLAT_BY_CORNERS = {kind.corners: kind for kind in (TRIANGLE, QUADRILATERAL)}


def corners_of(dataset: str) -> int | None:
    """Return how many corners the cells of a dataset have; None where the name is not a kind."""
    if dataset in KINDS:
        return KINDS[dataset].corners
    convex = re.fullmatch(rf"{CONVEX}([0-9]{{1,4}})", dataset)
    return int(convex[1]) if convex else None


def cell_datasets(handle: h5py.File) -> dict[str, Any]:
    """Return all datasets of cells that a level file has, by name."""
    names = [name for name in handle if isinstance(name, str)]  # bytes where it is damaged
    found = {name: hdf5.find(handle, name) for name in names if name.startswith(PREFIX)}
    return {name: dataset for name, dataset in found.items() if dataset is not None}


def cell_counts(handle: h5py.File) -> dict[str, int]:
    """Return the number of cells of each kind, by the name of the kind."""
    counts = {}
    for name, dataset in cell_datasets(handle).items():
        if corners_of(name) is not None and dataset.shape:
            counts[name.removeprefix(PREFIX)] = int(dataset.shape[0])
    return counts


def cell_volumes(kind: Kind, nodes: Floats) -> Floats:
    """Return volumes of cells, or areas where the kind is flat; negative where turned inside out.

    A quadrilateral face is a bilinear patch, which holds the same volume as the four triangles
    about its centroid.

    Args:
        kind: of the cells.
        nodes: coordinates (n, corners, 3) of their corners.
    """
    if kind.dimension == 2:
        return _area_vectors(nodes)[:, 2]
    middle = nodes.mean(axis=1, keepdims=True)
    local = nodes - middle
    volumes = np.zeros(len(nodes))
    for face in kind.faces:
        corners = local[:, list(face)]
        volumes += (corners.mean(axis=1) * _area_vectors(corners)).sum(axis=1)
    volumes /= 3.0
    return volumes


def repeats_no_node(cells: Ints) -> Bools:
    """Whether the corners of each cell (n, corners) are all different."""
    ordered = np.sort(cells, axis=1)
    different: Bools = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return different


def pieces(dataset: Any, rows: int = 250_000) -> Iterator[tuple[int, Ints]]:
    """Yield (first row, rows) of a dataset of cells."""
    for first in range(0, dataset.shape[0], rows):
        yield first, dataset[first : first + rows].astype(np.int64)


def _area_vectors(corners: Floats) -> Floats:
    """Area vectors (n, 3) of triangles or quadrilaterals (n, 3 or 4, 3)."""
    across = corners[:, -1] - corners[:, 1] if corners.shape[1] == 4 else None
    if across is None:
        return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return 0.5 * np.cross(corners[:, 2] - corners[:, 0], across)
