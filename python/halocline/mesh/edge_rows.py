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
    """Weights (E,) of given edges; ends (D, 2) and weights (D,) of diagonals that are no edges.

    `spans` (D, 3) are the ways along diagonals, where a direction wraps.
    """

    edges: Floats
    diagonals: Ints
    diagonal_weights: Floats
    spans: Floats | None = None


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


def ends_of(keys: Ints, nodes: int) -> Ints:
    """Return the two nodes (n, 2) of each pair, the lower first."""
    return np.stack([keys // nodes, keys % nodes], axis=1)


def on_edges(edges: Ints, couplings: Pairs, nodes: int, spans: Floats | None = None) -> Stiffness:
    """Hand couplings to the edges they belong to; the rest are diagonals.

    Args:
        edges: their ends (E, 2), in any order.
        couplings: one weight a pair.
        nodes: all node numbers are below this.
        spans: of the pairs (P, 3), where a direction wraps.
    """
    mine = pair_keys(edges[:, 0], edges[:, 1], nodes)
    order = np.argsort(mine, kind="stable")
    at = np.searchsorted(mine, couplings.keys, sorter=order)
    at[at == len(mine)] = 0
    row = order[at] if len(mine) else at
    found: Bools = mine[row] == couplings.keys if len(mine) else np.zeros(len(at), dtype=bool)
    weights = np.zeros(len(edges))
    weights[row[found]] = couplings.values[0, found]
    rest = ~found
    return Stiffness(
        weights,
        ends_of(couplings.keys[rest], nodes),
        couplings.values[0, rest],
        None if spans is None else spans[rest],
    )
