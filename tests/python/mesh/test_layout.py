# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbering and coarsening of the logical block, against counting by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from halocline.mesh.layout import Blade, Layout, coarsen_lines, parent_lines

BLADES = [
    None,
    Blade(i_le=1, i_te=4, j_tip=2, k_lo=2, k_hi=4),
    Blade(i_le=2, i_te=4, j_tip=1, k_lo=1, k_hi=2),
    Blade(i_le=1, i_te=3, j_tip=3, k_lo=1, k_hi=4),
]


def layout(blade: Blade | None) -> Layout:
    return Layout(np.arange(6), np.arange(5), np.arange(7), blade)


def fluid_corners(mesh: Layout) -> list[list[tuple[int, int, int]]]:
    """Logical corners of every cell that is neither metal nor squeezed to nothing."""
    ni, nj, nk = mesh.shape
    cells = []
    for i, j, k in itertools.product(range(ni - 1), range(nj - 1), range(nk - 1)):
        b = mesh.blade
        if b and b.k_lo <= k < b.k_hi and not (b.i_le <= i < b.i_te and j >= b.j_tip):
            continue
        cells.append([(i + a, j + c, k + d) for a, c, d in itertools.product((0, 1), repeat=3)])
    return cells


def physical(mesh: Layout, corner: tuple[int, int, int]) -> tuple[int, int, int]:
    """The band is one point in columns that do not cross the blade."""
    i, j, k = corner
    b = mesh.blade
    if b and not b.i_le < i < b.i_te and b.k_lo <= k <= b.k_hi:
        k = b.k_lo
    return i, j, k


@pytest.mark.parametrize("blade", BLADES)
def test_layout_counts_equal_distinct_corners_and_pairs(blade: Blade | None) -> None:
    mesh = layout(blade)
    cells = fluid_corners(mesh)
    nodes = {physical(mesh, corner) for cell in cells for corner in cell}
    edges = set()
    for cell in cells:
        for one, other in itertools.combinations(cell, 2):
            if sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1:
                edges.add(frozenset((physical(mesh, one), physical(mesh, other))))
    proper_edges = {edge for edge in edges if len(edge) == 2}
    assert mesh.node_count() == len(nodes)
    assert mesh.edge_count() == len(proper_edges)


@pytest.mark.parametrize("blade", BLADES)
def test_node_ids_are_consecutive_and_shared_exactly_by_equal_points(blade: Blade | None) -> None:
    mesh = layout(blade)
    ids = mesh.node_ids(np.arange(6), mesh.plane_offsets())
    corners = {corner for cell in fluid_corners(mesh) for corner in cell}
    number = {physical(mesh, corner): int(ids[corner]) for corner in corners}
    assert sorted(number.values()) == list(range(mesh.node_count()))
    assert all(ids[corner] == number[physical(mesh, corner)] for corner in corners)
    first = ids[mesh.first_copies(np.arange(6))]
    np.testing.assert_array_equal(first, np.arange(mesh.node_count()))


def test_coarsen_lines_keeps_every_second_line_and_the_fixed_ones() -> None:
    even = coarsen_lines(np.arange(9), [0, 8])
    odd = coarsen_lines(np.arange(8), [0, 7])
    parts = coarsen_lines(np.arange(12), [0, 5, 11])
    np.testing.assert_array_equal(even, [0, 2, 4, 6, 8])
    np.testing.assert_array_equal(odd, [0, 2, 4, 6, 7])
    np.testing.assert_array_equal(parts, [0, 2, 4, 5, 7, 9, 11])


def test_coarsen_lines_stops_at_the_minimum() -> None:
    np.testing.assert_array_equal(coarsen_lines(np.array([0, 4, 8]), [0, 8], minimum=2), [0, 4, 8])


def test_parent_lines_are_at_or_below() -> None:
    fine, coarse = np.arange(8), np.array([0, 2, 4, 6, 7])
    np.testing.assert_array_equal(parent_lines(fine, coarse), [0, 0, 1, 1, 2, 2, 3, 4])
