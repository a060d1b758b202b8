# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cells of a logical block, layer by layer along i, in VTK's order of corners.

At the leading and trailing edge of a blade, above its tip, a hexahedron is a wedge: it stays one
and names the nodes of its sharp edge twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.cells import BY_CORNERS, FLAT_BY_CORNERS
from halocline.mesh.elements import CellPattern, Face, bits, runs

if TYPE_CHECKING:
    from halocline.mesh.layout import Layout


def cell_offsets(layout: Layout) -> dict[str, Ints]:
    """Return the first cell above each i-plane, and all cells at the end, by kind that occurs."""
    ni, nj, nk = layout.shape
    active = layout.active_cells(np.arange(ni - 1))
    lattice = np.full(ni - 1, (nj - 1) * (1 if layout.flat else nk - 1))
    filled = lattice if active is None else active.sum(axis=(1, 2))
    counts: dict[str, Ints] = {}
    for layers, pattern in runs(layout.layer_cells()):
        for name, cells in by_kind(pattern, flat=layout.flat).items():
            count = counts.setdefault(name, np.zeros(layout.planes, dtype=np.int64))
            count[layers] = len(cells) * filled[layers]
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
    for layers, pattern in runs(layout.layer_cells()[first:last]):
        inside = None if active is None else active[layers]
        for name, kind in by_kind(pattern, flat=layout.flat).items():
            around = ids[layers.start : layers.stop + 1]
            corners = [[lattice_corner(around, at, layout.flat) for at in cell] for cell in kind]
            cells = np.stack([np.stack(each, axis=-1) for each in corners], axis=-2)
            cells = cells if inside is None else cells[inside]
            rows.setdefault(name, []).append(cells.reshape(-1, len(kind[0])))
    return {name: np.concatenate(parts) for name, parts in rows.items()}


def by_kind(pattern: CellPattern, *, flat: bool) -> dict[str, list[Face]]:
    """Return the cells of a pattern by dataset."""
    kinds = FLAT_BY_CORNERS if flat else BY_CORNERS
    found: dict[str, list[Face]] = {}
    for cell in pattern:
        found.setdefault(kinds[len(cell)].dataset, []).append(cell)
    return found


def lattice_corner(values: AnyArray, corner: int, flat: bool) -> AnyArray:
    """View of what is stored at one corner of every lattice cell; the last axes are (i, j, k)."""
    di, dj, dk = bits(corner)
    ni, nj, nk = values.shape[-3:]
    view: AnyArray = values[..., di : ni - 1 + di, dj : nj - 1 + dj, dk : nk - (not flat) + dk]
    return view
