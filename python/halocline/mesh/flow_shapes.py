# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes for incompressible flow: channel, backward-facing step, periodic box.

All are blocks of straight lines at right angles, in the plane or in space.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from halocline.errors import UsageError
from halocline.mesh import groups
from halocline.mesh.arrays import Floats
from halocline.mesh.block_shape import (
    Block,
    Sides,
    block_of,
    block_shape,
    box_families,
    clustered_lines,
    parameters_of,
    rectilinear,
    side_family,
    wall_clustered,
)
from halocline.mesh.dual import Family
from halocline.mesh.layout import Layout
from halocline.mesh.request import Request
from halocline.mesh.shape import Shape
from halocline.mesh.simple_shapes import straight
from halocline.mesh.sizing import Part

CHANNEL_LENGTH = 4.0
STEP_LENGTH = 30.0
"""In heights of the channel behind the step, as in Gartling's test case."""

INLET, OUTLET = ("inlet", groups.INLET), ("outlet", groups.OUTLET)
WALL, UPPER = ("wall", groups.LOWER_WALL), ("upper wall", groups.UPPER_WALL)
LOWER, SIDE = ("lower wall", groups.LOWER_WALL), ("side wall", groups.SIDE_WALL)


def make_channel(request: Request) -> Shape:
    """A channel of height 1 and length 4 along x, in space of depth 1, with walls on its sides.

    Along x and z it may be periodic.
    """
    block = block_of(request, ((Part(CHANNEL_LENGTH),), (Part(1.0),), (Part(1.0),)), "xz")
    sizes = (CHANNEL_LENGTH, 1.0, 1.0)
    ratios = (1.0, request.stretch, request.stretch)
    lines = [
        size * wall_clustered(count, 1.0 if wrapped else ratio)
        for size, count, ratio, wrapped in zip(
            sizes, block.counts, ratios, block.layout.wraps, strict=False
        )
    ]
    return _shape("channel", block, lines, (INLET, OUTLET, LOWER, UPPER, SIDE, SIDE), request)


def make_step(request: Request) -> Shape:
    """A channel of height 1 behind a backward-facing step of half its height.

    The step is the lower half of the side x = 0, the inlet the upper half: -0.5 <= y <= 0.5,
    0 <= x <= 30. Source: D. K. Gartling, "A test problem for outflow boundary conditions - flow
    over a backward-facing step", Int. J. Numer. Methods Fluids 11 (1990) 953-967,
    doi:10.1002/fld.1650110704.
    """
    parts = ((Part(0.5 * STEP_LENGTH),), (Part(0.5), Part(0.5)), (Part(1.0),))
    block = block_of(request, parts, "z")
    below, above = block.cells[1]
    halves = wall_clustered(below, request.stretch), wall_clustered(above, request.stretch)
    y_line = np.concatenate([0.5 * halves[0] - 0.5, 0.5 * halves[1][1:]])
    lines = [np.linspace(0.0, STEP_LENGTH, block.counts[0] + 1), y_line]
    if not request.flat:
        ratio = 1.0 if block.layout.wraps[2] else request.stretch
        lines.append(wall_clustered(block.counts[2], ratio))

    def families(level: Layout) -> list[Family]:
        edge = int(np.searchsorted(level.j_lines, below))
        lower = np.arange(level.shape[1] - 1) < edge
        if not level.flat:
            lower = np.repeat(lower[:, None], level.shape[2] - 1, axis=1)
        step = side_family(level, WALL, 0, last=False, mask=lower)
        inlet = side_family(level, INLET, 0, last=False, mask=~lower)
        return [step, inlet, *box_families(level, sides)[1:]]

    sides: Sides = (INLET, OUTLET, WALL, UPPER, SIDE, SIDE)
    return replace(_shape("step", block, lines, sides, request), families=families)


def make_periodic_box(request: Request) -> Shape:
    """A square or cube of side 2 pi that is periodic in all directions."""
    if request.stretch != 1.0:
        raise UsageError("periodic-box has no walls to stretch towards. Leave out --stretch.")
    every = replace(request, periodic="xy" if request.flat else "xyz")
    block = block_of(every, ((Part(1.0),),) * 3, "xyz")
    lines = [2.0 * math.pi * line for line in clustered_lines(block, 1.0)]
    return _shape("periodic-box", block, lines, (WALL,) * 6, every)


def _shape(name: str, block: Block, lines: list[Floats], sides: Sides, request: Request) -> Shape:
    cells = replace(block, layout=replace(block.layout, by_cells=True))
    parameters = parameters_of(request, block.counts)
    return straight(block_shape(name, cells, rectilinear(lines), sides, parameters), lines)
