# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Structured zones of CGNS files as hexahedra, in two dimensions quadrilaterals.

Nodes are numbered with i running fastest, as SIDS lists them; the data of a zone are the numbers
of nodes, then of cells, along i, j, k. Conditions name ranges or lists of index triples, of nodes
or of faces (GridLocation IFaceCenter, JFaceCenter, KFaceCenter, FaceCenter).
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Ints
from halocline.mesh.imports.cgns_zone import Table, Zone, child, text_of, values_of, zone_points
from halocline.mesh.imports.source import broken

CORNERS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((0,), (1,)),
    2: ((0, 0), (1, 0), (1, 1), (0, 1)),
    3: ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
}
"""Corners of a cell by the number of its directions, in VTK's order."""
KINDS = {1: "", 2: "cells_quadrilateral", 3: "cells_hexahedron"}


def structured_zone(path: Path, name: str, group: Any, first_node: int) -> Zone:
    """Read a structured zone: its cells, and its sides as sections `imin` to `kmax`."""
    points = zone_points(path, name, group)
    shape = tuple(np.atleast_2d(values_of(group))[0].astype(np.int64).tolist())
    if len(shape) not in (2, 3) or min(shape) < 2 or int(np.prod(shape)) != len(points):
        raise broken(
            path,
            f"zone '{name}' has {len(points):,} coordinates, and {shape} nodes along its directions"
            " (it needs two or three of them, each with two nodes or more)",
        )
    zone = Zone(path, group, first_node, points, shape=shape)
    ids = np.arange(first_node, first_node + len(points), dtype=np.int32).reshape(shape, order="F")
    zone.tables.append(_table(ids, "cells"))
    for axis, letter in zip(range(len(shape)), "ijk", strict=False):
        for end, where in ((0, "min"), (-1, "max")):
            zone.tables.append(_table(ids.take(end, axis=axis), f"{letter}{where}"))
    return zone


def _table(ids: AnyArray, section: str) -> Table:
    """Return the cells between nodes whose numbers stand in an array of as many directions."""
    ends = (slice(None, -1), slice(1, None))
    corners = [ids[tuple(ends[end] for end in corner)] for corner in CORNERS[ids.ndim]]
    rows = np.stack([corner.ravel(order="F") for corner in corners], axis=1)
    return Table(KINDS[ids.ndim], rows, np.zeros(len(rows), dtype=np.int64), section)


def marked_nodes(zone: Zone, condition: Any) -> Bools:
    """Return which nodes (N,) a condition or connection of a structured zone lists."""
    dimensions = len(zone.shape)
    located = text_of(child(condition, "GridLocation_t")) or "Vertex"
    marked = np.zeros(zone.shape, dtype=bool)
    if "PointRange" in condition:
        ends = values_of(condition["PointRange"]).reshape(-1, dimensions).astype(np.int64)
        low, high = ends.min(axis=0) - 1, ends.max(axis=0)
        if located != "Vertex":
            high += _across(zone, located, np.stack([low, high - 1]))
        _require_inside(zone, condition, low, high - 1)
        marked[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] = True
    elif "PointList" in condition:
        rows = values_of(condition["PointList"]).reshape(-1, dimensions).astype(np.int64) - 1
        reach = _across(zone, located, rows) if located != "Vertex" else np.zeros(dimensions, int)
        for step in product(*(range(int(n) + 1) for n in reach)):
            at = rows + np.array(step)
            _require_inside(zone, condition, *((at.min(axis=0), at.max(axis=0)) if len(at) else ()))
            marked[tuple(at.T)] = True
    return marked.ravel(order="F")


def _across(zone: Zone, located: str, rows: Ints) -> Ints:
    """Return along which directions (1, else 0) faces reach from one node to the next."""
    axis = "IJK".find(located[:1]) if located[1:] == "FaceCenter" else -1
    if axis < 0:  # not said: that of which all have the last node, which no cell has, or the first
        shape = np.array(zone.shape)
        last, first = (rows == shape - 1).all(axis=0), (rows == 0).all(axis=0)
        axis = int((last if last.any() else first * shape).argmax())
    across = np.ones(len(zone.shape), dtype=np.int64)
    across[axis] = 0
    return across


def _require_inside(zone: Zone, condition: Any, *ends: Ints) -> None:
    if any((end < 0).any() or (end >= np.array(zone.shape)).any() for end in ends):
        raise broken(
            zone.path, f"'{condition.name}' names nodes beyond the {zone.shape} of its zone"
        )
