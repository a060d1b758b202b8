# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws quadrilaterals into a depth buffer by sampling each one about once per pixel.

A renderer in plain numpy: no display, no OpenGL, the same picture on every machine. Sampling
suits meshes, whose quadrilaterals are small on the screen, and bilinear patches need no split
into triangles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.plot.arrays import AnyArray, Floats, Ints

SAMPLES_PER_PIXEL = 1.4
LARGEST_SIDE = 1024
SAMPLES_PER_BATCH = 1 << 21
NOTHING = -1


@dataclass
class Buffer:
    """What each pixel shows: a patch and the place (u, v) in it, nearest to the viewer."""

    depth: AnyArray
    patch: AnyArray
    u: AnyArray
    v: AnyArray

    @classmethod
    def empty(cls, size: tuple[int, int]) -> Buffer:
        """Return a buffer of `size` (width, height) that shows nothing."""
        shape = (size[1], size[0])
        depth = np.full(shape, np.inf, dtype=np.float32)
        patch = np.full(shape, NOTHING, dtype=np.int32)
        return cls(depth, patch, np.zeros(shape, np.float32), np.zeros(shape, np.float32))


def draw(buffer: Buffer, corners: Floats, first_patch: int) -> None:
    """Draw patches, numbered from `first_patch`.

    Args:
        corners: (Q, 4, 3) projected corners: column, row, depth; in order around the patch.
        first_patch: number of the first patch in the buffer.
    """
    along_u, along_v = _samples(corners, 0, 1, 3, 2), _samples(corners, 0, 3, 1, 2)
    for counts in np.unique(np.column_stack([along_u, along_v]), axis=0):
        chosen = np.flatnonzero((along_u == counts[0]) & (along_v == counts[1]))
        per_batch = max(1, SAMPLES_PER_BATCH // int(counts[0] * counts[1]))
        for start in range(0, chosen.size, per_batch):
            batch = chosen[start : start + per_batch]
            _splat(buffer, corners[batch], first_patch + batch, (int(counts[0]), int(counts[1])))


def _samples(corners: Floats, a: int, b: int, c: int, d: int) -> Ints:
    """Samples along the sides a–b and c–d, enough to leave no gap.

    Rounded up to a power of √2: few distinct numbers make few, long batches.
    """
    sides = np.stack([corners[:, b, :2] - corners[:, a, :2], corners[:, d, :2] - corners[:, c, :2]])
    longest = np.max(np.linalg.norm(sides, axis=2), axis=0)
    wanted = np.clip(SAMPLES_PER_PIXEL * longest, 2.0, LARGEST_SIDE)
    counts: Ints = np.ceil(np.exp2(0.5 * np.ceil(2.0 * np.log2(wanted)))).astype(np.int64)
    return counts


def _splat(buffer: Buffer, corners: Floats, patches: Ints, counts: tuple[int, int]) -> None:
    u, v = ((np.arange(count, dtype=np.float32) + 0.5) / count for count in counts)
    weights = bilinear_weights(*(grid.ravel() for grid in np.meshgrid(u, v, indexing="ij")))
    along, down, depth = (corners[:, :, axis].astype(np.float32) @ weights.T for axis in range(3))
    height, width = buffer.depth.shape
    inside = (along >= 0) & (along < width) & (down >= 0) & (down < height)
    pixel = np.where(inside, down.astype(np.int32) * width + along.astype(np.int32), 0)
    quad, sample = np.nonzero(inside & (depth < buffer.depth.ravel()[pixel]))
    if quad.size == 0:
        return
    order = np.argsort(-depth[quad, sample], kind="stable")  # the nearest is written last and stays
    quad, sample = quad[order], sample[order]
    place = pixel[quad, sample]
    buffer.depth.ravel()[place] = depth[quad, sample]
    buffer.patch.ravel()[place] = patches[quad]
    buffer.u.ravel()[place] = np.repeat(u, counts[1])[sample]
    buffer.v.ravel()[place] = np.tile(v, counts[0])[sample]


def bilinear_weights(u: AnyArray, v: AnyArray) -> AnyArray:
    """Return weights (..., 4) of the corners (0,0), (1,0), (1,1), (0,1) at (u, v)."""
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=-1)
