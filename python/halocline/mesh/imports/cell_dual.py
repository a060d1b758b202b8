# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median dual of cells of any kind, added up block by block from the parts that cells give.

All parts of the dual face of an edge contain its midpoint, and parts of boundary faces contain
their node, so that dual volumes are sums of (x_b - x_a).n_ab / 6 over edges (in two dimensions
areas, / 4), as element_dual.py derives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.files.output_file import output_error
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.face_shares import face_shares, line_shares
from halocline.mesh.imports.blocks import Block, Parts, Resources, in_processes
from halocline.mesh.imports.edge_parts import CellDual, parts_of_edges
from halocline.mesh.imports.face_faults import BoundaryFaces
from halocline.mesh.imports.row_keys import grouped, numbered

STEP = 1 << 21
"""Edges looked at together; fixed, so that sums always have the same order."""


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


def edges_of_cells(
    cells: CellDual, blocks: list[Block], resources: Resources
) -> tuple[AnyArray, Floats]:
    """Return all edges (E, 2), lower node first and ordered by it, and their vectors (E, 3)."""
    if len(blocks) == 1:
        return _join(cells, blocks[0])
    try:
        return _joined_on_disk(cells, blocks, resources)
    except OSError as error:
        raise output_error(resources.folder, error) from error


def _joined_on_disk(
    cells: CellDual, blocks: list[Block], resources: Resources
) -> tuple[AnyArray, Floats]:
    ends = Parts(resources.folder, len(blocks), 2, "i4")
    vectors = Parts(resources.folder, len(blocks), 3, "f8")

    def work(number: int) -> None:
        edges, of = _join(cells, blocks[number])
        ends.write(number, edges)
        vectors.write(number, of)

    in_processes(work, len(blocks), resources.processes)
    return ends.joined(), vectors.joined()


def _join(cells: CellDual, block: Block) -> tuple[AnyArray, Floats]:
    """Add up the parts of the edges whose lower node lies in a block."""
    nodes = cells.points.shape[1]
    keys, parts = [np.empty(0, np.int64)], [np.empty((3, 0))]
    for found, of in parts_of_edges(cells, block):
        keys.append(found)
        parts.append(of)
    every = np.concatenate(keys)
    keys.clear()
    if len(every) == 0:
        return np.empty((0, 2), np.int32), np.empty((0, 3))
    order, starts = grouped(every)
    values = every[order[starts[:-1]]]
    del every
    at = numbered(order, starts)
    del order
    vectors = np.empty((len(values), 3))
    for axis in range(3):
        along = np.concatenate([part[axis] for part in parts])
        vectors[:, axis] = np.bincount(at, along, minlength=len(values))
    return np.stack([values // nodes, values % nodes], axis=1).astype(np.int32), vectors


def dual_of(
    cells: CellDual,
    faces: dict[int, BoundaryFaces],
    edges: tuple[AnyArray, Floats],
) -> Dual:
    """Return the median dual of a mesh from its edges and boundary faces."""
    points = cells.source.points
    ends, vectors = edges
    flat = cells.source.dimension == 2
    volumes = np.zeros(len(points))
    for start in range(0, len(ends), STEP):
        part = ends[start : start + STEP]
        along = points[part[:, 1]] - points[part[:, 0]]
        along *= vectors[start : start + STEP]
        shares = along.sum(axis=1) / (4.0 if flat else 6.0)
        for end in (0, 1):
            volumes += np.bincount(part[:, end], shares, minlength=len(points))
    nodes, patches, inward = _boundary(points, faces, flat=flat)
    return Dual(points, ends, vectors, volumes, nodes, patches, inward)


def _boundary(
    points: Floats, faces: dict[int, BoundaryFaces], *, flat: bool
) -> tuple[AnyArray, AnyArray, Floats]:
    """Return nodes, patches and inward vectors of the boundary entries, boundary by boundary."""
    nodes, patches = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    inward = [np.empty((0, 3))]
    for k, found in faces.items():
        corners = points[found.nodes]
        shares = line_shares(corners) if flat else face_shares(corners)
        nodes.append(found.nodes.ravel().astype(np.int64))
        patches.append(np.repeat(found.patch, k).astype(np.int64))
        inward.append(-shares.reshape(-1, 3))
    keys = np.concatenate(patches) * len(points) + np.concatenate(nodes)
    if len(keys) == 0:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty((0, 3))
    order, starts = grouped(keys)
    values = keys[order[starts[:-1]]]
    return (
        (values % len(points)).astype(np.int32),
        (values // len(points)).astype(np.int32),
        np.add.reduceat(np.concatenate(inward)[order], starts[:-1]),
    )
