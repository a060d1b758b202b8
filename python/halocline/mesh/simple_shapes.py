# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes without a blade: box, annular sector, channel with a bump, lid-driven cavity."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from halocline.mesh import groups
from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.block_shape import (
    Sides,
    block_of,
    block_shape,
    clustered_lines,
    parameters_of,
    rectilinear,
    wall_clustered,
)
from halocline.mesh.request import Request
from halocline.mesh.shape import Rotation, Shape
from halocline.mesh.sizing import Part


def make_box(request: Request) -> Shape:
    """A box of cells of size 1: inlet and outlet in x, walls in y, far field in z."""
    block = block_of(request, ((Part(1.0),),) * 3, may_wrap="xyz")
    lines = [
        n * line
        for n, line in zip(block.counts, clustered_lines(block, request.stretch), strict=True)
    ]
    sides = (
        ("inlet", groups.INLET),
        ("outlet", groups.OUTLET),
        ("lower wall", groups.LOWER_WALL),
        ("upper wall", groups.UPPER_WALL),
        ("far field", groups.FAR_FIELD),
        ("far field", groups.FAR_FIELD),
    )
    parameters = parameters_of(request, block.counts)
    return straight(block_shape("box", block, rectilinear(lines), sides, parameters), lines)


def make_sector(request: Request) -> Shape:
    """An annular sector about the x axis with cells of size about 1 and bulging sides.

    Hub radius 0.75, casing 1.25 and length 1 in units of the mean radius at the default
    proportions; the sides are 0.25 rad apart and shifted by 0.04 sin(pi x / length).
    """
    block = block_of(request, ((Part(4.0),), (Part(2.0),), (Part(1.0),)))
    n_axial, n_radial, n_pitch = block.counts
    pitch = 0.25
    mean_radius = n_pitch / pitch
    length, height = float(n_axial), min(float(n_radial), 1.6 * mean_radius)
    x_line = length * np.arange(n_axial + 1) / n_axial
    r_line = mean_radius + height * (wall_clustered(n_radial, request.stretch) - 0.5)
    theta_line = pitch * (wall_clustered(n_pitch, request.stretch) - 0.5)

    def coordinates(i: Ints, j: Ints, k: Ints) -> Floats:
        x, r = x_line[i][:, None, None], r_line[j][None, :, None]
        theta = theta_line[k] + 0.04 * np.sin(math.pi * x / length)
        return _cylindrical(x, r, theta)

    sides = (
        ("inlet", groups.INLET),
        ("outlet", groups.OUTLET),
        ("hub", groups.HUB),
        ("casing", groups.SHROUD),
        ("periodic lower", groups.PERIODIC_LOWER),
        ("periodic upper", groups.PERIODIC_UPPER),
    )
    rotation = Rotation((1.0, 0.0, 0.0), pitch)
    parameters = parameters_of(request, block.counts)
    return block_shape("sector", block, coordinates, sides, parameters, rotation)


def make_bump(request: Request) -> Shape:
    """A channel 3 x 1 x 0.5 with a smooth bump 0.1 exp(-25 (x - 1.5)^2) on the lower wall."""
    block = block_of(request, ((Part(3.0),), (Part(1.0),), (Part(0.5),)))
    counts = block.counts
    x_line = 3.0 * np.arange(counts[0] + 1) / counts[0]
    z_line = np.zeros(1) if request.flat else 0.5 * np.arange(counts[2] + 1) / counts[2]
    eta = wall_clustered(counts[1], request.stretch)

    def coordinates(i: Ints, j: Ints, k: Ints) -> Floats:
        x = x_line[i][:, None, None]
        floor = 0.1 * np.exp(-25.0 * (x - 1.5) ** 2)
        y = floor + (1.0 - floor) * eta[j][None, :, None]
        return np.stack(np.broadcast_arrays(x, y, z_line[k]))

    sides = (
        ("inlet", groups.INLET),
        ("outlet", groups.OUTLET),
        ("lower wall", groups.LOWER_WALL),
        ("upper wall", groups.UPPER_WALL),
        ("side wall", groups.SIDE_WALL),
        ("side wall", groups.SIDE_WALL),
    )
    return block_shape("bump", block, coordinates, sides, parameters_of(request, counts))


def make_cavity(request: Request) -> Shape:
    """The unit cube or square with resting walls and a lid (group 1) at y = 1 that slides along x.

    In the plane the lid and the three other sides are all there is.
    """
    block = block_of(request, ((Part(1.0),),) * 3)
    lines = [wall_clustered(n, request.stretch) for n in block.counts]
    wall, side = ("wall", groups.LOWER_WALL), ("side wall", groups.SIDE_WALL)
    sides: Sides = (wall, wall, wall, ("lid", groups.LID), side, side)
    parameters = parameters_of(request, block.counts)
    return straight(block_shape("cavity", block, rectilinear(lines), sides, parameters), lines)


def straight(shape: Shape, lines: list[Floats]) -> Shape:
    """Say that the lines of a shape are straight, and how long the directions are that wrap."""
    lengths = [float(line[-1] - line[0]) for line in lines] + [0.0]
    x, y, z = (
        length if wraps else 0.0 for length, wraps in zip(lengths, shape.layout.wraps, strict=False)
    )
    return replace(shape, layout=replace(shape.layout, orthogonal=True), periods=(x, y, z))


def _cylindrical(x: Floats, r: Floats, theta: Floats) -> Floats:
    return np.stack(np.broadcast_arrays(x, r * np.cos(theta), r * np.sin(theta)))
