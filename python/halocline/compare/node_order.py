# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds which node of one mesh is which of another that numbers the same nodes differently."""

from __future__ import annotations

import numpy as np

from halocline.errors import InvalidInputError
from halocline.results.data_set import Ints
from halocline.results.mesh import Floats, Mesh

SAME_PLACE = 1e-9
"""Nodes are the same when they are nearer than this part of the mesh's extent."""


def node_order(a: Mesh, b: Mesh) -> Ints:
    """Return for each node of `a` the node of `b` at the same place.

    Nodes at one place (a mesh may have them) are taken in the order in which they stand.

    Raises:
        InvalidInputError: the meshes do not have the same nodes.
    """
    first, second = a.points, b.points
    if len(first) != len(second):
        raise InvalidInputError(
            f"{a.file} has {len(first):,} nodes, {b.file} has {len(second):,}: they are not the "
            "same mesh in another order. Name the meshes of the two runs."
        )
    by_a, by_b = _sorted(first), _sorted(second)
    order = np.empty(len(first), dtype=np.int64)
    if np.array_equal(first[by_a], second[by_b]):
        order[by_a] = by_b
        return order
    return _nearest(a, b)


def _sorted(points: Floats) -> Ints:
    return np.lexsort(points.T[::-1])


def _nearest(a: Mesh, b: Mesh) -> Ints:
    """Match coordinates that differ by rounding."""
    from scipy.spatial import cKDTree

    extent = float(np.max(np.ptp(a.points, axis=0)))
    apart, order = cKDTree(b.points).query(a.points)
    far = int(np.argmax(apart))
    if apart[far] > SAME_PLACE * extent or len(np.unique(order)) < len(order):
        raise InvalidInputError(
            f"{a.file} and {b.file} do not have the same nodes (node {far} of the first is "
            f"{apart[far]:.3g} away from the nearest of the second). Name the meshes of the two "
            "runs."
        )
    found: Ints = order.astype(np.int64)
    return found
