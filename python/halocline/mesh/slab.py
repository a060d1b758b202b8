# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a slab of i-planes of the logical block into rows of the mesh file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.block_cells import block_cells
from halocline.mesh.dual import (
    CellPoints,
    Family,
    add_edge_volumes,
    boundary_vectors,
    cell_points,
    edge_vectors,
)
from halocline.mesh.edge_rows import Stiffness
from halocline.mesh.elements import runs
from halocline.mesh.layout import MERGED, SPLIT, Blade, Layout

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
    """Rows of some i-planes: coordinates (N, 3), volumes (N,), edges (E, 2), vectors (E, 3).

    Cells (n, corners) by the name of their dataset are those of the layers above the planes.
    `stiffness` where a Laplacian is asked for; spans (E, 3), the ways along the edges, where a
    direction wraps.
    """

    coordinates: Floats
    volumes: Floats
    edges: Ints
    edge_vectors: Floats
    surfaces: tuple[Surface, ...]
    cells: dict[str, Ints]
    stiffness: Stiffness | None = None
    spans: Floats | None = None


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
    _merge_flags(layout, family, touched)
    faces = _faces_of_cells(layout, family)
    if family.axis == 0:
        nodes, quads = np.zeros(ni, int), np.zeros(ni, int)
        nodes[family.index], quads[family.index] = touched.sum(), family.mask.sum() * faces[0]
    else:
        nodes = touched.sum(axis=1)
        quads = np.append(family.mask.sum(axis=1) * faces, 0)
    return SurfacePlan(family, touched, _offsets(nodes), _offsets(quads))


def _faces_of_cells(layout: Layout, family: Family) -> Ints:
    """Faces that a cell has on a surface, by layer along i; one entry for an i-plane."""
    last = family.side > 0
    faces = np.empty(layout.shape[0] - 1, dtype=np.int64)
    for layers, division in runs(layout.divisions()):
        faces[layers] = len(division.outer_faces(family.axis, last))
    if family.axis == 0:
        return faces[-1:] if last else faces[:1]
    return faces


@dataclass(frozen=True)
class _Work:
    """A slab in progress: planes low..low+n-1, of which `own` (counted from low) are wanted."""

    layout: Layout
    points: CellPoints
    kinds: Ints
    ids: Ints
    volumes: Floats
    low: int
    own: slice

    @property
    def planes(self) -> Ints:
        """Numbers of the planes."""
        return np.arange(self.low, self.low + len(self.ids))


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
    work = _Work(
        layout=layout,
        points=points,
        kinds=layout.column_kinds(i),
        ids=layout.node_ids(i, offsets),
        volumes=np.zeros(points.nodes.shape[1:]),
        low=low,
        own=slice(planes[0] - low, planes[1] - low),
    )
    active = layout.active_cells(i[:-1])
    vectors = np.empty((3, *points.nodes.shape))
    for axis in range(3):
        vectors[axis], moments = edge_vectors(points, axis, active)
        add_edge_volumes(work.volumes, points.nodes, axis, vectors[axis], moments)
    surfaces = tuple(_surface(work, plan) for plan in plans)
    if layout.blade is not None:
        _merge_band(work.volumes[None], work.kinds == MERGED, layout.blade)
    edges, edge_rows = _edges(work, vectors)
    keep = layout.first_copies(i[work.own])
    nodes = np.moveaxis(points.nodes[:, work.own], 0, -1)[keep]
    cells = block_cells(work.ids[work.own.start : work.own.stop + 1], layout, planes)
    return Slab(nodes, work.volumes[work.own][keep], edges, edge_rows, surfaces, cells)


def _edges(work: _Work, vectors: Floats) -> tuple[Ints, Floats]:
    """Rows of the edges whose lower node lies in the own planes, ordered by that node."""
    ids, own = work.ids, work.own
    upper = np.full((*ids.shape, 3), -1)
    upper[:, :, :-1, 0] = ids[:, :, 1:]
    upper[:, :-1, :, 1] = ids[:, 1:]
    upper[:-1, :, :, 2] = ids[1:]
    exists = (ids[..., None] >= 0) & (upper >= 0) & (upper != ids[..., None])
    if work.layout.blade is not None:
        _merge_edges(work.layout.blade, work.kinds, vectors, exists)
    exists, upper, lower = exists[own], upper[own], ids[own]
    rows = np.empty((int(exists.sum()), 3))
    for component in range(3):
        stacked = np.stack([vectors[axis, component, own] for axis in (2, 1, 0)], axis=-1)
        rows[:, component] = stacked[exists]
    ends = np.empty((len(rows), 2), dtype=np.int64)
    ends[:, 0] = np.broadcast_to(lower[..., None], exists.shape)[exists]
    ends[:, 1] = upper[exists]
    return ends, rows


def _merge_edges(blade: Blade, kinds: Ints, vectors: Floats, exists: Bools) -> None:
    """Add up edges that became one between merged columns; drop those inside the blade."""
    inner = slice(blade.k_lo + 1, blade.k_hi + 1)
    merged = kinds == MERGED
    both_i, both_j = merged.copy(), merged.copy()
    both_i[:-1] &= merged[1:]
    both_j[:, :-1] &= merged[:, 1:]
    for axis, both, slot in ((0, both_i, 2), (1, both_j, 1)):
        _merge_band(vectors[axis], both, blade)
        exists[:, :, inner, slot] &= ~both[:, :, None]
    exists[:, :, blade.k_lo : blade.k_hi, 0] &= (kinds != SPLIT)[:, :, None]


def _merge_band(values: Floats, columns: Bools, blade: Blade) -> None:
    """Sum the band k_lo..k_hi of the given columns onto k_lo; values (n, ..., nk)."""
    band = slice(blade.k_lo, blade.k_hi + 1)
    for component in values:
        component[columns, blade.k_lo] = component[columns, band].sum(axis=-1)


def _surface(work: _Work, plan: SurfacePlan) -> Surface:
    """Rows of one surface in the own planes; adds its share to the volumes of the slab."""
    if plan.family.axis == 0:
        return _end_surface(work, plan)
    family, own = plan.family, work.own
    n_planes = len(work.ids)
    mask = family.mask[work.low : work.low + n_planes - 1]
    vectors = boundary_vectors(work.points, family, family.index, mask, work.volumes)
    _merge_surface(work.layout, family, vectors, work.planes)
    on_surface = work.ids[:, family.index] if family.axis == 1 else work.ids[:, :, family.index]
    touched = plan.touched[work.low + own.start : work.low + own.stop]
    cells = slice(own.start, min(own.stop, n_planes - 1))
    quads = _quads(family, on_surface)[cells][mask[cells]]
    return Surface(on_surface[own][touched], _rows(vectors[:, own], touched), quads)


def _end_surface(work: _Work, plan: SurfacePlan) -> Surface:
    """Rows of a surface that is one i-plane, if the slab contains it."""
    family = plan.family
    index = family.index - work.low
    if not 0 <= index < len(work.ids):
        return no_rows()
    vectors = boundary_vectors(work.points, family, index, family.mask, work.volumes)
    _merge_surface(work.layout, family, vectors, work.planes)
    if not work.own.start <= index < work.own.stop:
        return no_rows()
    on_surface = work.ids[index]
    quads = _quads(family, on_surface)[family.mask]
    return Surface(on_surface[plan.touched], _rows(vectors, plan.touched), quads)


def _merge_surface(layout: Layout, family: Family, vectors: Floats, planes: Ints) -> None:
    if layout.blade is not None and family.axis < 2:
        _merge_band(vectors, _merged_columns(layout, family, planes), layout.blade)


def _merge_flags(layout: Layout, family: Family, touched: Bools) -> None:
    if layout.blade is None or family.axis == 2:
        return
    columns = _merged_columns(layout, family, np.arange(layout.shape[0]))
    lo, hi = layout.blade.k_lo, layout.blade.k_hi
    merged = touched[columns]
    merged[:, lo] = merged[:, lo : hi + 1].any(axis=1)
    merged[:, lo + 1 : hi + 1] = False
    touched[columns] = merged


def _merged_columns(layout: Layout, family: Family, planes: Ints) -> Bools:
    """Merged columns along the first axis of the surface (j of an i-plane, i of a j-plane)."""
    if family.axis == 0:
        kinds = layout.column_kinds(np.array([family.index]))[0]
    else:
        kinds = layout.column_kinds(planes)[:, family.index]
    merged: Bools = kinds == MERGED
    return merged


def _quads(family: Family, ids: Ints) -> Ints:
    """Corners of all faces of a logical surface, counter-clockwise seen from outside."""
    corners = [ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]]
    outward = -family.side if family.axis == 1 else family.side
    return np.stack(corners if outward > 0 else corners[::-1], axis=-1)


def _rows(vectors: Floats, keep: Bools) -> Floats:
    return np.moveaxis(vectors, 0, -1)[keep]


def no_rows() -> Surface:
    """What a slab holds of a surface that it does not touch."""
    return Surface(np.empty(0, np.int64), np.empty((0, 3)), np.empty((0, 4), np.int64))


def _touched(mask: Bools) -> Bools:
    touched = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), dtype=bool)
    for db in (0, 1):
        for dc in (0, 1):
            touched[db : db + mask.shape[0], dc : dc + mask.shape[1]] |= mask
    return touched


def _offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
