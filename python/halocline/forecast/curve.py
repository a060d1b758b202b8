# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Time of one call of a loop over the number of elements that a rank has: a line through points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """Seconds of a call; straight between points, never falling.

    Below the least point the line through the two least ones goes on, down to what a call costs
    without elements; beyond the largest the line through the two largest ones.
    """

    elements: tuple[float, ...]
    seconds: tuple[float, ...]
    empty_s: float

    def __call__(self, elements: Numbers) -> Numbers:
        """Return seconds of calls, shape as `elements`."""
        places = np.concatenate([[0.0], self.elements])
        values = np.concatenate([[self.empty_s], self.seconds])
        inside = np.interp(elements, places, values)
        slope = (values[-1] - values[-2]) / (places[-1] - places[-2])
        beyond: Numbers = slope * np.maximum(elements - places[-1], 0.0)
        seconds: Numbers = inside + beyond
        return seconds


def fit(points: Sequence[tuple[float, float]]) -> Curve:
    """Return the curve through at least one (elements, seconds); those of one size are averaged.

    A point below one of fewer elements is noise: both are set to their mean, weighted by how many
    points they stand for (pool adjacent violators, M. Ayer et al., Annals of Mathematical
    Statistics 26, 1955, doi:10.1214/aoms/1177728423).
    """
    blocks: list[list[float]] = []  # elements, mean seconds, points, first place
    sizes = sorted({size for size, _ in points if size > 0.0})
    if not sizes:  # calls of a loop without elements, as of a boundary that a mesh does not have
        empty_s = sum(seconds for _, seconds in points) / len(points)
        return Curve((1.0,), (empty_s,), empty_s)
    for place, size in enumerate(sizes):
        own = [seconds for other, seconds in points if other == size]
        blocks.append([size, sum(own) / len(own), len(own), place])
        while len(blocks) > 1 and blocks[-2][1] > blocks[-1][1]:
            later = blocks.pop()
            weight = blocks[-1][2] + later[2]
            blocks[-1][1] = (blocks[-1][1] * blocks[-1][2] + later[1] * later[2]) / weight
            blocks[-1][2] = weight
    starts = [int(block[3]) for block in blocks] + [len(sizes)]
    seconds = [
        block[1]
        for block, start, end in zip(blocks, starts[:-1], starts[1:], strict=True)
        for _ in range(start, end)
    ]
    return Curve(tuple(sizes), tuple(seconds), _empty_s(sizes, seconds))


def _empty_s(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Extend the line through the two least points to no elements; one point: no fixed cost."""
    if len(sizes) < 2:
        return 0.0
    slope = (seconds[1] - seconds[0]) / (sizes[1] - sizes[0])
    return min(max(0.0, seconds[0] - slope * sizes[0]), seconds[0])
