# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Distance of every node from the walls, and the wall node next to it.

The nearest wall node comes from a k-d tree; the distance is that to the boundary faces around it,
which are nearer than the node wherever it is not straight below.
"""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from halocline.mesh import groups
from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.edge_ways import images_near, unwrapped

ROWS = 200_000
"""Nodes worked on at a time."""
LEAF = 32
"""Wall nodes that the tree compares one by one."""
MOST_FACES = 64
"""Faces around a wall node that are looked at; meshes have about a tenth."""


@dataclass(frozen=True)
class Walls:
    """Wall nodes (W,), their places (W, 3), faces (F, 3 or 2, 3), those around each (W, most)."""

    nodes: Ints
    places: Floats
    faces: Floats
    around: Ints
    periods: Floats | None = None


@dataclass(frozen=True)
class WallRows:
    """Which boundary entries (B,) and boundary faces (F,) of a level are walls."""

    entries: Bools
    faces: Bools


def walls_by_group(handle: h5py.File) -> WallRows:
    """Return the rows of groups 0 to 2."""
    return WallRows(
        handle["bnd_node-->group"][...].ravel() <= groups.LAST_WALL,
        handle["bnd_quad_group"][...].ravel() <= groups.LAST_WALL,
    )


def add_wall_distance(handle: h5py.File, rows: WallRows) -> None:
    """Add `wall_distance` (N, 1) and `nearest_wall_node` (N, 1); nothing where there is no wall.

    Args:
        handle: a level file, open for writing; indices count from 0.
        rows: which of its boundary are walls.
    """
    if not rows.entries.any():
        return
    points = handle["node_coordinates"]
    count = points.shape[0]
    distances = handle.create_dataset("wall_distance", shape=(count, 1), dtype="f8")
    nearest = handle.create_dataset("nearest_wall_node", shape=(count, 1), dtype="i4")
    finder = WallFinder(walls_of(handle, rows))
    for first in range(0, count, ROWS):
        part = points[first : first + ROWS]
        distance, node = finder.find(part)
        distances[first : first + len(part), 0] = distance
        nearest[first : first + len(part), 0] = node


class WallFinder:
    """Answers how far places are from the walls."""

    def __init__(self, walls: Walls) -> None:
        from scipy.spatial import cKDTree

        self._walls = walls
        periods = np.zeros(3) if walls.periods is None else walls.periods
        self._corner = np.where(periods > 0.0, walls.places.min(axis=0), 0.0)
        self._box = np.where(periods > 0.0, periods, 0.0)
        boxsize = None if walls.periods is None else self._box
        self._tree = cKDTree(self._in_box(walls.places), LEAF, boxsize=boxsize)

    def find(self, places: Floats) -> tuple[Floats, Ints]:
        """Return distances (n,) from the walls and the nearest wall nodes (n,)."""
        distance, at = self._tree.query(self._in_box(places))
        off = np.flatnonzero(distance > 0.0)
        for column in self._walls.around[at].T:
            rows = off[column[off] >= 0]
            if len(rows):
                faces = self._walls.faces[column[rows]]
                here = images_near(places[rows], faces[:, 0], self._walls.periods)
                distance[rows] = np.minimum(distance[rows], _distance(here, faces))
        return distance, self._walls.nodes[at]

    def _in_box(self, places: Floats) -> Floats:
        """Places within one period, as the tree needs them."""
        if self._walls.periods is None:
            return places
        moved = places - self._corner
        return np.where(self._box > 0.0, np.mod(moved, np.maximum(self._box, 1e-300)), moved)


def walls_of(handle: h5py.File, rows: WallRows) -> Walls:
    """Return the walls of a level."""
    nodes = np.unique(handle["bnd_node-->node"][...].ravel()[rows.entries])
    corners = _simplices(handle["bnd_quads"][...][rows.faces])
    places = _rows_of(handle["node_coordinates"], nodes)
    local = np.searchsorted(nodes, corners)
    periods = np.asarray(handle.attrs["periods"]) if "periods" in handle.attrs else None
    faces = unwrapped(places[local], periods)
    return Walls(nodes.astype(np.int64), places, faces, _around(local, len(nodes)), periods)


def _simplices(quads: Ints) -> Ints:
    """Faces (F, 4) as triangles (n, 3), or as lines (n, 2) where all are lines."""
    if (quads[:, 1:2] == quads[:, 2:]).all():
        return quads[:, :2]
    whole = quads[:, 2] != quads[:, 3]
    return np.concatenate([quads[:, :3], quads[whole][:, [0, 2, 3]]])


def _rows_of(dataset: h5py.Dataset, rows: Ints) -> Floats:
    """Return some rows of a large dataset, rows in ascending order."""
    found = np.empty((len(rows), dataset.shape[1]))
    for first in range(0, dataset.shape[0], 10 * ROWS):
        begin, end = np.searchsorted(rows, [first, first + 10 * ROWS])
        if begin < end:
            found[begin:end] = dataset[first : first + 10 * ROWS][rows[begin:end] - first]
    return found


def _around(corners: Ints, nodes: int) -> Ints:
    """Faces (nodes, most) around each node, filled up with -1."""
    k = corners.shape[1]
    first_at = np.ones(corners.shape, dtype=bool)
    first_at[:, 1:] = corners[:, 1:] != corners[:, :-1]
    rows = np.flatnonzero(first_at.ravel())
    order = rows[np.argsort(corners.ravel()[rows], kind="stable")]
    node, face = corners.ravel()[order], order // k
    counts = np.bincount(node, minlength=nodes)
    most = min(int(counts.max(initial=0)), MOST_FACES)
    column = np.arange(len(node)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full((nodes, most), -1, dtype=np.int64)
    kept = column < most
    table[node[kept], column[kept]] = face[kept]
    return table


def _distance(places: Floats, faces: Floats) -> Floats:
    """Distance of places (n, 3) from triangles (n, 3, 3) or lines (n, 2, 3)."""
    if faces.shape[1] == 2:
        return _from_line(places, faces[:, 0], faces[:, 1])
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    sides = ((a, b), (b, c), (c, a))
    nearest: Floats = np.minimum.reduce([_from_line(places, one, other) for one, other in sides])
    normal = np.cross(b - a, c - a)
    size = np.sqrt((normal * normal).sum(axis=1))
    normal /= np.where(size > 0.0, size, 1.0)[:, None]
    above = np.ones(len(places), dtype=bool)
    for one, other in sides:
        above &= (np.cross(other - one, places - one) * normal).sum(axis=1) >= 0.0
    height = np.abs(((places - a) * normal).sum(axis=1))
    return np.where(above & (size > 0.0), height, nearest)


def _from_line(places: Floats, one: Floats, other: Floats) -> Floats:
    along = other - one
    length = (along * along).sum(axis=1)
    part = ((places - one) * along).sum(axis=1) / np.where(length > 0.0, length, 1.0)
    way = places - (one + np.clip(part, 0.0, 1.0)[:, None] * along)
    result: Floats = np.sqrt((way * way).sum(axis=1))
    return result
