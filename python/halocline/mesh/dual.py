# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median dual of hexahedral cells: edge vectors, boundary vectors and dual volumes of a slab.

In every cell the dual face of an edge is the quadrilateral edge midpoint, face centroid, cell
centroid, face centroid. Quadrilaterals share their corner points bit for bit, so the dual cells
close to round-off whatever the shape of the cells. Volumes are those of trilinear cells, exactly,
by the divergence theorem over the same quadrilaterals (a bilinear patch of corners p0..p3 has
the integral of x.n equal to its mean corner times (p2-p0)x(p3-p1)/2).

Arrays of vectors are (3, ni, nj, nk): component first. (i, j, k) is right-handed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Bools, Floats


@dataclass(frozen=True)
class Family:
    """One boundary surface: part of the logical plane `axis` = `index`.

    `side` is +1 where the outward normal points along the axis, -1 against it. `mask` marks the
    cell faces that belong, in the order of the two remaining axes.
    """

    name: str
    group: int
    axis: int
    index: int
    side: int
    mask: Bools


@dataclass(frozen=True)
class CellPoints:
    """Nodes of a slab with centroids of its faces (one array an axis) and cells."""

    nodes: Floats
    faces: tuple[Floats, Floats, Floats]
    cells: Floats


def cell_points(nodes: Floats) -> CellPoints:
    """Compute the centroids of a slab of nodes (3, ni, nj, nk)."""
    by_i = _pair_mean(_pair_mean(nodes, 2), 3)
    by_j = _pair_mean(_pair_mean(nodes, 1), 3)
    by_k = _pair_mean(_pair_mean(nodes, 1), 2)
    return CellPoints(nodes, (by_i, by_j, by_k), _pair_mean(by_i, 1))


def edge_vectors(points: CellPoints, axis: int, active: Bools | None) -> tuple[Floats, Floats]:
    """Dual-face vectors of the edges along an axis.

    Args:
        points: nodes and centroids of the slab.
        axis: direction of the edges.
        active: cells that exist (None: all).

    Returns:
        vectors (3, ni, nj, nk) stored at the lower node, from the lower node to the upper, zero
        where no edge starts; and (ni, nj, nk) the integral of (x - edge midpoint).n over the face.
    """
    p, q = (axis + 1) % 3, (axis + 2) % 3
    order = (0, 1 + p, 1 + q, 1 + axis)
    nodes = points.nodes.transpose(order)
    face_p, face_q = points.faces[p].transpose(order), points.faces[q].transpose(order)
    cells = points.cells.transpose(order)
    middle = 0.5 * (nodes[..., 1:] + nodes[..., :-1])
    vectors, moments = np.zeros(points.nodes.shape), np.zeros(points.nodes.shape[1:])
    vectors_t = vectors.transpose(order)[..., :-1]
    moments_t = moments.transpose(p, q, axis)[..., :-1]
    exists = None if active is None else active.transpose(p, q, axis)
    for dp, dq in ((0, 0), (0, 1), (1, 0), (1, 1)):
        rows = slice(dp, dp + cells.shape[1])
        columns = slice(dq, dq + cells.shape[2])
        corner = middle[:, rows, columns]
        first, second = face_p[:, rows], face_q[:, :, columns]
        across = first - second if dp == dq else second - first
        area = half_cross(cells - corner, across)
        if exists is not None:
            area *= exists
        vectors_t[:, rows, columns] += area
        moments_t[rows, columns] += 0.5 * dot(second - corner, area)
    return vectors, moments


def add_edge_volumes(
    volumes: Floats, nodes: Floats, axis: int, vectors: Floats, moments: Floats
) -> None:
    """Add the share of the edges along an axis to the dual volumes (ni, nj, nk) of both ends."""
    low, high = _ends(axis)
    along = 0.5 * dot(
        nodes[(slice(None), *high)] - nodes[(slice(None), *low)], vectors[(slice(None), *low)]
    )
    volumes[low] += (along + moments[low]) / 3.0
    volumes[high] += (along - moments[low]) / 3.0


def boundary_vectors(
    points: CellPoints, family: Family, index: int, mask: Bools, volumes: Floats
) -> Floats:
    """Inward area vectors (3, n, m) of the nodes of a boundary surface; completes volumes.

    Args:
        points: nodes and centroids of the slab.
        family: the surface.
        index: its position along its axis within the slab.
        mask: faces of the slab that belong to it.
        volumes: dual volumes of the slab (ni, nj, nk); the surface's share is added.
    """
    nodes: Floats = np.take(points.nodes, index, axis=1 + family.axis)
    faces: Floats = np.take(points.faces[family.axis], index, axis=1 + family.axis)
    middle_b = 0.5 * (nodes[:, 1:] + nodes[:, :-1])
    middle_c = 0.5 * (nodes[:, :, 1:] + nodes[:, :, :-1])
    on_surface = np.moveaxis(volumes, family.axis, 0)[index, ...]
    inward = np.zeros(nodes.shape)
    handed = -family.side if family.axis == 1 else family.side
    n, m = mask.shape
    for db, dc in ((0, 0), (0, 1), (1, 0), (1, 1)):
        rows, columns = slice(db, db + n), slice(dc, dc + m)
        corner = nodes[:, rows, columns]
        along_b, along_c = middle_b[:, :, columns], middle_c[:, rows]
        area = half_cross(faces - corner, along_c - along_b)
        area *= mask * (handed if db == dc else -handed)
        inward[:, rows, columns] -= area
        on_surface[rows, columns] += dot(along_b - corner, area) / 6.0
    return inward


def _pair_mean(values: Floats, axis: int) -> Floats:
    low = (slice(None),) * axis + (slice(None, -1),)
    high = (slice(None),) * axis + (slice(1, None),)
    return 0.5 * (values[low] + values[high])


def _ends(axis: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    full = (slice(None),) * axis
    return (*full, slice(None, -1)), (*full, slice(1, None))


def dot(a: Floats, b: Floats) -> Floats:
    """Scalar products of two arrays of vectors (3, ...)."""
    result: Floats = a[0] * b[0]
    result += a[1] * b[1]
    result += a[2] * b[2]
    return result


def half_cross(a: Floats, b: Floats) -> Floats:
    """Halves of the vector products of two arrays of vectors (3, ...)."""
    result = np.empty_like(a)
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        component = result[x, ...]
        np.multiply(a[y], b[z], out=component)
        component -= a[z] * b[y]
    result *= 0.5
    return result
