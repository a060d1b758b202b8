# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Weights of the Laplacian for the edges of a slab, and the diagonals that cells need besides."""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.edge_rows import Pairs, Stiffness, on_edges, pair_keys, summed, turned
from halocline.mesh.lattice import Lattice
from halocline.mesh.row_counts import without_diagonals
from halocline.mesh.stiffness.cell_couplings import cell_couplings


def slab_stiffness(lattice: Lattice, edges: Ints, vectors: Floats, spans: Floats) -> Stiffness:
    """Return the weights of the edges whose lower node is an own one, and such diagonals.

    Args:
        lattice: own planes and their neighbours.
        edges: ends (E, 2).
        vectors: dual-face vectors (E, 3) without any factor.
        spans: ways (E, 3) from the first end to the second.
    """
    if without_diagonals(lattice.layout):
        return Stiffness(two_point(vectors, spans), np.empty((0, 2), np.int64), np.empty(0))
    pairs, ways = _couplings(lattice)
    return on_edges(edges, pairs, lattice.layout.node_count(), ways)


def two_point(vectors: Floats, spans: Floats) -> Floats:
    """Area over length of edges at right angles to their faces."""
    weights: Floats = (vectors * spans).sum(axis=1) / (spans * spans).sum(axis=1)
    return weights


def edge_spans(lattice: Lattice, edges: Ints) -> Floats:
    """Ways (E, 3) along the edges of a block in which no direction wraps."""
    layout = lattice.layout
    planes = np.arange(lattice.low, lattice.low + len(lattice.ids))
    places = lattice.nodes[:, layout.first_copies(planes)]
    first = int(layout.plane_offsets()[lattice.low])
    spans: Floats = (places[:, edges[:, 1] - first] - places[:, edges[:, 0] - first]).T
    return spans


def _couplings(lattice: Lattice) -> tuple[Pairs, Floats | None]:
    """Couplings of all pairs whose lower node is an own one; their ways where a direction wraps."""
    nodes = lattice.layout.node_count()
    wraps = any(lattice.layout.wraps)
    first, last = lattice.own_range
    keys, values, ways = [np.empty(0, np.int64)], [np.empty((4, 0))], [np.empty((3, 0))]
    for batch in lattice.batches():
        found = cell_couplings(batch.dataset, batch.places)
        for (a, b), coupling in zip(found.pairs, found.values, strict=True):
            one, other = batch.ids[a], batch.ids[b]
            low = np.minimum(one, other)
            mine = (one != other) & (low >= first) & (low < last)
            keys.append(pair_keys(one[mine], other[mine], nodes))
            sign = np.where(one < other, 1.0, -1.0)
            values.append((coupling * turned(sign))[:, mine])
            if wraps:
                ways.append(((batch.places[b] - batch.places[a]) * sign)[:, mine])
    pairs = summed(np.concatenate(keys), np.concatenate(values, axis=1))
    return pairs, np.concatenate(ways, axis=1)[:, pairs.first].T if wraps else None
