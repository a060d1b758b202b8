# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lid-driven cavity that peers solve, and its middle lines from values in cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Line = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Cavity:
    """A square of side² cells; unit lid speed and length."""

    side: int
    viscosity: float
    time_step: float
    steps: int


def lines_of_cells(velocity: np.ndarray) -> tuple[Line, Line]:
    """Return y and u on x = 0.5, x and v on y = 0.5, walls included.

    `velocity` has shape (side, side, 2): row y, column x. Cells lie on both sides of these lines:
    their mean is of second order.
    """
    side = len(velocity)
    half = slice(side // 2 - 1, side // 2 + 1)
    at = np.concatenate([[0.0], (np.arange(side) + 0.5) / side, [1.0]])
    u = np.concatenate([[0.0], velocity[:, half, 0].mean(axis=1), [1.0]])
    v = np.concatenate([[0.0], velocity[half, :, 1].mean(axis=0), [0.0]])
    return (at, u), (at, v)
