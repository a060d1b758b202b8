# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses what of a mesh is drawn and from where, and draws it.

A mesh with a rotation axis becomes a rotor: hub and blade in every passage shown, the periodic
cuts at both ends; shroud, inlet and outlet are left out so that one can look in. Any other mesh
is drawn with its whole boundary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from halocline.plot.arrays import AnyArray, Bools, Floats, Ints
from halocline.plot.camera import Camera, fitted_camera
from halocline.plot.raster import Buffer, draw
from halocline.plot.shading import Patches, shade
from halocline.plot.surface import Surface

SHOWN_SHARE = 0.28
"""Part of the full circle that is shown unless the user asks for a number of passages."""
LEFT_OUT = ("shroud", "casing", "inlet", "outlet")
LOWER_CUT, UPPER_CUT = "periodic lower", "periodic upper"
SUPERSAMPLING = 2


@dataclass(frozen=True)
class View:
    """What the user may choose about the picture."""

    size: tuple[int, int] = (1800, 1200)
    passages: int | None = None
    lines: bool = True


@dataclass(frozen=True)
class Piece:
    """A part of the surface at one place around the axis."""

    rows: Ints
    """Which of the surface's quadrilaterals."""
    angle_rad: float


def passages_around(surface: Surface) -> int:
    """Number of passages of the full circle; 1 without rotation."""
    return 1 if surface.angle_rad is None else max(1, round(2.0 * math.pi / surface.angle_rad))


def pieces(surface: Surface, view: View) -> list[Piece]:
    """Return what is drawn, passage by passage."""
    around = passages_around(surface)
    if surface.angle_rad is None or surface.axis is None:
        return [Piece(np.arange(len(surface.quads)), 0.0)]
    shown = min(around, view.passages or max(1, round(SHOWN_SHARE * around)))
    first = -shown // 2
    made = []
    for number in range(shown):
        keep = ~_in_groups(surface, LEFT_OUT)
        if number > 0 or shown == around:
            keep &= ~_in_groups(surface, (LOWER_CUT,))
        if number < shown - 1 or shown == around:
            keep &= ~_in_groups(surface, (UPPER_CUT,))
        made.append(Piece(np.flatnonzero(keep), (first + number) * surface.angle_rad))
    return made


def is_drawn(surface: Surface, group: int) -> bool:
    """Whether a boundary group is part of the picture."""
    return surface.axis is None or surface.group_names.get(group) not in LEFT_OUT


def _in_groups(surface: Surface, names: tuple[str, ...]) -> Bools:
    wanted = [group for group, name in surface.group_names.items() if name in names]
    return np.isin(surface.groups, wanted)


def render(surface: Surface, colours: Floats, view: View) -> AnyArray:
    """Return an RGBA picture (height, width, 4), premultiplied.

    Args:
        surface: what to draw; needs quadrilaterals.
        colours: (Q, 4, 3) RGB of the corners of the surface's quadrilaterals.
        view: size, passages and mesh lines.
    """
    drawn = pieces(surface, view)
    size = (SUPERSAMPLING * view.size[0], SUPERSAMPLING * view.size[1])
    camera = _camera(surface, drawn, size)
    buffer = Buffer.empty(size)
    normals, colour, sides = [], [], []
    count = 0
    for piece, points in _turned(surface, drawn):
        quads = surface.quads[piece.rows]
        corners = camera.project(points)[quads]
        draw(buffer, corners, count)
        count += len(quads)
        normals.append(corner_normals(points, quads).astype(np.float32))
        colour.append(colours[piece.rows].astype(np.float32))
        sides.append(_side_lengths(corners))
    patches = Patches(np.concatenate(normals), np.concatenate(colour), np.concatenate(sides))
    return _halved(shade(buffer, patches, camera, view.lines))


def _turned(surface: Surface, drawn: list[Piece]) -> Iterator[tuple[Piece, Floats]]:
    for piece in drawn:
        yield piece, rotated(surface.points, surface.axis, piece.angle_rad)


def rotated(points: Floats, axis: Floats | None, angle_rad: float) -> Floats:
    """Rotate points about an axis through the origin (Rodrigues' formula)."""
    if axis is None or angle_rad == 0.0:
        return points
    unit = axis / np.linalg.norm(axis)
    cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
    along = np.outer(points @ unit, unit)
    turned: Floats = along + cosine * (points - along) + sine * np.cross(unit, points)
    return turned


def _camera(surface: Surface, drawn: list[Piece], size: tuple[int, int]) -> Camera:
    used = [points[np.unique(surface.quads[p.rows])] for p, points in _turned(surface, drawn)]
    everything = np.concatenate(used)
    if surface.axis is None:
        return fitted_camera(everything, np.array([-0.7, 0.8, 1.3]), np.array([0.0, 1, 0]), size)
    axis = surface.axis / np.linalg.norm(surface.axis)
    outward = surface.points.mean(axis=0)
    outward = outward - (outward @ axis) * axis
    outward /= np.linalg.norm(outward)
    aside = np.cross(axis, outward)
    # From upstream and outside, turned so that one looks between the blades and onto both cuts.
    return fitted_camera(everything, -0.9 * axis + 1.2 * outward - 0.4 * aside, outward, size)


def corner_normals(points: Floats, quads: Ints) -> Floats:
    """Return unit normals (Q, 4, 3), averaged over quads that meet smoothly at a node.

    Quads whose normals differ by more than about 40 degrees keep their own, so edges stay sharp.
    """
    diagonal_a = points[quads[:, 2]] - points[quads[:, 0]]
    diagonal_b = points[quads[:, 3]] - points[quads[:, 1]]
    area = np.cross(diagonal_a, diagonal_b)
    own = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-300)
    summed = np.zeros_like(points)
    for corner in range(4):
        np.add.at(summed, quads[:, corner], own)
    mean = summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-300)
    smooth = mean[quads]
    close = np.sum(smooth * own[:, None, :], axis=2, keepdims=True) > 0.77
    chosen: Floats = np.where(close, smooth, own[:, None, :])
    return chosen


def _side_lengths(corners: Floats) -> AnyArray:
    """Mean projected lengths (Q, 2) of the sides along u and v, in pixels."""

    def length(a: int, b: int) -> Floats:
        return np.asarray(np.linalg.norm(corners[:, b, :2] - corners[:, a, :2], axis=1))

    along_u = 0.5 * (length(0, 1) + length(3, 2))
    along_v = 0.5 * (length(0, 3) + length(1, 2))
    return np.column_stack([along_u, along_v]).astype(np.float32)


def _halved(picture: AnyArray) -> AnyArray:
    """Average blocks of SUPERSAMPLING² pixels."""
    height, width, channels = picture.shape
    blocks = picture.reshape(
        height // SUPERSAMPLING, SUPERSAMPLING, width // SUPERSAMPLING, SUPERSAMPLING, channels
    )
    averaged: AnyArray = blocks.mean(axis=(1, 3))
    return averaged
