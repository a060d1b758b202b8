# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a depth buffer into colours: lighting, mesh lines, soft shadows in corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.plot.arrays import AnyArray, Floats
from halocline.plot.camera import Camera
from halocline.plot.raster import NOTHING, Buffer, bilinear_weights

KEY_LIGHT = np.array([-0.60, 0.30, 0.74])  # from the upper left, in the viewer's frame
AMBIENT, DIFFUSE, HEADLIGHT, GLOSS = 0.58, 0.28, 0.26, 0.08
LINE_DARKNESS, LINE_HALF_WIDTH = 0.42, 0.75
LINES_FROM_PIXELS, LINES_FULL_AT_PIXELS = 7.0, 16.0
CORNER_RADIUS, CORNER_DARKNESS = 0.012, 0.45


@dataclass(frozen=True)
class Patches:
    """Corner data of all patches in the buffer's numbering; normals have unit length."""

    normals: AnyArray
    colours: AnyArray
    sides: AnyArray


def shade(buffer: Buffer, patches: Patches, camera: Camera, lines: bool) -> Floats:
    """Return an RGBA picture (height, width, 4) with premultiplied alpha."""
    seen = buffer.patch != NOTHING
    number = buffer.patch[seen]
    u, v = buffer.u[seen], buffer.v[seen]
    weights = bilinear_weights(u, v)[..., None]
    colour = np.sum(weights * patches.colours[number], axis=1)
    light, gloss = _light(np.sum(weights * patches.normals[number], axis=1) @ camera.frame.T)
    light = light * _corner_light(buffer.depth, seen)
    if lines:
        light = light * (1.0 - LINE_DARKNESS * _line_strength(u, v, patches.sides[number]))
    picture = np.zeros((*buffer.depth.shape, 4))
    picture[seen, :3] = np.clip(colour * light[:, None] + gloss[:, None], 0.0, 1.0)
    picture[seen, 3] = 1.0
    return picture


def _light(normals: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Diffuse light and gloss; surfaces are lit from whichever side is seen."""
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    normals = np.where(normals[:, 2:] < 0.0, -normals, normals)
    key = KEY_LIGHT / np.linalg.norm(KEY_LIGHT)
    half = key + np.array([0.0, 0.0, 1.0])
    half /= np.linalg.norm(half)
    diffuse = DIFFUSE * np.maximum(normals @ key, 0.0) + HEADLIGHT * normals[:, 2]
    return AMBIENT + diffuse, GLOSS * np.maximum(normals @ half, 0.0) ** 40


def _line_strength(u: AnyArray, v: AnyArray, sides: AnyArray) -> AnyArray:
    """1 on the sides of a patch, 0 inside; lines fade out where patches are only a few pixels."""
    pixels = np.minimum(np.minimum(u, 1 - u) * sides[:, 0], np.minimum(v, 1 - v) * sides[:, 1])
    smallest = np.min(sides, axis=1)
    span = LINES_FULL_AT_PIXELS - LINES_FROM_PIXELS
    fade = np.clip((smallest - LINES_FROM_PIXELS) / span, 0.0, 1.0)
    strength: AnyArray = fade * np.clip(1.5 - pixels / LINE_HALF_WIDTH, 0.0, 1.0)
    return strength


def _corner_light(depth: AnyArray, seen: AnyArray) -> AnyArray:
    """Darken pixels that lie deeper than their surroundings (depth-buffer unsharp masking).

    See Luft, Colditz, Deussen 2006, doi:10.1145/1141911.1142016.
    """
    far = float(depth[seen].max())
    near = float(depth[seen].min())
    scene = np.where(seen, (depth - near) / max(far - near, 1e-30), 1.0)
    radius = max(2, int(CORNER_RADIUS * depth.shape[1]))
    deeper = scene - blurred(scene, radius)
    return 1.0 - CORNER_DARKNESS * np.clip(6.0 * deeper[seen], 0.0, 1.0)


def blurred(image: AnyArray, radius: int) -> AnyArray:
    """Blur by three box filters, close to a Gaussian."""
    for _ in range(3):
        for axis in (0, 1):
            image = _box(image, radius, axis)
    return image


def _box(image: AnyArray, radius: int, axis: int) -> AnyArray:
    widths = [(0, 0), (0, 0)]
    widths[axis] = (radius + 1, radius)
    total = np.cumsum(np.pad(image, widths, mode="edge"), axis=axis, dtype=np.float64)
    size = image.shape[axis]
    ends = np.take(total, np.arange(2 * radius + 1, 2 * radius + 1 + size), axis=axis)
    starts = np.take(total, np.arange(size), axis=axis)
    averaged: AnyArray = (ends - starts) / (2 * radius + 1)
    return averaged
