# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes without a blade: box, annular sector, channel with a bump, lid-driven cavity."""

from __future__ import annotations

import math

import numpy as np

from halocline.errors import UsageError
from halocline.mesh import groups
from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.dual import Family
from halocline.mesh.layout import Layout
from halocline.mesh.request import Request
from halocline.mesh.shape import Rotation, Shape, fixed_lines, full_layout
from halocline.mesh.sizing import Part, choose_cells
from halocline.mesh.stretch import stretch

Sides = tuple[tuple[str, int], ...]
"""Name and group of the surfaces i = first, i = last, j = first, j = last, k = first, k = last."""


def make_box(request: Request) -> Shape:
    """A box of cells of size 1: inlet and outlet in x, walls in y, far field in z."""
    layout, counts = _grid(request, (1.0, 1.0, 1.0))
    lines = [n * _wall_clustered(n, request.stretch) for n in counts]

    def coordinates(i: Ints, j: Ints, k: Ints) -> Floats:
        return np.stack(np.meshgrid(lines[0][i], lines[1][j], lines[2][k], indexing="ij"))

    sides = (
        ("inlet", groups.INLET),
        ("outlet", groups.OUTLET),
        ("lower wall", groups.LOWER_WALL),
        ("upper wall", groups.UPPER_WALL),
        ("far field", groups.FAR_FIELD),
        ("far field", groups.FAR_FIELD),
    )
    return _shape("box", layout, coordinates, sides, _parameters(request, counts))


def make_sector(request: Request) -> Shape:
    """An annular sector about the x axis with cells of size about 1 and bulging sides.

    Hub radius 0.75, casing 1.25 and length 1 in units of the mean radius at the default
    proportions; the sides are 0.25 rad apart and shifted by 0.04 sin(pi x / length).
    """
    layout, counts = _grid(request, (4.0, 2.0, 1.0))
    n_axial, n_radial, n_pitch = counts
    pitch = 0.25
    mean_radius = n_pitch / pitch
    length, height = float(n_axial), min(float(n_radial), 1.6 * mean_radius)
    x_line = length * np.arange(n_axial + 1) / n_axial
    r_line = mean_radius + height * (_wall_clustered(n_radial, request.stretch) - 0.5)
    theta_line = pitch * (_wall_clustered(n_pitch, request.stretch) - 0.5)

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
    return _shape("sector", layout, coordinates, sides, _parameters(request, counts), rotation)


def make_bump(request: Request) -> Shape:
    """A channel 3 x 1 x 0.5 with a smooth bump 0.1 exp(-25 (x - 1.5)^2) on the lower wall."""
    layout, counts = _grid(request, (3.0, 1.0, 0.5))
    x_line, z_line = (
        3.0 * np.arange(counts[0] + 1) / counts[0],
        0.5 * np.arange(counts[2] + 1) / counts[2],
    )
    eta = _wall_clustered(counts[1], request.stretch)

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
    return _shape("bump", layout, coordinates, sides, _parameters(request, counts))


def make_cavity(request: Request) -> Shape:
    """The unit cube with resting walls and a lid (group 1) at y = 1 that slides along x."""
    layout, counts = _grid(request, (1.0, 1.0, 1.0))
    lines = [_wall_clustered(n, request.stretch) for n in counts]

    def coordinates(i: Ints, j: Ints, k: Ints) -> Floats:
        return np.stack(np.meshgrid(lines[0][i], lines[1][j], lines[2][k], indexing="ij"))

    wall, side = ("wall", groups.LOWER_WALL), ("side wall", groups.SIDE_WALL)
    sides = (wall, wall, wall, ("lid", groups.LID), side, side)
    return _shape("cavity", layout, coordinates, sides, _parameters(request, counts))


def _grid(request: Request, proportions: tuple[float, float, float]) -> tuple[Layout, list[int]]:
    aspect = request.aspect or proportions
    if min(aspect) <= 0.0:
        raise UsageError("--aspect: proportions must be positive numbers. Give e.g. 4,2,1.")
    cells = choose_cells(
        tuple((Part(weight),) for weight in aspect),
        lambda counts: math.prod(parts[0] + 1 for parts in counts),
        request.nodes,
        request.levels,
    )
    return full_layout(cells), [parts[0] for parts in cells]


def _wall_clustered(cells: int, ratio: float) -> Floats:
    """Lines 0..1 whose spacing at both ends is `ratio` times finer than the uniform one."""
    return stretch(np.arange(cells + 1) / cells, 1.0 / ratio, 1.0 / ratio)


def _cylindrical(x: Floats, r: Floats, theta: Floats) -> Floats:
    return np.stack(np.broadcast_arrays(x, r * np.cos(theta), r * np.sin(theta)))


def _parameters(request: Request, counts: list[int]) -> dict[str, object]:
    return {"cells": counts, "stretch": request.stretch}


def _shape(
    name: str,
    layout: Layout,
    coordinates: object,
    sides: Sides,
    parameters: dict[str, object],
    periodic: Rotation | None = None,
) -> Shape:
    def families(level: Layout) -> list[Family]:
        return box_families(level, sides)

    ni, nj, nk = layout.shape
    return Shape(
        name=name,
        layout=layout,
        fixed=(fixed_lines((ni - 1,)), fixed_lines((nj - 1,)), fixed_lines((nk - 1,))),
        minimum=(1, 1, 1),
        coordinates=coordinates,  # type: ignore[arg-type]
        families=families,
        group_names={group: side for side, group in sides},
        parameters=parameters,
        periodic=periodic,
        unit_cells=name in ("box", "sector") and parameters["stretch"] == 1.0,
    )


def box_families(layout: Layout, sides: Sides) -> list[Family]:
    """The six sides of a logical block without a blade."""
    families = []
    for number, (name, group) in enumerate(sides):
        axis, last = divmod(number, 2)
        others = [n - 1 for a, n in enumerate(layout.shape) if a != axis]
        mask = np.ones(others, dtype=bool)
        index = layout.shape[axis] - 1 if last else 0
        families.append(Family(name, group, axis, index, 1 if last else -1, mask))
    return families
