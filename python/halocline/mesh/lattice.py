# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Some i-planes of a block with the cells between them: node numbers and places of corners.

Where a direction wraps, cells at its end name the nodes at its start but see them at the places of
their images, one period on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.block_cells import by_kind, lattice_corner
from halocline.mesh.elements import CellPattern, runs

if TYPE_CHECKING:
    from collections.abc import Callable

    from halocline.mesh.layout import Layout

    Coordinates = Callable[[Ints, Ints, Ints], Floats]


@dataclass(frozen=True)
class CellBatch:
    """Cells of one kind: node numbers (m,) and places (3, m) of each corner, in VTK's order."""

    dataset: str
    ids: list[Ints]
    places: list[Floats]


@dataclass(frozen=True)
class Lattice:
    """Planes low.. of a block, of which `own` (counted from low) are wanted.

    ids (n, nj, nk); nodes (3, n, nj, nk); patterns and active cells of the n - 1 layers between.
    """

    layout: Layout
    ids: Ints
    nodes: Floats
    patterns: list[CellPattern]
    active: Bools | None
    low: int
    own: slice

    @property
    def own_range(self) -> tuple[int, int]:
        """First node of the own planes, and the first behind them."""
        offsets = self.layout.plane_offsets()
        return int(offsets[self.low + self.own.start]), int(offsets[self.low + self.own.stop])

    def batches(self) -> Iterator[CellBatch]:
        """Yield all cells, a kind and a run of equal layers at a time."""
        for layers, pattern in runs(self.patterns):
            planes = slice(layers.start, layers.stop + 1)
            inside = None if self.active is None else self.active[layers]
            for dataset, cells in by_kind(pattern, flat=self.layout.flat).items():
                for cell in cells:
                    yield CellBatch(
                        dataset,
                        [self._at(self.ids[planes], corner, inside) for corner in cell],
                        [self._at(self.nodes[:, planes], corner, inside) for corner in cell],
                    )

    def _at(self, values: AnyArray, corner: int, inside: Bools | None) -> AnyArray:
        view = lattice_corner(values, corner, self.layout.flat)
        head = view.shape[:-3]
        return view.reshape(*head, -1) if inside is None else view[..., inside]


def lattice_of(
    layout: Layout, coordinates: Coordinates, offsets: Ints, planes: tuple[int, int]
) -> Lattice:
    """Return the planes first..last-1 with the next plane on either side, where there is one.

    All planes of a direction that wraps have each layer once, the last one behind them.
    """
    everything = planes == (0, layout.planes)
    low = planes[0] - 1 if planes[0] > 0 or (layout.wraps[0] and not everything) else 0
    high = min(planes[1] + 1, layout.shape[0])
    at = np.arange(low, high)
    layers = at[:-1] % (layout.shape[0] - 1)
    patterns = layout.layer_cells()
    return Lattice(
        layout=layout,
        ids=layout.node_ids(at, offsets),
        nodes=_places(layout, coordinates, at),
        patterns=[patterns[layer] for layer in layers],
        active=layout.active_cells(layers),
        low=low,
        own=slice(planes[0] - low, planes[1] - low),
    )


def _places(layout: Layout, coordinates: Coordinates, at: Ints) -> Floats:
    """Coordinates (3, n, nj, nk) of planes; plane -1 is the last but one, a period back."""
    before = at[0] < 0
    lines = layout.i_lines[at[1:] if before else at]
    nodes = coordinates(lines, layout.j_lines, layout.k_lines)
    if not before:
        return nodes
    ends = coordinates(layout.i_lines[[0, -2, -1]], layout.j_lines, layout.k_lines)
    image = ends[:, 1:2] + (ends[:, 0:1] - ends[:, 2:3])
    return np.concatenate([image, nodes], axis=1)
