# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What shapes of one block without a blade share: cell counts, straight lines, sides, periodicity.

A block is flat where the request is: it then has the directions i and j and four sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.dual import Family
from halocline.mesh.layout import Layout
from halocline.mesh.request import Request
from halocline.mesh.shape import Rotation, Shape, fixed_lines, full_layout
from halocline.mesh.sizing import Cells, Part, choose_cells
from halocline.mesh.slab import Coordinates
from halocline.mesh.stretch import stretch

FEWEST_WRAPPED = 3
"""Cells along a direction that wraps: with two, a node would have the same neighbour twice."""

Sides = tuple[tuple[str, int], ...]
"""Name and group of the surfaces i = first, i = last, j = first, j = last, k = first, k = last."""
Directions = tuple[tuple[Part, ...], ...]


@dataclass(frozen=True)
class Block:
    """Lines of the finest level and the cells of every part of each direction."""

    layout: Layout
    cells: Cells

    @property
    def counts(self) -> list[int]:
        """Cells of each direction."""
        return [sum(parts) for parts in self.cells]


def block_of(request: Request, directions: Directions, may_wrap: str = "") -> Block:
    """Choose the cells of a block.

    Args:
        request: size, proportions, directions that wrap.
        directions: parts of i, j and k; weights are relative numbers of cells.
        may_wrap: which of x, y, z, the directions of i, j, k, the shape lets wrap.
    """
    wraps = _wraps(request, may_wrap)
    wanted = _weighted(request, directions[: 2 if request.flat else 3])
    parts = tuple(
        tuple(replace(p, minimum=FEWEST_WRAPPED) if wrapped else p for p in direction)
        for direction, wrapped in zip(wanted, wraps, strict=False)
    )
    cells = _given(request.cells, parts) if request.cells else _chosen(request, parts, wraps)
    layout = full_layout(cells)
    return Block(replace(layout, wraps=wraps, by_cells=layout.by_cells or any(wraps)), cells)


def _wraps(request: Request, may_wrap: str) -> tuple[bool, bool, bool]:
    for letter in request.periodic:
        if letter not in may_wrap or (letter == "z" and request.flat):
            able = ", ".join(each for each in may_wrap if each != "z" or not request.flat)
            raise UsageError(
                f"--periodic {request.periodic}: this shape cannot be periodic along '{letter}'."
                + (f" It can be along {able}." if able else " Leave --periodic out.")
            )
    return "x" in request.periodic, "y" in request.periodic, "z" in request.periodic


def _weighted(request: Request, directions: Directions) -> Directions:
    """Scale the parts so that the directions have the proportions asked for."""
    if request.aspect is None:
        return directions
    if min(request.aspect) <= 0.0:
        raise UsageError("--aspect: proportions must be positive numbers. Give e.g. 4,2,1.")
    if len(request.aspect) < len(directions):
        raise UsageError("--aspect: a mesh in space needs three proportions. Give e.g. 4,2,1.")
    return tuple(
        tuple(replace(p, weight=weight * (p.weight / sum(q.weight for q in parts))) for p in parts)
        for weight, parts in zip(request.aspect, directions, strict=False)
    )


def _chosen(request: Request, parts: Directions, wraps: tuple[bool, bool, bool]) -> Cells:
    return choose_cells(
        parts,
        lambda cells: math.prod(
            sum(each) + (not wrapped) for each, wrapped in zip(cells, wraps, strict=False)
        ),
        request.nodes,
        request.levels,
    )


def _given(counts: tuple[int, ...], directions: Directions) -> Cells:
    """Divide given numbers of cells among the parts."""
    if len(counts) != len(directions):
        raise UsageError(
            f"--cells {','.join(map(str, counts))}: this mesh has {len(directions)} directions."
            f" Give {len(directions)} numbers."
        )
    cells = []
    for count, parts in zip(counts, directions, strict=True):
        total = sum(part.weight for part in parts)
        shares = [count * part.weight / total for part in parts]
        if any(s != round(s) or s < p.minimum for s, p in zip(shares, parts, strict=True)):
            fewest = sum(part.minimum for part in parts)
            raise InvalidInputError(
                f"--cells: {count} cells cannot be divided among the parts of a direction of this"
                f" shape. Give a multiple of {len(parts)}, at least {fewest}."
            )
        cells.append(tuple(round(share) for share in shares))
    return tuple(cells)


def wall_clustered(cells: int, ratio: float) -> Floats:
    """Lines 0..1 whose spacing at both ends is `ratio` times finer than the uniform one."""
    return stretch(np.arange(cells + 1) / cells, 1.0 / ratio, 1.0 / ratio)


def clustered_lines(block: Block, ratio: float) -> list[Floats]:
    """Lines 0..1 of each direction, clustered at the ends of those that do not wrap."""
    return [
        wall_clustered(count, 1.0 if wrapped else ratio)
        for count, wrapped in zip(block.counts, block.layout.wraps, strict=False)
    ]


def rectilinear(lines: list[Floats]) -> Coordinates:
    """Coordinates of straight lines at right angles; with two directions in the plane z = 0."""
    every = [*lines, np.zeros(1)] if len(lines) == 2 else lines

    def coordinates(i: Ints, j: Ints, k: Ints) -> Floats:
        return np.stack(np.meshgrid(every[0][i], every[1][j], every[2][k], indexing="ij"))

    return coordinates


def parameters_of(request: Request, counts: list[int]) -> dict[str, object]:
    """What is stored of the request, besides elements and perturbation."""
    stored: dict[str, object] = {"cells": counts, "stretch": request.stretch}
    return stored | ({"periodic": request.periodic} if request.periodic else {})


def block_shape(
    name: str,
    block: Block,
    coordinates: Coordinates,
    sides: Sides,
    parameters: dict[str, object],
    periodic: Rotation | None = None,
) -> Shape:
    """Return a shape whose sides are one boundary surface each."""
    layout = block.layout
    sides = sides[:4] if layout.flat else sides
    kept = [side for number, side in enumerate(sides) if not layout.wraps[number // 2]]
    fixed = [fixed_lines(parts) for parts in block.cells]
    return Shape(
        name=name,
        layout=layout,
        fixed=(fixed[0], fixed[1], fixed[2] if len(fixed) == 3 else [0]),
        minimum=coarsest(layout.wraps),
        coordinates=coordinates,
        families=lambda level: box_families(level, sides),
        group_names={group: side for side, group in kept},
        parameters=parameters,
        periodic=periodic,
        unit_cells=name in ("box", "sector") and parameters["stretch"] == 1.0,
    )


def coarsest(wraps: tuple[bool, bool, bool]) -> tuple[int, int, int]:
    """Cells of a direction that are not halved any more; the half must be FEWEST_WRAPPED."""
    i, j, k = (2 * FEWEST_WRAPPED - 1 if wrapped else 1 for wrapped in wraps)
    return i, j, k


def box_families(layout: Layout, sides: Sides) -> list[Family]:
    """The sides of a logical block without a blade, all of each; no sides k of a flat one."""
    families = []
    for number, (name, group) in enumerate(sides):
        axis, last = divmod(number, 2)
        if not layout.wraps[axis] and not (layout.flat and axis == 2):
            families.append(side_family(layout, (name, group), axis, last=bool(last)))
    return families


def side_family(
    layout: Layout, named: tuple[str, int], axis: int, *, last: bool, mask: Bools | None = None
) -> Family:
    """A boundary surface on a side of a block: all of it, or the cells that the mask says."""
    directions = layout.shape[:2] if layout.flat else layout.shape
    others = [n - 1 for a, n in enumerate(directions) if a != axis]
    mask = np.ones(others, dtype=bool) if mask is None else mask
    index = layout.shape[axis] - 1 if last else 0
    return Family(named[0], named[1], axis, index, 1 if last else -1, mask)
