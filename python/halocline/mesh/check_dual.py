# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums over edges and boundary entries that prove the dual cells closed and positive."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.edge_ways import edge_ways
from halocline.mesh.findings import PLACES_SHOWN, Findings, Place
from halocline.mesh.folder import CHUNK_ROWS, chunks
from halocline.mesh.quality import Quality

KEYS_AT_ONCE = 16_000_000
DUPLICATE = "each pair of nodes once (rows: lower node)"


class DualSums:
    """Per-node sums over what surrounds a node.

    residual (3, N): vector sum of the surface of the dual cell; area (N,): its area;
    edge_volumes (N,): MG-CFD's volume from edge lengths and areas; degree (N,): edges;
    shortest, longest (N,): edge lengths.
    """

    def __init__(self, nodes: int) -> None:
        self.residual = np.zeros((3, nodes))
        self.area = np.zeros(nodes)
        self.edge_volumes = np.zeros(nodes)
        self.degree = np.zeros(nodes, dtype=np.int64)
        self.shortest = np.full(nodes, np.inf)
        self.longest = np.zeros(nodes)


def check_edges(
    data: dict[str, Any],
    coordinates: Floats,
    base: int,
    sums: DualSums,
    quality: Quality,
    findings: Findings,
) -> None:
    """Add all edges to the sums; find loops, zero lengths, zero areas and duplicates."""
    ends_of, vectors_of = data["edge-->node"], data["edge_weights"]
    for first, part in chunks(ends_of):
        ends = part.astype(np.int64) - base
        vectors = vectors_of[first : first + len(ends)]
        along = edge_ways(data, coordinates, ends, first)
        length, area = _norm(along), _norm(vectors)
        loop = ends[:, 0] == ends[:, 1]
        findings.add_rows("edge-->node", "two different nodes", loop, part, first=first)
        findings.add_rows(
            "edge-->node", "ends at different places", ~loop & (length == 0.0), part, first=first
        )
        findings.add_rows("edge_weights", "area above zero", area == 0.0, vectors, first=first)
        quality.add_edges(along, vectors, length, area)
        for side, sign in ((0, 1.0), (1, -1.0)):
            _add_side(sums, ends[:, side], sign, vectors, area, length)
    find_duplicates("edge-->node", ends_of, len(coordinates), base, findings)


def _add_side(
    sums: DualSums, node: Ints, sign: float, vectors: Floats, area: Floats, length: Floats
) -> None:
    for component in range(3):
        scatter(sums.residual[component], node, sign * vectors[:, component])
    scatter(sums.area, node, area)
    scatter(sums.edge_volumes, node, area * length / 6.0)
    scatter(sums.degree, node, None)
    np.minimum.at(sums.shortest, node, length)
    np.maximum.at(sums.longest, node, length)


def check_boundary(data: dict[str, Any], base: int, sums: DualSums) -> None:
    """Add all boundary entries, whose vectors point inwards, to the sums."""
    for first, part in chunks(data["bnd_node-->node"]):
        node = part[:, 0].astype(np.int64) - base
        vectors = data["bnd_node_weights"][first : first + len(node)]
        for component in range(3):
            scatter(sums.residual[component], node, -vectors[:, component])
        scatter(sums.area, node, _norm(vectors))


def check_dual(
    coordinates: Floats, volumes: Floats, sums: DualSums, tolerance: float, findings: Findings
) -> None:
    """Every node has an edge, a positive volume and a closed dual cell."""
    findings.add_rows(
        "edge-->node",
        "every node has an edge (rows: nodes)",
        sums.degree == 0,
        sums.degree,
        coordinates=coordinates,
    )
    findings.add_rows(
        "areas", "dual volume above zero", ~(volumes > 0.0), volumes, coordinates=coordinates
    )
    relative = closure(sums)
    findings.add_rows(
        "edge_weights",
        f"closed dual cells, residual at most {tolerance:g} of the surface (rows: nodes)",
        relative > tolerance,
        relative,
        coordinates=coordinates,
    )


def closure(sums: DualSums) -> Floats:
    """Residual of each dual cell relative to the area of its surface."""
    residual: Floats = np.sqrt((sums.residual**2).sum(axis=0))
    relative = np.zeros_like(residual)
    np.divide(residual, sums.area, out=relative, where=sums.area > 0.0)
    return relative


def scatter(target: AnyArray, index: Ints, values: Floats | None) -> None:
    """Add values (or 1) to target at the indices, repeated ones included."""
    low, high = int(index.min()), int(index.max()) + 1
    counted = np.bincount(index - low, values, minlength=high - low)
    target[low:high] += counted.astype(target.dtype, copy=False)


def find_duplicates(name: str, ends_of: Any, nodes: int, base: int, findings: Findings) -> None:
    """Look for pairs of nodes with two edges, a range of lower nodes at a time."""
    passes = max(1, math.ceil(ends_of.shape[0] / KEYS_AT_ONCE))
    borders = np.linspace(0, nodes, passes + 1).astype(np.int64)
    for low, high in pairwise(borders):
        keys = []
        for _, part in chunks(ends_of, CHUNK_ROWS):
            ends = np.sort(part.astype(np.int64) - base, axis=1)
            inside = (ends[:, 0] >= low) & (ends[:, 0] < high)
            keys.append(ends[inside, 0] * nodes + ends[inside, 1])
        ordered = np.sort(np.concatenate(keys)) if keys else np.empty(0, np.int64)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        for key in twice[:PLACES_SHOWN]:
            pair = f"{key // nodes + base}, {key % nodes + base}"
            findings.add(name, DUPLICATE, Place(int(key // nodes), None, pair), count=0)
        if len(twice):
            findings.add(name, DUPLICATE, count=len(twice))


def _norm(vectors: Floats) -> Floats:
    result: Floats = np.sqrt((vectors * vectors).sum(axis=1))
    return result
