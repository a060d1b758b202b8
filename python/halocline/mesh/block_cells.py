# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cells of a logical block, layer by layer along i, in VTK's order of corners.

At the leading and trailing edge of a blade, above its tip, a hexahedron is a wedge: it stays one
and names the nodes of its sharp edge twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halocline.mesh.arrays import Ints
from halocline.mesh.cells import BY_CORNERS
from halocline.mesh.elements import Division, bits, runs

if TYPE_CHECKING:
    from halocline.mesh.layout import Layout


def cell_offsets(layout: Layout) -> dict[str, Ints]:
    """Return the first cell above each i-plane, and all cells at the end, by kind that occurs."""
    ni, nj, nk = layout.shape
    active = layout.active_cells(np.arange(ni - 1))
    lattice = np.full(ni - 1, (nj - 1) * (nk - 1))
    filled = lattice if active is None else active.sum(axis=(1, 2))
    counts: dict[str, Ints] = {}
    for layers, division in runs(layout.divisions()):
        for name, corners in _by_kind(division).items():
            count = counts.setdefault(name, np.zeros(ni, dtype=np.int64))
            count[layers] = len(corners) * filled[layers]
    return {name: np.concatenate([[0], np.cumsum(count)]) for name, count in counts.items()}


def block_cells(ids: Ints, layout: Layout, planes: tuple[int, int]) -> dict[str, Ints]:
    """Return the corners (n, corners) of the cells above the planes first..last-1, by dataset.

    Args:
        ids: nodes of these planes and the next (if there is one), (n, nj, nk).
        layout: lines of the level.
        planes: (first, last).
    """
    first, last = planes[0], min(planes[1], layout.shape[0] - 1)
    active = layout.active_cells(np.arange(first, last))
    rows: dict[str, list[Ints]] = {}
    for layers, division in runs(layout.divisions()[first:last]):
        inside = None if active is None else active[layers]
        for name, elements in _by_kind(division).items():
            corners = [
                [_at_corner(ids[layers.start : layers.stop + 1], corner) for corner in element]
                for element in elements
            ]
            cells = np.stack([np.stack(each, axis=-1) for each in corners], axis=-2)
            cells = cells if inside is None else cells[inside]
            rows.setdefault(name, []).append(cells.reshape(-1, len(elements[0])))
    return {name: np.concatenate(parts) for name, parts in rows.items()}


def _by_kind(division: Division) -> dict[str, list[tuple[int, ...]]]:
    """Return the elements of a cell as corners in VTK's order, by dataset."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for element in division.elements:
        name = BY_CORNERS[len(element.corners)].dataset
        found.setdefault(name, []).append(element.vtk_corners)
    return found


def _at_corner(ids: Ints, corner: int) -> Ints:
    di, dj, dk = bits(corner)
    ni, nj, nk = ids.shape
    return ids[di : ni - 1 + di, dj : nj - 1 + dj, dk : nk - 1 + dk]
