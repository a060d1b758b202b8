# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a slab of i-planes into rows of the mesh file where cells are divided into elements.

Only for blocks without a blade: nodes are numbered line by line and surfaces are whole sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.block_cells import block_cells
from halocline.mesh.element_dual import element_edge_vectors, element_volumes
from halocline.mesh.element_surface import surface_quads, surface_vectors
from halocline.mesh.elements import DIRECTIONS, Division, bits, edge_planes
from halocline.mesh.layout import Layout
from halocline.mesh.slab import Coordinates, Slab, Surface, SurfacePlan, no_rows


@dataclass(frozen=True)
class _Work:
    """A slab in progress: planes low.., of which `own` (counted from low) are wanted."""

    nodes: Floats
    ids: Ints
    divisions: list[Division]
    low: int
    own: slice


def make_element_slab(
    layout: Layout,
    coordinates: Coordinates,
    plans: list[SurfacePlan],
    offsets: Ints,
    planes: tuple[int, int],
) -> Slab:
    """Compute the rows that the planes first..last-1 own; arguments as make_slab takes them."""
    n_planes = layout.shape[0]
    low, high = max(planes[0] - 1, 0), min(planes[1] + 1, n_planes)
    work = _Work(
        nodes=coordinates(layout.i_lines[low:high], layout.j_lines, layout.k_lines),
        ids=layout.node_ids(np.arange(low, high), offsets),
        divisions=layout.divisions()[low : high - 1],
        low=low,
        own=slice(planes[0] - low, planes[1] - low),
    )
    vectors = element_edge_vectors(work.nodes, work.divisions)
    volumes = element_volumes(work.nodes, vectors)
    starts = edge_planes(work.divisions)[work.own]
    edges, edge_rows = _edges(work.ids[work.own], vectors[:, :, work.own], starts)
    return Slab(
        _rows(work.nodes[:, work.own]),
        volumes[work.own].ravel(),
        edges,
        edge_rows,
        tuple(_surface(work, plan) for plan in plans),
        block_cells(work.ids[work.own.start : work.own.stop + 1], layout, planes),
    )


def _edges(ids: Ints, vectors: Floats, starts: Bools) -> tuple[Ints, Floats]:
    """Rows of the edges of some planes, ordered by the lower node and then by the upper."""
    exists = np.empty((*ids.shape, len(DIRECTIONS)), dtype=bool)
    exists[...] = starts[:, None, None]
    steps = np.array([bits(direction) for direction in DIRECTIONS])
    exists[:, -1, :, steps[:, 1] == 1] = False
    exists[:, :, -1, steps[:, 2] == 1] = False
    rows = np.empty((int(exists.sum()), 3))
    for component in range(3):
        rows[:, component] = np.moveaxis(vectors[:, component], 0, -1)[exists]
    _, nj, nk = ids.shape
    to_upper = steps @ np.array([nj * nk, nk, 1])
    ends = np.empty((len(rows), 2), dtype=np.int64)
    ends[:, 0] = np.broadcast_to(ids[..., None], exists.shape)[exists]
    ends[:, 1] = (ids[..., None] + to_upper)[exists]
    return ends, rows


def _surface(work: _Work, plan: SurfacePlan) -> Surface:
    """Rows of one surface in the own planes."""
    family, own = plan.family, work.own
    if family.axis == 0:
        return _end_surface(work, plan)
    ids = np.take(work.ids, family.index, axis=family.axis)
    nodes = np.take(work.nodes, family.index, axis=1 + family.axis)
    vectors = surface_vectors(nodes, work.divisions, family)
    layers = work.divisions[own]
    quads = surface_quads(ids[own.start : own.start + len(layers) + 1], layers, family)
    return Surface(ids[own].ravel(), _rows(vectors[:, own]), quads)


def _end_surface(work: _Work, plan: SurfacePlan) -> Surface:
    """Rows of a surface that is one i-plane, if it is among the own planes."""
    family = plan.family
    index = family.index - work.low
    if not work.own.start <= index < work.own.stop:
        return no_rows()
    behind = work.divisions[-1:] if family.side > 0 else work.divisions[:1]
    vectors = surface_vectors(work.nodes[:, index], behind, family)
    ids = work.ids[index]
    return Surface(ids.ravel(), _rows(vectors), surface_quads(ids, behind, family))


def _rows(vectors: Floats) -> Floats:
    return np.moveaxis(vectors, 0, -1).reshape(-1, 3)
