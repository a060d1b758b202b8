# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses how many cells each part of each direction gets, from the number of nodes wanted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from halocline.errors import InvalidInputError

Cells = tuple[tuple[int, ...], ...]
"""Cells of every part, direction by direction."""


@dataclass(frozen=True)
class Part:
    """A part of a direction between two lines that every level keeps."""

    weight: float
    minimum: int = 1


def choose_cells(
    directions: tuple[tuple[Part, ...], ...],
    node_count: Callable[[Cells], int],
    wanted: int,
    levels: int,
) -> Cells:
    """Return cell counts whose mesh has about the wanted number of nodes.

    Counts are multiples of 2^(levels-1) where a part is large enough, so that all levels coarsen
    evenly. Among the candidates the best compromise of size and proportions wins.

    Args:
        directions: parts of the two or three directions; weights are relative numbers of cells.
        node_count: nodes of the mesh with the given cells.
        wanted: nodes wanted.
        levels: multigrid levels.
    """
    weights = math.prod(sum(part.weight for part in parts) for parts in directions)
    guess = (wanted / weights) ** (1.0 / len(directions))
    best: Cells = ()
    best_cost = math.inf
    seen: set[Cells] = set()
    nudges = list(itertools.product((0.9, 0.95, 1.0, 1.05, 1.1), repeat=len(directions)))
    for scale in np.geomspace(0.5 * guess, 1.25 * guess, 60):
        for nudge in nudges:
            cells = tuple(
                tuple(_round(part, scale * factor, levels) for part in parts)
                for parts, factor in zip(directions, nudge, strict=True)
            )
            if cells in seen:
                continue
            seen.add(cells)
            cost = abs(math.log(node_count(cells) / wanted)) + 0.3 * _distortion(directions, cells)
            if cost < best_cost:
                best, best_cost = cells, cost
    found = node_count(best)
    if not 0.5 <= found / wanted <= 2.0:
        raise InvalidInputError(
            f"--nodes {wanted}: this shape cannot be made with so few nodes (the nearest possible"
            f" mesh has {found}). Ask for at least {found} nodes."
        )
    return best


def _round(part: Part, scale: float, levels: int) -> int:
    ideal = part.weight * scale
    step: int = 1 << (levels - 1)
    while step > 1 and ideal < 2 * step:
        step //= 2
    return max(part.minimum, int(step * max(1, round(ideal / step))))


def _distortion(directions: tuple[tuple[Part, ...], ...], cells: Cells) -> float:
    """Spread of (cells / weight) over the parts: 0 when proportions are as asked."""
    logs = [
        math.log(count / part.weight)
        for parts, counts in zip(directions, cells, strict=True)
        for part, count in zip(parts, counts, strict=True)
    ]
    return float(np.std(logs))
