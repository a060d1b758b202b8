# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median dual of cells of any kind, from their faces.

Every cell is the polyhedron whose faces are fans of triangles about the means of their corners.
The dual face of an edge consists, in each cell and for each of its two faces that meet there, of
the triangle edge midpoint m, face centroid f, cell centroid c. Where the corners a, b follow each
other around a face that is turned outwards of its owner o, with the neighbour n behind it, both
cells together give the edge from a to b

    (c_o - m) x (f - m) / 2 - (c_n - m) x (f - m) / 2 = (c_o - c_n) x (f - m) / 2,

and at the boundary the first term alone. In two dimensions the part is the line from m to c,
turned by a right angle. All parts contain m, and parts of boundary faces contain their node, so
that dual volumes are sums of (x_b - x_a).n_ab / 6 over edges (in two dimensions areas, / 4), as
element_dual.py derives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.imports.faces import FaceBlock
from halocline.mesh.imports.row_keys import grouped, numbered

STEP = 1_000_000
"""Faces worked on at a time."""


@dataclass
class Dual:
    """A level: edges (E, 2), their vectors (E, 3), dual volumes (N,), boundary entries.

    Entries, one for each node of each named boundary: nodes (B,), patches (B,), inward (B, 3).
    """

    points: Floats
    edges: AnyArray
    vectors: Floats
    volumes: Floats
    entry_nodes: AnyArray
    entry_patches: AnyArray
    entry_vectors: Floats


def dual_of(points: Floats, centres: Floats, blocks: dict[int, FaceBlock]) -> Dual:
    """Return the median dual of a mesh.

    Args:
        points: coordinates (N, 3).
        centres: centroids of the cells (M, 3).
        blocks: all faces by number of corners; 2 alone in two dimensions.
    """
    flat = set(blocks) == {2}
    edges, numbers = _edges(blocks, len(points))
    vectors = np.zeros((3, len(edges)))
    first = 0
    for k, block in blocks.items():
        size = len(block.nodes) * (1 if flat else k)
        mine = numbers[first : first + size].reshape(len(block.nodes), -1)
        first += size
        for start in range(0, len(mine), STEP):
            rows = slice(start, start + STEP)
            part = FaceBlock(block.nodes[rows], block.owner[rows], block.neighbour[rows],
                             block.patch[rows])  # fmt: skip
            add = _add_lines if flat else _add_triangles
            add(vectors, mine[rows], part, points, centres)
    along = points[edges[:, 1]] - points[edges[:, 0]]
    shares = np.einsum("ij,ji->i", along, vectors) / (4.0 if flat else 6.0)
    volumes = np.zeros(len(points))
    for end in (0, 1):
        volumes += np.bincount(edges[:, end], shares, minlength=len(points))
    del along, shares, numbers
    nodes, patches, inward = _boundary(points, blocks, flat=flat)
    return Dual(points, edges, np.ascontiguousarray(vectors.T), volumes, nodes, patches, inward)


def _edges(blocks: dict[int, FaceBlock], nodes: int) -> tuple[AnyArray, AnyArray]:
    """Return all edges, lower node first and ordered by it, and the edge of each side of a face."""
    keys = np.concatenate([_sides(block.nodes, nodes).ravel() for block in blocks.values()])
    order, starts = grouped(keys)
    values = keys[order[starts[:-1]]]
    del keys
    edges = np.stack([values // nodes, values % nodes], axis=1).astype(np.int32)
    return edges, numbered(order, starts)


def _sides(faces: AnyArray, nodes: int) -> Ints:
    """Keys (F, k) of the sides of faces; (F, 1) of faces that are lines."""
    if faces.shape[1] == 2:
        lines: Ints = faces.min(axis=1, keepdims=True).astype(np.int64) * nodes
        lines += faces.max(axis=1, keepdims=True)
        return lines
    keys = np.empty(faces.shape, dtype=np.int64)
    for side in range(faces.shape[1]):
        one, other = faces[:, side], faces[:, (side + 1) % faces.shape[1]]
        keys[:, side] = np.minimum(one, other)
        keys[:, side] *= nodes
        keys[:, side] += np.maximum(one, other)
    return keys


def _add_triangles(
    vectors: Floats, numbers: AnyArray, block: FaceBlock, points: Floats, centres: Floats
) -> None:
    k = block.nodes.shape[1]
    corners = points[block.nodes]
    middle = corners.mean(axis=1)
    inner = block.neighbour >= 0
    owner = centres[block.owner]
    behind = centres[block.neighbour]
    low, high = int(numbers.min()), int(numbers.max()) + 1
    total = np.zeros((3, high - low))
    for side in range(k):
        following = (side + 1) % k
        edge = 0.5 * (corners[:, side] + corners[:, following])
        other = np.where(inner[:, None], behind, edge)
        part = 0.5 * np.cross(owner - other, middle - edge)
        part[block.nodes[:, side] > block.nodes[:, following]] *= -1.0
        _scatter(total, numbers[:, side] - low, part)
    vectors[:, low:high] += total


def _add_lines(
    vectors: Floats, numbers: AnyArray, block: FaceBlock, points: Floats, centres: Floats
) -> None:
    ends = points[block.nodes]
    inner = block.neighbour >= 0
    other = np.where(inner[:, None], centres[block.neighbour], ends.mean(axis=1))
    line = centres[block.owner] - other
    part = np.stack([line[:, 1], -line[:, 0], np.zeros(len(line))], axis=1)
    part[block.nodes[:, 0] > block.nodes[:, 1]] *= -1.0
    _scatter(vectors, numbers[:, 0], part)


def _scatter(target: Floats, index: AnyArray, values: Floats) -> None:
    for component in range(len(target)):
        target[component] += np.bincount(index, values[:, component], minlength=target.shape[1])


def _boundary(
    points: Floats, blocks: dict[int, FaceBlock], *, flat: bool
) -> tuple[AnyArray, AnyArray, Floats]:
    """Return nodes, patches and inward vectors of the boundary entries, boundary by boundary."""
    nodes, patches, inward = [], [], []
    for k, block in blocks.items():
        outer = np.flatnonzero(block.outer)
        faces, of = block.nodes[outer], block.patch[outer]
        shares = _line_shares(points[faces]) if flat else _face_shares(points[faces])
        nodes.append(faces.ravel())
        patches.append(np.repeat(of, k))
        inward.append(-shares.reshape(-1, 3))
    keys = np.concatenate(patches).astype(np.int64) * len(points) + np.concatenate(nodes)
    order, starts = grouped(keys)
    values = keys[order[starts[:-1]]] if len(keys) else keys
    summed = np.add.reduceat(np.concatenate(inward)[order], starts[:-1]) if len(keys) else None
    vectors = np.empty((0, 3)) if summed is None else summed
    return (
        (values % len(points)).astype(np.int32),
        (values // len(points)).astype(np.int32),
        vectors,
    )


def _face_shares(corners: Floats) -> Floats:
    """Outward area vectors (F, k, 3) of the parts of faces that belong to their corners."""
    middle = corners.mean(axis=1, keepdims=True)
    across = 0.5 * (np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1))
    return 0.5 * np.cross(middle - corners, across)


def _line_shares(ends: Floats) -> Floats:
    along = 0.5 * (ends[:, 1] - ends[:, 0])
    normal = np.stack([along[:, 1], -along[:, 0], np.zeros(len(ends))], axis=1)
    return np.repeat(normal[:, None], 2, axis=1)
