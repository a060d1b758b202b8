# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Coarse levels of any dual mesh: neighbouring dual cells are joined into groups.

Groups grow by pairing, three times for solids and twice for flat meshes. A pair shares as much
area as it can for the size of its two partners, so that groups become compact, and thin cells are
joined across their large faces first. Nothing is random: ties are broken by a fixed mixture of the
node numbers. Sums of area vectors keep every coarse dual cell closed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.imports.cell_dual import Dual
from halocline.mesh.imports.row_keys import grouped

ROUNDS = 12
"""Of choosing partners in a pass; each round pairs most nodes that still can be."""


NEARER = 0.95
SMOOTHINGS = 3
"""Rounds in which nodes go over to the neighbouring group whose middle is nearer."""


@dataclass
class _Graph:
    """Groups: pairs of neighbours (E, 2), shared area (E,), volume (n,)."""

    ends: Ints
    area: Floats
    volume: Floats


def coarsened(fine: Dual, passes: int) -> tuple[Dual, AnyArray]:
    """Return the next coarser level and the parent of each node.

    Args:
        fine: a level.
        passes: of pairing: 3 for solids (groups of about 8), 2 for flat meshes (about 4).
    """
    count = len(fine.points)
    parent = np.arange(count)
    area = np.sqrt(np.einsum("ij,ij->i", fine.vectors, fine.vectors))
    graph = _Graph(fine.edges.astype(np.int64), area, fine.volumes)
    for _ in range(passes):
        group = _paired(graph, parent, 2**passes)
        parent = group[parent]
        graph = _contracted(graph, group)
    parent = _without_small(graph, parent, 2**passes)[parent]
    for _ in range(SMOOTHINGS):
        parent = _smoothed(fine, area, parent, 2**passes)
    group = _without_enclosed(fine, parent)
    return _summed(fine, group), group.astype(np.int32)


def _paired(graph: _Graph, parent: Ints, target: int) -> Ints:
    """Return the new group of each group; partners are each other's best free neighbours."""
    n = len(graph.volume)
    partner = np.full(n, -1)
    ends = np.concatenate([graph.ends, graph.ends[:, ::-1]])
    smaller = graph.volume[graph.ends].min(axis=1)
    weight = graph.area / smaller ** (2 / 3)
    weight = _with_ties(weight, graph.ends)
    weight = np.concatenate([weight, weight])
    sizes = np.bincount(parent, minlength=n)
    fits = sizes[ends].sum(axis=1) <= target
    ends, weight = ends[fits], weight[fits]
    order = np.argsort(ends[:, 0], kind="stable")
    ends, weight = ends[order], weight[order]
    for _ in range(ROUNDS):
        if len(ends) == 0:
            break
        starts = np.flatnonzero(np.concatenate([[True], ends[1:, 0] != ends[:-1, 0]]))
        largest = np.maximum.reduceat(weight, starts)
        best = np.full(n, -1)
        chosen = weight == np.repeat(largest, np.diff(np.append(starts, len(ends))))
        rows = np.flatnonzero(chosen)[::-1]
        best[ends[rows, 0]] = ends[rows, 1]
        mutual = np.flatnonzero((best >= 0) & (best[best] == np.arange(n)))
        partner[mutual] = best[mutual]
        free = (partner[ends] < 0).all(axis=1)
        ends, weight = ends[free], weight[free]
    first = np.where(partner >= 0, np.minimum(partner, np.arange(n)), np.arange(n))
    return _compact(first)


def _with_ties(weight: Floats, ends: Ints) -> Floats:
    """Break ties: weights rounded to 1 %, and a fixed mixture of the two ends below that."""
    mixed = (ends.min(axis=1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ (
        ends.max(axis=1).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    fraction = (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
    rounded = np.round(np.log(np.maximum(weight, 1e-300)) * 100.0)
    result: Floats = rounded + 0.5 * fraction
    return result


def _contracted(graph: _Graph, group: Ints) -> _Graph:
    ends = np.sort(group[graph.ends], axis=1)
    apart = ends[:, 0] != ends[:, 1]
    ends, area = ends[apart], graph.area[apart]
    volume: Floats = np.bincount(group, graph.volume).astype(np.float64)
    if len(ends) == 0:
        return _Graph(ends, area, volume)
    order, starts = grouped(ends[:, 0] * len(volume) + ends[:, 1])
    first = order[starts[:-1]]
    return _Graph(ends[first], np.add.reduceat(area[order], starts[:-1]), volume)


def _without_small(graph: _Graph, parent: Ints, target: int) -> Ints:
    """Join groups of less than half the wanted size with their smallest large neighbour."""
    n = len(graph.volume)
    sizes = np.bincount(parent, minlength=n)
    small = 2 * sizes < target
    ends = np.concatenate([graph.ends, graph.ends[:, ::-1]])
    area = np.concatenate([graph.area, graph.area])
    able = small[ends[:, 0]] & ~small[ends[:, 1]]
    ends, area = ends[able], area[able]
    order = np.lexsort((ends[:, 1], -area, sizes[ends[:, 1]], ends[:, 0]))
    ends = ends[order]
    into = np.arange(n)
    into[ends[::-1, 0]] = ends[::-1, 1]
    return _compact(into)


def _smoothed(fine: Dual, area: Floats, group: Ints, target: int) -> Ints:
    """Let nodes go over to a neighbouring group whose middle is nearer; groups stay connected.

    Nodes that are cut off from the rest of their group become groups of their own, and small ones
    are joined with a neighbour.
    """
    n = int(group.max()) + 1
    sizes = np.bincount(group, minlength=n)
    middles = _middles(fine, group, n)
    ends = np.concatenate([fine.edges, fine.edges[:, ::-1]])
    ends = ends[group[ends[:, 0]] != group[ends[:, 1]]]
    node, other = ends[:, 0], group[ends[:, 1]]
    own = np.square(fine.points - middles[group]).sum(axis=1)
    there = np.square(fine.points[node] - middles[other]).sum(axis=1)
    nearer = (there < NEARER * own[node]) & (2 * sizes[other] < 3 * target)
    nearer &= 2 * sizes[group[node]] > target
    node, other, there = node[nearer], other[nearer], there[nearer]
    order = np.lexsort((other, there, node))[::-1]
    moved = group.copy()
    moved[node[order]] = other[order]
    return _connected(fine, area, moved, target)


def _connected(fine: Dual, area: Floats, group: Ints, target: int) -> Ints:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(group)
    ends = fine.edges[group[fine.edges[:, 0]] == group[fine.edges[:, 1]]]
    inside = coo_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(n, n))
    part = connected_components(inside, directed=False)[1].astype(np.int64)
    graph = _contracted(_Graph(fine.edges.astype(np.int64), area, fine.volumes), part)
    joined: Ints = _without_small(graph, part, target)[part]
    return joined


def _middles(fine: Dual, group: Ints, n: int) -> Floats:
    """Centroids of groups (n, 3), weighted by volume."""
    volumes = np.bincount(group, fine.volumes, minlength=n)
    sums = [np.bincount(group, fine.volumes * x, minlength=n) for x in fine.points.T]
    middles: Floats = np.stack(sums, axis=1) / volumes[:, None]
    return middles


def _without_enclosed(fine: Dual, group: Ints) -> Ints:
    """Join a group that only one other surrounds with it: their common face would be nothing."""
    n = int(group.max()) + 1
    ends = group[fine.edges]
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    if n <= 2 or len(ends) == 0:
        return group
    neighbours = np.bincount(ends.ravel(), minlength=n)
    outer = np.zeros(n, dtype=bool)
    outer[group[fine.entry_nodes]] = True
    alone = (neighbours == 1) & ~outer
    into = np.arange(n)
    for side in (0, 1):
        rows = alone[ends[:, side]]
        into[ends[rows, side]] = ends[rows, 1 - side]
    return _compact(into)[group]


def _compact(representative: Ints) -> Ints:
    """Number groups by their representatives, in order."""
    kept: Bools = np.zeros(len(representative), dtype=bool)
    kept[representative] = True
    numbers: Ints = (np.cumsum(kept) - 1)[representative]
    return numbers


def _summed(fine: Dual, group: Ints) -> Dual:
    n = int(group.max()) + 1
    volumes: Floats = np.bincount(group, fine.volumes, minlength=n).astype(np.float64)
    points = _middles(fine, group, n)
    edges, vectors = _coarse_edges(fine, group, n)
    keys = fine.entry_patches.astype(np.int64) * n + group[fine.entry_nodes]
    if len(keys) == 0:
        return Dual(points, edges, vectors, volumes, fine.entry_nodes, fine.entry_patches,
                    fine.entry_vectors)  # fmt: skip
    order, starts = grouped(keys)
    values = keys[order[starts[:-1]]]
    inward = np.add.reduceat(fine.entry_vectors[order], starts[:-1])
    return Dual(
        points,
        edges,
        vectors,
        volumes,
        (values % n).astype(np.int32),
        (values // n).astype(np.int32),
        inward,
    )


def _coarse_edges(fine: Dual, group: Ints, n: int) -> tuple[AnyArray, Floats]:
    ends = group[fine.edges]
    apart = np.flatnonzero(ends[:, 0] != ends[:, 1])
    if len(apart) == 0:
        return np.empty((0, 2), np.int32), np.empty((0, 3))
    ends, vectors = ends[apart], fine.vectors[apart]
    backwards = ends[:, 0] > ends[:, 1]
    vectors[backwards] *= -1.0
    ends.sort(axis=1)
    order, starts = grouped(ends[:, 0].astype(np.int64) * n + ends[:, 1])
    first = order[starts[:-1]]
    return ends[first].astype(np.int32), np.add.reduceat(vectors[order], starts[:-1])
