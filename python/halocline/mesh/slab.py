# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a slab of i-planes of the logical block into rows of the mesh file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.dual import (
    CellPoints,
    Family,
    add_edge_volumes,
    boundary_vectors,
    cell_points,
    edge_vectors,
)
from halocline.mesh.layout import MERGED, SPLIT, Layout

Coordinates = Callable[[Ints, Ints, Ints], Floats]
"""Node coordinates (3, ni, nj, nk) at lines of the finest level."""


@dataclass(frozen=True)
class Surface:
    """Rows of one boundary surface: nodes (B,), inward vectors (B, 3), quads (Q, 4)."""

    nodes: Ints
    vectors: Floats
    quads: Ints


@dataclass(frozen=True)
class Slab:
    """Rows of some i-planes: coordinates (N, 3), volumes (N,), edges (E, 2), vectors (E, 3)."""

    coordinates: Floats
    volumes: Floats
    edges: Ints
    edge_vectors: Floats
    surfaces: tuple[Surface, ...]


@dataclass(frozen=True)
class SurfacePlan:
    """Where the rows of a surface go: first entry and quad of each plane, and all entries."""

    family: Family
    touched: Bools
    node_offsets: Ints
    quad_offsets: Ints


def plan_surface(layout: Layout, family: Family) -> SurfacePlan:
    """Count the entries and quads of a surface plane by plane."""
    ni = layout.shape[0]
    touched = _touched(family.mask)
    if family.axis < 2:
        _merge_flags(layout, family, touched)
    if family.axis == 0:
        nodes, quads = np.zeros(ni, int), np.zeros(ni, int)
        nodes[family.index], quads[family.index] = touched.sum(), family.mask.sum()
    else:
        nodes = touched.sum(axis=1)
        quads = np.append(family.mask.sum(axis=1), 0)
    return SurfacePlan(family, touched, _offsets(nodes), _offsets(quads))


def make_slab(
    layout: Layout,
    coordinates: Coordinates,
    plans: list[SurfacePlan],
    offsets: Ints,
    planes: tuple[int, int],
) -> Slab:
    """Compute the rows that the planes first..last-1 own.

    Args:
        layout: lines of this level.
        coordinates: shape function.
        plans: the boundary surfaces.
        offsets: layout.plane_offsets().
        planes: (first, last) planes; one more on either side is computed along.
    """
    low, high = max(planes[0] - 1, 0), min(planes[1] + 1, layout.shape[0])
    i = np.arange(low, high)
    points = cell_points(coordinates(layout.i_lines[low:high], layout.j_lines, layout.k_lines))
    active = layout.active_cells(i[:-1])
    volumes = np.zeros(points.nodes.shape[1:])
    vectors = np.empty((3, *points.nodes.shape))
    for axis in range(3):
        vectors[axis], moments = edge_vectors(points, axis, active)
        add_edge_volumes(volumes, points.nodes, axis, vectors[axis], moments)
    ids = layout.node_ids(i, offsets)
    own = slice(planes[0] - low, planes[1] - low)
    surfaces = tuple(_surface(layout, points, plan, ids, volumes, low, own) for plan in plans)
    kinds = layout.column_kinds(i)
    if layout.blade is not None:
        _merge_band(volumes[None], kinds == MERGED, layout)
    keep = layout.first_copies(i[own])
    edges, edge_rows = _edges(layout, kinds, ids, vectors, own)
    nodes = np.moveaxis(points.nodes[:, own], 0, -1)[keep]
    return Slab(nodes, volumes[own][keep], edges, edge_rows, surfaces)


def _edges(
    layout: Layout, kinds: Ints, ids: Ints, vectors: Floats, own: slice
) -> tuple[Ints, Floats]:
    """Rows of the edges whose lower node lies in the own planes, ordered by that node."""
    upper = np.full((*ids.shape, 3), -1)
    upper[:, :, :-1, 0] = ids[:, :, 1:]
    upper[:, :-1, :, 1] = ids[:, 1:]
    upper[:-1, :, :, 2] = ids[1:]
    exists = (ids[..., None] >= 0) & (upper >= 0) & (upper != ids[..., None])
    if layout.blade is not None:
        _merge_edges(layout, kinds, vectors, exists)
    exists, upper, lower = exists[own], upper[own], ids[own]
    rows = np.empty((int(exists.sum()), 3))
    for component in range(3):
        stacked = np.stack([vectors[axis, component, own] for axis in (2, 1, 0)], axis=-1)
        rows[:, component] = stacked[exists]
    ends = np.empty((len(rows), 2), dtype=np.int64)
    ends[:, 0] = np.broadcast_to(lower[..., None], exists.shape)[exists]
    ends[:, 1] = upper[exists]
    return ends, rows


def _merge_edges(layout: Layout, kinds: Ints, vectors: Floats, exists: Bools) -> None:
    """Add up edges that became one between merged columns; drop those inside the blade."""
    blade = layout.blade
    assert blade is not None
    inner = slice(blade.k_lo + 1, blade.k_hi + 1)
    merged = kinds == MERGED
    both_i, both_j = merged.copy(), merged.copy()
    both_i[:-1] &= merged[1:]
    both_j[:, :-1] &= merged[:, 1:]
    for axis, both, slot in ((0, both_i, 2), (1, both_j, 1)):
        _merge_band(vectors[axis], both, layout)
        exists[:, :, inner, slot] &= ~both[:, :, None]
    exists[:, :, blade.k_lo : blade.k_hi, 0] &= (kinds != SPLIT)[:, :, None]


def _merge_band(values: Floats, columns: Bools, layout: Layout) -> None:
    """Sum the band k_lo..k_hi of the given columns onto k_lo; values (n, ni, nj, nk)."""
    blade = layout.blade
    assert blade is not None
    band = slice(blade.k_lo, blade.k_hi + 1)
    for component in values:
        component[columns, blade.k_lo] = component[columns, band].sum(axis=-1)


def _surface(
    layout: Layout,
    points: CellPoints,
    plan: SurfacePlan,
    ids: Ints,
    volumes: Floats,
    low: int,
    own: slice,
) -> Surface:
    """Rows of one surface in the own planes; adds its share to the volumes of the slab."""
    family = plan.family
    n_planes = ids.shape[0]
    if family.axis == 0:
        index = family.index - low
        if not 0 <= index < n_planes:
            return _no_rows()
        vectors = boundary_vectors(points, family, index, family.mask, volumes)
        _merge_surface(layout, family, vectors, np.array([family.index]))
        if not own.start <= index < own.stop:
            return _no_rows()
        on_plane = ids[index]
        quads = _quads(family, on_plane)[family.mask]
        return Surface(on_plane[plan.touched], _rows(vectors, plan.touched), quads)
    mask = family.mask[low : low + n_planes - 1]
    vectors = boundary_vectors(points, family, family.index, mask, volumes)
    planes = np.arange(low, low + n_planes)
    if family.axis == 1:
        _merge_surface(layout, family, vectors, planes)
    on_plane = ids.take(family.index, axis=family.axis)
    touched = plan.touched[low + own.start : low + own.stop]
    own_cells = slice(own.start, min(own.stop, n_planes - 1))
    quads = _quads(family, on_plane)[own_cells][mask[own_cells]]
    return Surface(on_plane[own][touched], _rows(vectors[:, own], touched), quads)


def _merge_surface(layout: Layout, family: Family, vectors: Floats, planes: Ints) -> None:
    if layout.blade is None:
        return
    columns = _merged_columns(layout, family, planes)
    band = slice(layout.blade.k_lo, layout.blade.k_hi + 1)
    for component in vectors:
        component[columns, layout.blade.k_lo] = component[columns, band].sum(axis=-1)


def _merge_flags(layout: Layout, family: Family, touched: Bools) -> None:
    if layout.blade is None:
        return
    planes = np.array([family.index]) if family.axis == 0 else np.arange(layout.shape[0])
    columns = _merged_columns(layout, family, planes)
    lo, hi = layout.blade.k_lo, layout.blade.k_hi
    merged = touched[columns]
    merged[:, lo] = merged[:, lo : hi + 1].any(axis=1)
    merged[:, lo + 1 : hi + 1] = False
    touched[columns] = merged


def _merged_columns(layout: Layout, family: Family, planes: Ints) -> Bools:
    """Merged columns along the first axis of the surface (j of an i-plane, i of a j-plane)."""
    kinds = layout.column_kinds(planes)
    merged: Bools = (kinds[0] if family.axis == 0 else kinds[:, family.index]) == MERGED
    return merged


def _quads(family: Family, ids: Ints) -> Ints:
    """Corners of all faces of a logical surface, counter-clockwise seen from outside."""
    corners = [ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]]
    outward = -family.side if family.axis == 1 else family.side
    return np.stack(corners if outward > 0 else corners[::-1], axis=-1)


def _rows(vectors: Floats, keep: Bools) -> Floats:
    return np.moveaxis(vectors, 0, -1)[keep]


def _no_rows() -> Surface:
    return Surface(np.empty(0, np.int64), np.empty((0, 3)), np.empty((0, 4), np.int64))


def _touched(mask: Bools) -> Bools:
    touched = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), dtype=bool)
    for db in (0, 1):
        for dc in (0, 1):
            touched[db : db + mask.shape[0], dc : dc + mask.shape[1]] |= mask
    return touched


def _offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
