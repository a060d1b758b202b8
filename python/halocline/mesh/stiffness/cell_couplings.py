# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Couplings between the corners of cells of every kind; exact for linear fields.

A coupling is a weight of the Laplacian and the vector of a dual face, as in `simplices`.

Triangles and tetrahedra are P1 elements. Other cells take the mean of their splits into simplices.
Where a simplex of a split would be nearly flat or inside out, the cell takes its simplices about
the means of its corners instead, and the values there are means, too. On the faces of a cell both
ways have the same sum of N_a times the normal, so that cells of different ways fit together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from halocline.mesh.arrays import Bools, Floats
from halocline.mesh.cells import KINDS, PRISM, QUADRILATERAL
from halocline.mesh.stiffness.simplices import (
    TETRAHEDRON_PAIRS,
    TRIANGLE_PAIRS,
    tetrahedron_couplings,
    triangle_couplings,
)
from halocline.mesh.stiffness.splits import PRISM_CORNERS, QUADRILATERAL_SPLITS, SPLITS, Split

FLAT = 0.05
"""A simplex of less than this part of the mean volume of all simplices of its cell is flat."""
AFFINE = 1e-10
"""Largest distance of the corners of a prism from a triangle that was moved, by its size."""
BLOCK = 8192
"""Cells worked on at a time, so that what belongs to them stays in the cache."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class Couplings:
    """Pairs of corners of a kind of cell, and the coupling (p, 4, m) of each in each cell."""

    pairs: tuple[Pair, ...]
    values: Floats


@cache
def pairs_of(dataset: str) -> tuple[Pair, ...]:
    """All pairs of corners of a kind of cell: its edges first, then its diagonals."""
    edges = edges_of(dataset)
    every = combinations(range(KINDS[dataset].corners), 2)
    return edges + tuple(pair for pair in every if pair not in edges)


@cache
def edges_of(dataset: str) -> tuple[Pair, ...]:
    """Edges of a kind of cell as pairs of corners, the lower first."""
    kind = KINDS[dataset]
    sides = [
        (min(a, b), max(a, b))
        for face in kind.faces
        for a, b in zip(face, face[1:] + face[:1], strict=True)
    ]
    return tuple(sorted(set(sides)))


def cell_couplings(dataset: str, corners: list[Floats]) -> Couplings:
    """Return the couplings of cells of one kind.

    Args:
        dataset: name of the kind in level files.
        corners: one array (3, m) a corner, in VTK's order; flat kinds lie in the x-y plane.
    """
    pairs = pairs_of(dataset)
    count = corners[0].shape[1]
    values = np.empty((len(pairs), 4, count))
    for first in range(0, count, BLOCK):
        block = slice(first, first + BLOCK)
        values[:, :, block] = _block(dataset, [corner[:, block] for corner in corners])
    return Couplings(pairs, values)


def _block(dataset: str, corners: list[Floats]) -> Floats:
    splits = SPLITS[dataset]
    if dataset == QUADRILATERAL.dataset:
        return _quadrilateral(corners)
    values, sizes = _summed(dataset, splits, corners)
    values /= len(splits)
    if len(splits) == 1:
        return values
    if dataset == PRISM.dataset:
        values[:, 0] = np.where(_moved_triangle(corners), _prism_by_corners(corners), values[:, 0])
    bad = np.flatnonzero(~(sizes.min(axis=0) > FLAT * sizes.mean(axis=0)))
    if len(bad):
        values[:, :, bad] = by_centroids(dataset, [corner[:, bad] for corner in corners])
    return values


def _summed(
    dataset: str, splits: tuple[Split, ...], corners: list[Floats]
) -> tuple[Floats, Floats]:
    """Sums (p, 4, m) over all simplices of the splits, and the sizes (simplices, m) of these."""
    place = {pair: row for row, pair in enumerate(pairs_of(dataset))}
    values = np.zeros((len(place), 4, corners[0].shape[1]))
    sizes = []
    for simplex in (each for split in splits for each in split):
        found, size = _simplex([corners[corner] for corner in simplex])
        sizes.append(size)
        pairs = TRIANGLE_PAIRS if len(simplex) == 3 else TETRAHEDRON_PAIRS
        for (a, b), value in zip(pairs, found, strict=True):
            one, other = simplex[a], simplex[b]
            row = values[place[min(one, other), max(one, other)]]
            row[0] += value[0]
            row[1:] += value[1:] if one < other else -value[1:]
    return values, np.stack(sizes)


def _simplex(corners: list[Floats]) -> tuple[Floats, Floats]:
    return triangle_couplings(corners) if len(corners) == 3 else tetrahedron_couplings(corners)


def _quadrilateral(corners: list[Floats]) -> Floats:
    """Mean of both splits; of one where the other has a flat triangle or one inside out.

    The sides of a quadrilateral do not depend on the split, so that any mixture is exact.
    """
    dataset = QUADRILATERAL.dataset
    both = [_summed(dataset, (split,), corners) for split in QUADRILATERAL_SPLITS]
    smallest = np.stack([sizes.min(axis=0) for _, sizes in both])
    mean = both[0][1].mean(axis=0)
    good = (smallest > FLAT * mean) | (smallest == smallest.max(axis=0))
    share = good / good.sum(axis=0)
    result: Floats = both[0][0] * share[0] + both[1][0] * share[1]
    return result


def _moved_triangle(corners: list[Floats]) -> Bools:
    """Whether the second triangle of a prism is the first, moved along a straight line."""
    rise = [corners[a + 3] - corners[a] for a in range(3)]
    size = np.abs(rise[0]).max(axis=0) + np.abs(corners[1] - corners[0]).max(axis=0)
    bent = np.maximum(np.abs(rise[1] - rise[0]).max(axis=0), np.abs(rise[2] - rise[0]).max(axis=0))
    return np.asarray(bent <= AFFINE * size)


def _prism_by_corners(corners: list[Floats]) -> Floats:
    """Weights (p, m) of moved triangles: half of the tetrahedron of each corner and its neighbours.

    That is the trilinear element with corners as points of quadrature. A prism that stands
    upright couples along its edges alone: its triangles as P1 elements, and area over height.
    """
    values, _ = _summed(PRISM.dataset, (PRISM_CORNERS,), corners)
    weights: Floats = 0.5 * values[:, 0]
    return weights


def by_centroids(dataset: str, corners: list[Floats]) -> Floats:
    """Couplings (p, 4, m) by tetrahedra from the sides of faces to centroids of faces and cell.

    Centroids are means of corners and so are the values there: with u_f = sum of P_fa u_a the
    matrix is transpose(P) L P, and that of the faces, which changes its sign with the order of a
    pair, likewise.
    """
    kind = KINDS[dataset]
    k, count = kind.corners, corners[0].shape[1]
    matrix = np.zeros((k, k, 4, count))
    cell = np.full(k, 1.0 / k)
    centre = _mean(corners)
    for face in kind.faces:
        middle = _mean([corners[corner] for corner in face])
        at_face = np.zeros(k)
        at_face[list(face)] = 1.0 / len(face)
        for a, b in zip(face, face[1:] + face[:1], strict=True):
            found, _ = tetrahedron_couplings([corners[b], corners[a], middle, centre])
            rows = (np.eye(k)[b], np.eye(k)[a], at_face, cell)
            for (one, other), value in zip(TETRAHEDRON_PAIRS, found, strict=True):
                difference = rows[one] - rows[other]
                turn = np.outer(rows[one], rows[other])
                matrix[:, :, 0] -= np.outer(difference, difference)[:, :, None] * value[0]
                matrix[:, :, 1:] += (turn - turn.T)[:, :, None, None] * value[1:]
    return np.stack([matrix[a, b] for a, b in pairs_of(dataset)])


def _mean(points: list[Floats]) -> Floats:
    total = points[0].copy()
    for point in points[1:]:
        total += point
    total /= len(points)
    return total
