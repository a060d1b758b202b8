# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ways along edges and places of corners, where nodes of periodic sides are one node."""

from __future__ import annotations

from typing import Any

import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Floats, Ints


def edge_ways(
    data: dict[str, Any], coordinates: Floats, ends: Ints, first: int, kind: str = "edge"
) -> Floats:
    """Return the vectors (E, 3) from the first ends of edges to the second.

    Args:
        data: datasets of the level; where sides are periodic, `edge_vectors` or
            `diagonal_vectors` have the ways.
        coordinates: of the nodes (N, 3).
        ends: of the edges (E, 2), from 0.
        first: number of the first of these edges.
        kind: `edge` or `diagonal`.
    """
    if f"{kind}_vectors" in data:
        ways: Floats = data[f"{kind}_vectors"][first : first + len(ends)]
        return ways
    return coordinates[ends[:, 1]] - coordinates[ends[:, 0]]


def periods_of(attributes: dict[str, Any]) -> Floats | None:
    """Return the periods (3,) of a level file, 0 where a direction has none; None without any."""
    periods = hdf5.numbers_of(attributes, "periods", 3)
    return periods if periods is not None and periods.any() else None


def images_near(places: Floats, near: Floats, periods: Floats | None) -> Floats:
    """Move places to the images that lie nearest to others; without periods nothing moves."""
    if periods is None:
        return places
    lengths = np.where(periods > 0.0, periods, 1.0)
    return places - np.where(periods > 0.0, np.round((places - near) / lengths) * lengths, 0.0)


def unwrapped(places: Floats, periods: Floats | None) -> Floats:
    """Move corners (n, k, 3) of cells to the images that lie nearest to the first corner."""
    return images_near(places, places[:, :1], periods)
