# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sums what single cells give to their edges: every pair of nodes becomes one row.

A pair is the number low * nodes + high. Equal pairs are added in the order in which cells come.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.imports.row_keys import grouped


@dataclass(frozen=True)
class Pairs:
    """Pairs (P,) in ascending order, sums (c, P) of c values of each, its first row (P,)."""

    keys: Ints
    values: Floats
    first: Ints


@dataclass(frozen=True)
class Stiffness:
    """Weights (E,) of given edges; ends (D, 2) and weights (D,) of diagonals that are not edges.

    `faces` (E, 3) and `diagonal_faces` (D, 3) are the dual faces that belong to the weights, from
    the first end to the second; none where they are those of the mesh. `spans` (D, 3) are the
    ways along diagonals, where a direction wraps.
    """

    edges: Floats
    diagonals: Ints
    diagonal_weights: Floats
    spans: Floats | None = None
    faces: Floats | None = None
    diagonal_faces: Floats | None = None


def pair_keys(one: Ints, other: Ints, nodes: int) -> Ints:
    """Return the number of each pair of nodes."""
    keys: Ints = np.minimum(one, other).astype(np.int64) * nodes
    keys += np.maximum(one, other)
    return keys


def summed(keys: Ints, values: Floats) -> Pairs:
    """Sum the values (c, n) of equal pairs (n,)."""
    if len(keys) == 0:
        return Pairs(keys, values, keys)
    order, starts = grouped(keys)
    sums = np.empty((len(values), len(starts) - 1))
    for row, column in zip(sums, values, strict=True):
        row[...] = np.add.reduceat(column[order], starts[:-1])
    first = order[starts[:-1]]
    return Pairs(keys[first], sums, first)


def turned(sign: Floats) -> Floats:
    """Factors (4, n) of couplings whose pairs are turned where the sign is -1: weights stay."""
    return np.stack([np.ones_like(sign), sign, sign, sign])


def ends_of(keys: Ints, nodes: int) -> Ints:
    """Return the two nodes (n, 2) of each pair, the lower first."""
    return np.stack([keys // nodes, keys % nodes], axis=1)


def on_edges(edges: Ints, couplings: Pairs, nodes: int, spans: Floats | None = None) -> Stiffness:
    """Hand couplings to the edges they belong to; the rest are diagonals.

    Args:
        edges: their ends (E, 2), in any order.
        couplings: a weight and a dual face (4, P) of each pair, from its lower node.
        nodes: all node numbers are below this.
        spans: of the pairs (P, 3), where a direction wraps.
    """
    mine = pair_keys(edges[:, 0], edges[:, 1], nodes)
    order = np.argsort(mine, kind="stable")
    at = np.searchsorted(mine, couplings.keys, sorter=order)
    at[at == len(mine)] = 0
    row = order[at] if len(mine) else at
    found: Bools = mine[row] == couplings.keys if len(mine) else np.zeros(len(at), dtype=bool)
    values = np.zeros((4, len(edges)))
    values[:, row[found]] = couplings.values[:, found]
    rest = ~found
    sign = np.where(edges[:, 0] < edges[:, 1], 1.0, -1.0)
    return Stiffness(
        values[0],
        ends_of(couplings.keys[rest], nodes),
        couplings.values[0, rest],
        None if spans is None else spans[rest],
        (values[1:] * sign).T,
        couplings.values[1:, rest].T,
    )
