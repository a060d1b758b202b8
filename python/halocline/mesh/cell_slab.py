# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a slab of i-planes into rows of the mesh file, cell by cell.

It takes every block without a blade: in the plane and in space, with directions that wrap and
boundary surfaces that are part of a side. Sums run over pairs of nodes, not over places in the
lattice, which is why nothing here knows about either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.block_cells import block_cells
from halocline.mesh.cell_dual import cell_edge_vectors
from halocline.mesh.cell_surface import cell_surface
from halocline.mesh.edge_rows import ends_of, pair_keys, summed
from halocline.mesh.lattice import Lattice, lattice_of
from halocline.mesh.layout import Layout
from halocline.mesh.slab import Coordinates, Slab, SurfacePlan
from halocline.mesh.slab_stiffness import slab_stiffness
from halocline.mesh.stiffness.cell_couplings import edges_of


@dataclass(frozen=True)
class _Edges:
    """Edges with an own end: ends (E, 2), the lower first, vectors and spans (3, E)."""

    ends: Ints
    vectors: Floats
    spans: Floats


def make_cell_slab(
    layout: Layout,
    coordinates: Coordinates,
    plans: list[SurfacePlan],
    offsets: Ints,
    planes: tuple[int, int],
) -> Slab:
    """Compute the rows that the planes first..last-1 own; arguments as make_slab takes them."""
    lattice = lattice_of(layout, coordinates, offsets, planes)
    edges = _edges(lattice)
    first, last = lattice.own_range
    mine = (edges.ends[:, 0] >= first) & (edges.ends[:, 0] < last)
    rows, vectors, spans = edges.ends[mine], edges.vectors[:, mine].T, edges.spans[:, mine].T
    own = np.arange(*planes)
    return Slab(
        np.moveaxis(lattice.nodes[:, lattice.own], 0, -1)[layout.first_copies(own)],
        _volumes(lattice, edges),
        rows,
        np.ascontiguousarray(vectors),
        tuple(cell_surface(lattice, plan) for plan in plans),
        block_cells(lattice.ids[lattice.own.start : lattice.own.stop + 1], layout, planes),
        slab_stiffness(lattice, rows, vectors, spans),
        np.ascontiguousarray(spans) if any(layout.wraps) else None,
    )


def _edges(lattice: Lattice) -> _Edges:
    nodes = lattice.layout.node_count()
    first, last = lattice.own_range
    keys, vectors, spans = [], [], []
    for batch in lattice.batches():
        found = cell_edge_vectors(batch.dataset, batch.places)
        for (a, b), part in zip(edges_of(batch.dataset), found, strict=True):
            one, other = batch.ids[a], batch.ids[b]
            mine = ((one >= first) & (one < last)) | ((other >= first) & (other < last))
            sign = np.where(one < other, 1.0, -1.0)
            span = (batch.places[b] - batch.places[a]) * sign
            keys.append(pair_keys(one[mine], other[mine], nodes))
            vectors.append((part * sign)[:, mine])
            spans.append(span[:, mine])
    total = summed(np.concatenate(keys), np.concatenate(vectors, axis=1))
    span = np.concatenate(spans, axis=1)[:, total.first]
    return _Edges(ends_of(total.keys, nodes), total.values, span)


def _volumes(lattice: Lattice, edges: _Edges) -> Floats:
    """Dual volumes of the own nodes; in the plane areas.

    All parts of a dual face contain the midpoint of its edge: V = sum of span.n / 6, or / 4.
    """
    first, last = lattice.own_range
    shares = (edges.spans * edges.vectors).sum(axis=0) / (4.0 if lattice.layout.flat else 6.0)
    volumes = np.zeros(last - first)
    for end in edges.ends.T:
        mine = (end >= first) & (end < last)
        volumes += np.bincount(end[mine] - first, shares[mine], minlength=len(volumes))
    return volumes
