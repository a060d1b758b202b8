# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a mesh generator provides: lines, coordinates, boundary surfaces; and its coarser levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from halocline.errors import InvalidInputError
from halocline.mesh.arrays import Ints
from halocline.mesh.dual import Family
from halocline.mesh.layout import Blade, Layout, coarsen_lines, parent_lines
from halocline.mesh.sizing import Cells
from halocline.mesh.slab import Coordinates


@dataclass(frozen=True)
class Rotation:
    """Periodicity of the sides k = first and k = last: the second is the first, rotated."""

    axis: tuple[float, float, float]
    angle_rad: float


@dataclass(frozen=True)
class Shape:
    """A structured mesh of the finest level, ready to be evaluated slab by slab.

    `fixed` lists, for each direction, the lines that every level keeps; `minimum` the fewest
    cells that may remain between them. `unit_cells`: cells have size 1 in the length unit.
    `periods`: how far apart a node and its image are in each direction that wraps, else 0.
    """

    name: str
    layout: Layout
    fixed: tuple[list[int], list[int], list[int]]
    minimum: tuple[int, int, int]
    coordinates: Coordinates
    families: Callable[[Layout], list[Family]]
    group_names: dict[int, str]
    parameters: dict[str, object]
    length_unit: str = "1"
    periodic: Rotation | None = None
    unit_cells: bool = False
    periods: tuple[float, float, float] = (0.0, 0.0, 0.0)


def fixed_lines(cells: tuple[int, ...]) -> list[int]:
    """Lines between the parts of a direction, with the first and the last."""
    return [int(line) for line in np.concatenate([[0], np.cumsum(cells)])]


def full_layout(cells: Cells, blade: Blade | None = None) -> Layout:
    """Layout of the finest level; two directions make a flat one."""
    lines = [np.arange(sum(parts) + 1) for parts in cells]
    if len(lines) == 2:
        return Layout(lines[0], lines[1], np.zeros(1, np.int64), by_cells=True)
    return Layout(lines[0], lines[1], lines[2], blade)


def level_layouts(shape: Shape, levels: int) -> list[Layout]:
    """Layouts from the finest to the coarsest level, each keeping every second line."""
    layouts = [shape.layout]
    for level in range(1, levels):
        layouts.append(_coarser(shape, layouts[-1]))
        if layouts[-1].node_count() == layouts[-2].node_count():
            raise InvalidInputError(
                f"--levels {levels}: level {level - 1} has only {layouts[-2].node_count()} nodes"
                f" and cannot be coarsened. Ask for at most {level} levels or more nodes."
            )
    return layouts


def parents(fine: Layout, coarse: Layout, i: Ints, offsets: Ints) -> Ints:
    """Coarse node of each node of the fine planes i.

    Args:
        fine, coarse: two consecutive levels.
        i: planes of the fine level.
        offsets: plane offsets of the coarse level.
    """
    parent_i = parent_lines(fine.i_lines[i], coarse.i_lines)
    parent_j = parent_lines(fine.j_lines, coarse.j_lines)
    parent_k = parent_lines(fine.k_lines, coarse.k_lines)
    planes, position = np.unique(parent_i, return_inverse=True)
    ids = coarse.node_ids(planes, offsets)
    logical = ids[position][:, parent_j][:, :, parent_k]
    return logical[fine.first_copies(i)]


def _coarser(shape: Shape, fine: Layout) -> Layout:
    lines = [
        coarsen_lines(kept, fixed, minimum)
        for kept, fixed, minimum in zip(
            (fine.i_lines, fine.j_lines, fine.k_lines), shape.fixed, shape.minimum, strict=True
        )
    ]
    blade = _blade_on(shape.layout.blade, lines)
    return replace(fine, i_lines=lines[0], j_lines=lines[1], k_lines=lines[2], blade=blade)


def _blade_on(finest: Blade | None, lines: list[Ints]) -> Blade | None:
    if finest is None:
        return None
    i, j, k = lines
    return Blade(
        i_le=int(np.searchsorted(i, finest.i_le)),
        i_te=int(np.searchsorted(i, finest.i_te)),
        j_tip=int(np.searchsorted(j, finest.j_tip)),
        k_lo=int(np.searchsorted(k, finest.k_lo)),
        k_hi=int(np.searchsorted(k, finest.k_hi)),
    )
