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
from halocline.mesh.imports.blocks import pieces
from halocline.mesh.imports.cell_dual import Dual
from halocline.mesh.imports.row_keys import grouped, numbered

ROUNDS = 12
"""Of choosing partners in a pass; each round pairs most nodes that still can be."""


NEARER = 0.95
SMOOTHINGS = 3
"""Rounds in which nodes go over to the neighbouring group whose middle is nearer."""


Pairs = tuple[AnyArray, AnyArray, Floats]
"""Two nodes each, and the area that they share."""


@dataclass
class _Graph:
    """Groups: pairs of neighbours (E, 2), shared area (E,), volume (n,)."""

    ends: AnyArray
    area: Floats
    volume: Floats


def coarsened(fine: Dual, passes: int) -> tuple[Dual, AnyArray]:
    """Return the next coarser level and the parent of each node.

    Args:
        fine: a level.
        passes: of pairing: 3 for solids (groups of about 8), 2 for flat meshes (about 4).
    """
    parent = np.arange(len(fine.points), dtype=np.int32)
    area = np.empty(len(fine.edges))
    for start, part in pieces(fine.vectors):
        area[start : start + len(part)] = np.sqrt(np.einsum("ij,ij->i", part, part))
    graph = _Graph(fine.edges, area, fine.volumes)
    for _ in range(passes):
        group = _paired(graph, parent, 2**passes)
        parent = group[parent]
        graph = _contracted(graph, group)
    parent = _without_small(graph, parent, 2**passes)[parent]
    del graph
    for _ in range(SMOOTHINGS):
        parent = _smoothed(fine, area, parent, 2**passes)
    del area
    group = _without_enclosed(fine, parent)
    return _summed(fine, group), group


def _paired(graph: _Graph, parent: AnyArray, target: int) -> AnyArray:
    """Return the new group of each group; partners are each other's best free neighbours."""
    n = len(graph.volume)
    partner = np.full(n, -1, dtype=np.int32)
    one, other, weight = _candidates(graph, np.bincount(parent, minlength=n), target)
    for _ in range(ROUNDS):
        if len(one) == 0:
            break
        largest = np.full(n, -np.inf)
        for ends in (one, other):
            for start, part in pieces(ends):
                np.maximum.at(largest, part, weight[start : start + len(part)])
        best = np.full(n, n, dtype=np.int32)  # of several as good ones the lowest
        for mine, theirs in ((one, other), (other, one)):
            for start, part in pieces(mine):
                chosen = np.flatnonzero(weight[start : start + len(part)] == largest[part])
                np.minimum.at(best, part[chosen], theirs[start + chosen])
        has_any = np.flatnonzero(best < n)
        mutual = has_any[best[best[has_any]] == has_any]
        partner[mutual] = best[mutual]
        free = np.flatnonzero((partner[one] < 0) & (partner[other] < 0))
        one, other, weight = one[free], other[free], weight[free]
    numbers = np.arange(n, dtype=np.int32)
    return _compact(np.where(partner >= 0, np.minimum(partner, numbers), numbers))


def _candidates(graph: _Graph, sizes: Ints, target: int) -> Pairs:
    """Return the pairs that are not too large together, and how much they should be one."""
    most, used = len(graph.ends), 0
    found = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most)
    for start, ends in pieces(graph.ends):
        one, other = ends[:, 0], ends[:, 1]
        fits = np.flatnonzero(sizes[one] + sizes[other] <= target)
        one, other = one[fits], other[fits]
        smaller = np.minimum(graph.volume[one], graph.volume[other])
        weight = graph.area[start + fits] / smaller ** (2 / 3)
        mine = slice(used, used + len(fits))
        found[0][mine], found[1][mine] = one, other
        found[2][mine] = _with_ties(weight, one, other)
        used += len(fits)
    return found[0][:used], found[1][:used], found[2][:used]


def _with_ties(weight: Floats, one: AnyArray, other: AnyArray) -> Floats:
    """Break ties: weights rounded to 1 %, and a fixed mixture of the two ends below that."""
    mixed = (np.minimum(one, other).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ (
        np.maximum(one, other).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    fraction = (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
    rounded = np.round(np.log(np.maximum(weight, 1e-300)) * 100.0)
    result: Floats = rounded + 0.5 * fraction
    return result


def _contracted(graph: _Graph, group: AnyArray) -> _Graph:
    """Join nodes to groups; pairs of groups share the sum of what their nodes shared."""
    volume: Floats = np.bincount(group, graph.volume).astype(np.float64)
    keys, rows = _between(graph.ends, group, len(volume))
    if len(keys) == 0:
        return _Graph(np.empty((0, 2), np.int32), np.empty(0), volume)
    order, starts = grouped(keys)
    values = keys[order[starts[:-1]]]
    del keys
    area = np.bincount(numbered(order, starts), graph.area[rows])
    return _Graph(_pairs_of(values, len(volume)), area.astype(np.float64), volume)


def _between(ends: AnyArray, group: AnyArray, n: int) -> tuple[Ints, AnyArray]:
    """Return the pairs between two of n groups as lower * n + higher, and which they are."""
    keys, rows = np.empty(len(ends), np.int64), np.empty(len(ends), np.int32)
    used = 0
    for start, part in pieces(ends):
        one, other = group[part[:, 0]], group[part[:, 1]]
        apart = np.flatnonzero(one != other)
        one, other = one[apart], other[apart]
        mine = slice(used, used + len(apart))
        keys[mine] = np.minimum(one, other).astype(np.int64) * n + np.maximum(one, other)
        rows[mine] = apart + start
        used += len(apart)
    return keys[:used], rows[:used]


def _pairs_of(keys: Ints, n: int) -> AnyArray:
    pairs = np.empty((len(keys), 2), dtype=np.int32)
    pairs[:, 0] = keys // n
    pairs[:, 1] = keys % n
    return pairs


def _without_small(graph: _Graph, parent: AnyArray, target: int) -> AnyArray:
    """Join groups of less than half the wanted size with their smallest large neighbour."""
    n = len(graph.volume)
    sizes = np.bincount(parent, minlength=n)
    small = 2 * sizes < target
    ends = np.concatenate([graph.ends, graph.ends[:, ::-1]])
    able = np.flatnonzero(small[ends[:, 0]] & ~small[ends[:, 1]])
    ends, area = ends[able], graph.area[able % max(1, len(graph.area))]
    order = np.lexsort((ends[:, 1], -area, sizes[ends[:, 1]], ends[:, 0]))
    ends = ends[order]
    into = np.arange(n, dtype=np.int32)
    into[ends[::-1, 0]] = ends[::-1, 1]
    return _compact(into)


def _smoothed(fine: Dual, area: Floats, group: AnyArray, target: int) -> AnyArray:
    """Let nodes go over to a neighbouring group whose middle is nearer; groups stay connected.

    Nodes that are cut off from the rest of their group become groups of their own, and small ones
    are joined with a neighbour.
    """
    n = int(group.max()) + 1
    sizes = np.bincount(group, minlength=n)
    middles = _middles(fine, group, n)
    own = np.square(fine.points - middles[group]).sum(axis=1)
    may_grow, may_shrink = 2 * sizes < 3 * target, 2 * sizes > target
    nodes, others, distances = [], [], []
    for _, part in pieces(fine.edges):
        for node, neighbour in ((part[:, 0], part[:, 1]), (part[:, 1], part[:, 0])):
            other = group[neighbour]
            apart = np.flatnonzero(
                (group[node] != other) & may_grow[other] & may_shrink[group[node]]
            )
            mine, other = node[apart], other[apart]
            there = np.square(fine.points[mine] - middles[other]).sum(axis=1)
            nearer = np.flatnonzero(there < NEARER * own[mine])
            nodes.append(mine[nearer])
            others.append(other[nearer])
            distances.append(there[nearer])
    moved = group.copy()
    if nodes:
        node, other, there = (np.concatenate(part) for part in (nodes, others, distances))
        order = np.lexsort((other, there, node))[::-1]
        moved[node[order]] = other[order]
    return _connected(fine, area, moved, target)


def _connected(fine: Dual, area: Floats, group: AnyArray, target: int) -> AnyArray:
    """Take parts of groups that do not hang together for groups, and join small ones to others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(group)
    ends = [np.empty((0, 2), np.int32)]
    ends += [part[group[part[:, 0]] == group[part[:, 1]]] for _, part in pieces(fine.edges)]
    one, other = np.concatenate(ends).T
    ends.clear()
    inside = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(n, n))
    count, parts = connected_components(inside, directed=False)
    del inside, one, other
    small = 2 * np.bincount(parts, minlength=count) < target
    around = [np.empty(0, np.int64)]  # the other edges change nothing
    for start, part in pieces(fine.edges):
        around.append(start + np.flatnonzero(small[parts[part]].any(axis=1)))
    rows = np.concatenate(around)
    edges = _Graph(fine.edges[rows], area[rows], fine.volumes)
    joined: AnyArray = _without_small(_contracted(edges, parts), parts, target)[parts]
    return joined


def _middles(fine: Dual, group: AnyArray, n: int) -> Floats:
    """Centroids of groups (n, 3), weighted by volume."""
    volumes = np.bincount(group, fine.volumes, minlength=n)
    sums = [np.bincount(group, fine.volumes * x, minlength=n) for x in fine.points.T]
    middles: Floats = np.stack(sums, axis=1) / volumes[:, None]
    return middles


def _without_enclosed(fine: Dual, group: AnyArray) -> AnyArray:
    """Join a group that only one other surrounds with it: their common face would be nothing."""
    n = int(group.max()) + 1
    lowest, highest = np.full(n, n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    for _, part in pieces(fine.edges):
        one, other = group[part[:, 0]], group[part[:, 1]]
        apart = one != other
        for mine, theirs in ((one[apart], other[apart]), (other[apart], one[apart])):
            np.minimum.at(lowest, mine, theirs)
            np.maximum.at(highest, mine, theirs)
    outer = np.zeros(n, dtype=bool)
    outer[group[fine.entry_nodes]] = True
    alone = (lowest == highest) & ~outer
    if n <= 2 or not alone.any():
        return group
    into = np.where(alone, lowest, np.arange(n, dtype=np.int32))
    return _compact(into)[group]


def _compact(representative: AnyArray) -> AnyArray:
    """Number groups by their representatives, in order."""
    kept: Bools = np.zeros(len(representative), dtype=bool)
    kept[representative] = True
    numbers: AnyArray = (np.cumsum(kept, dtype=np.int32) - 1)[representative]
    return numbers.astype(np.int32, copy=False)


def _summed(fine: Dual, group: AnyArray) -> Dual:
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


def _coarse_edges(fine: Dual, group: AnyArray, n: int) -> tuple[AnyArray, Floats]:
    keys, rows = _between(fine.edges, group, n)
    if len(keys) == 0:
        return np.empty((0, 2), np.int32), np.empty((0, 3))
    order, starts = grouped(keys)
    edges = _pairs_of(keys[order[starts[:-1]]], n)
    del keys
    at = numbered(order, starts)
    del order
    vectors = np.zeros((len(edges), 3))
    for start, mine in pieces(rows):
        ends = fine.edges[mine]
        turned = np.where(group[ends[:, 0]] > group[ends[:, 1]], -1.0, 1.0)
        part = fine.vectors[mine] * turned[:, None]
        np.add.at(vectors, at[start : start + len(mine)], part)
    return edges, vectors
