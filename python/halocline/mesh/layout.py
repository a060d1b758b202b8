# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Logical layout of a mesh: a structured (i, j, k) block, optionally with a blade inside.

The blade occupies cells i_le <= i < i_te, j < j_tip, k_lo <= k < k_hi. Ahead of and behind it the
nodes of the band k_lo..k_hi fall on one node; above it the band is the tip gap. Columns of nodes
(fixed i and j) are therefore of three kinds, which is all that numbering needs to know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from halocline.mesh.arrays import Bools, Ints
from halocline.mesh.elements import (
    DIRECTIONS,
    HEX,
    CellPattern,
    Division,
    bits,
    edge_planes,
    layer_divisions,
)
from halocline.mesh.flat_elements import flat_layers
from halocline.mesh.row_counts import RowCounts, count_rows

MERGED, SPLIT, FULL = 0, 1, 2
"""Kinds of column: band is one node; band is blade metal; every node of the band exists."""


@dataclass(frozen=True)
class Blade:
    """Position of the blade in lines of one level."""

    i_le: int
    i_te: int
    j_tip: int
    k_lo: int
    k_hi: int

    @property
    def band(self) -> int:
        """Number of cells across the blade."""
        return self.k_hi - self.k_lo


@dataclass(frozen=True)
class Layout:
    """Lines of one level, given as indices of lines of the finest level; blade; elements.

    `elements` is one of elements.ELEMENTS; other than hexahedra go with blocks without a blade.
    A flat layout has one line k; it lies in the x-y plane. Where a direction wraps, its last line
    is the image of its first one and has no nodes of its own. `by_cells`: rows are computed cell
    by cell (cell_slab.py), as flat layouts and those that wrap need it. `orthogonal`: lines are
    straight and meet at right angles.
    """

    i_lines: Ints
    j_lines: Ints
    k_lines: Ints
    blade: Blade | None = None
    elements: str = HEX
    wraps: tuple[bool, bool, bool] = (False, False, False)
    by_cells: bool = False
    orthogonal: bool = False

    @property
    def shape(self) -> tuple[int, int, int]:
        """Number of lines in each direction."""
        return len(self.i_lines), len(self.j_lines), len(self.k_lines)

    @property
    def flat(self) -> bool:
        """Whether this is a mesh in the plane."""
        return len(self.k_lines) == 1

    @property
    def planes(self) -> int:
        """Number of i-planes with nodes of their own."""
        return len(self.i_lines) - self.wraps[0]

    @property
    def plane_shape(self) -> tuple[int, int]:
        """Nodes of their own of an i-plane along j and k, where there is no blade."""
        return len(self.j_lines) - self.wraps[1], len(self.k_lines) - self.wraps[2]

    def column_kinds(self, i: Ints) -> Ints:
        """Kind of each column of the planes i; shape (len(i), nj)."""
        nj = self.shape[1]
        if self.blade is None:
            return np.full((len(i), nj), FULL)
        inside = (i > self.blade.i_le) & (i < self.blade.i_te)
        over_tip = np.arange(nj) >= self.blade.j_tip
        in_blade = np.where(over_tip, FULL, SPLIT)
        return np.where(inside[:, None], in_blade[None, :], MERGED)

    def nodes_by_kind(self) -> Ints:
        """Number of nodes in a column of each kind."""
        nk = self.shape[2]
        if self.blade is None:
            return np.array([nk, nk, nk])
        outside = nk - 1 - self.blade.band
        return np.array([outside + 1, outside + 2, nk])

    def plane_offsets(self) -> Ints:
        """First node of each i-plane, and the number of nodes at the end; shape (planes + 1,)."""
        if self.by_cells:
            return np.arange(self.planes + 1) * math.prod(self.plane_shape)
        per_plane = self.nodes_by_kind()[self.column_kinds(np.arange(self.shape[0]))].sum(axis=1)
        return np.concatenate([[0], np.cumsum(per_plane)])

    def node_count(self) -> int:
        """Number of nodes."""
        return int(self.plane_offsets()[-1])

    def edge_offsets(self) -> Ints:
        """First edge of each i-plane (an edge belongs to its lower node); shape (planes + 1,)."""
        ni = self.shape[0]
        if self.by_cells:
            return self.row_counts.edge_offsets
        if self.elements != HEX:
            return np.concatenate([[0], np.cumsum(self._element_edges())])
        kinds = self.column_kinds(np.arange(ni))
        nodes = self.nodes_by_kind()
        along_k = nodes[kinds] - 1
        if self.blade is not None:
            along_k = along_k - (kinds == SPLIT)
        between = np.array([[0, 1, 2], [1, 1, 1], [2, 1, 2]])
        along_j = nodes[between[kinds[:, :-1], kinds[:, 1:]]]
        along_i = np.zeros_like(kinds)
        along_i[:-1] = nodes[between[kinds[:-1], kinds[1:]]]
        per_plane = along_k.sum(axis=1) + along_j.sum(axis=1) + along_i.sum(axis=1)
        return np.concatenate([[0], np.cumsum(per_plane)])

    def _element_edges(self) -> Ints:
        """Number of edges that start on each i-plane of a block divided into elements."""
        _, nj, nk = self.shape
        steps = np.array([bits(direction) for direction in DIRECTIONS])
        per_direction = (nj - steps[:, 1]) * (nk - steps[:, 2])
        edges: Ints = edge_planes(self.divisions()) @ per_direction
        return edges

    def divisions(self) -> list[Division]:
        """Division of the cells of each layer along i of a solid block."""
        return layer_divisions(self.elements, self.shape[0] - 1)

    def layer_cells(self) -> list[CellPattern]:
        """What the cells of each layer along i are."""
        if self.flat:
            return flat_layers(self.elements, self.shape[0] - 1)
        return [division.cells for division in self.divisions()]

    @cached_property
    def row_counts(self) -> RowCounts:
        """Edges and diagonals of each i-plane."""
        return count_rows(self)

    def edge_count(self) -> int:
        """Number of edges."""
        return int(self.edge_offsets()[-1])

    def node_ids(self, i: Ints, offsets: Ints) -> Ints:
        """Node numbers of the planes i; shape (len(i), nj, nk), -1 inside the blade.

        Args:
            i: plane indices.
            offsets: result of plane_offsets().
        """
        if self.by_cells:
            nj, nk = self.plane_shape
            j, k = np.arange(self.shape[1]) % nj, np.arange(self.shape[2]) % nk
            in_plane = j[:, None] * nk + k
            return offsets[i % self.planes][:, None, None] + in_plane
        kinds = self.column_kinds(i)
        counts = self.nodes_by_kind()[kinds]
        base = np.cumsum(counts, axis=1) - counts + offsets[i][:, None]
        k = np.arange(self.shape[2])
        if self.blade is None:
            return base[:, :, None] + k
        lo, hi, band = self.blade.k_lo, self.blade.k_hi, self.blade.band
        within = np.stack(
            [
                np.where(k <= lo, k, np.where(k <= hi, lo, k - band)),
                np.where(k <= lo, k, k - band + 1),
                k,
            ]
        )
        ids: Ints = base[:, :, None] + within[kinds]
        metal = (kinds == SPLIT)[:, :, None] & ((k > lo) & (k < hi))
        ids[metal] = -1
        return ids

    def first_copies(self, i: Ints) -> Bools:
        """True for the logical nodes of planes i that stand for a node of their own."""
        kinds = self.column_kinds(i)
        k = np.arange(self.shape[2])
        if self.blade is None:
            own = np.ones((*kinds.shape, len(k)), dtype=bool)
            own[:, self.plane_shape[0] :] = False
            own[:, :, self.plane_shape[1] :] = False
            return own
        lo, hi = self.blade.k_lo, self.blade.k_hi
        keep = np.stack([(k <= lo) | (k > hi), (k <= lo) | (k >= hi), np.ones(len(k), bool)])
        result: Bools = keep[kinds]
        return result

    def active_cells(self, i: Ints) -> Bools | None:
        """True for cells filled with fluid in the layers i; None when all are."""
        if self.blade is None:
            return None
        _, nj, nk = self.shape
        b = self.blade
        passage = (i >= b.i_le) & (i < b.i_te)
        gap = passage[:, None] & (np.arange(nj - 1) >= b.j_tip)
        band = (np.arange(nk - 1) >= b.k_lo) & (np.arange(nk - 1) < b.k_hi)
        active: Bools = gap[:, :, None] | ~band
        return active


def coarsen_lines(lines: Ints, fixed: list[int], minimum: int = 1) -> Ints:
    """Keep every second line between the fixed ones, which always stay.

    Args:
        lines: ascending line indices (of the finest level), first and last fixed.
        fixed: line indices (of the finest level) that no level may lose.
        minimum: stop at this number of cells between two fixed lines.
    """
    kept = [lines[:1]]
    for start, end in pairwise(fixed):
        part = lines[(lines >= start) & (lines <= end)]
        if len(part) - 1 > minimum:
            part = np.concatenate([part[:-1:2], part[-1:]])
        kept.append(part[1:])
    return np.concatenate(kept)


def parent_lines(fine: Ints, coarse: Ints) -> Ints:
    """For each fine line the position of the coarse line at or below it."""
    position: Ints = np.searchsorted(coarse, fine, side="right") - 1
    return position
