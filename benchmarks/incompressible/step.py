# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the flow behind a backward-facing step leaves its walls and comes back, Re 800."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from incompressible.proof import Proof, Row, Run, published

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOWER, UPPER = 1, -2
"""The first row of nodes above the lower wall, and the last below the upper one."""


def friction(run: Run, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return x and du/dn beside a wall: u of the row of nodes next to it over their distance."""
    points, u = run.mesh().points, run["velocity"].at()[:, 0]
    heights = np.unique(points[:, 1].round(12))
    on = np.abs(points[:, 1] - heights[row]) < 1e-9
    order = np.argsort(points[on, 0])
    wall = heights[0] if row > 0 else heights[-1]
    return points[on, 0][order], u[on][order] / abs(heights[row] - wall)


def zeros(x: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return where the values change their sign, by straight lines."""
    before = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    share = values[before] / (values[before] - values[before + 1])
    return x[before] + share * (x[before + 1] - x[before])


def compare(run: Run) -> list[Row]:
    """Return the lengths of the bubbles, in heights of the channel."""
    known = published("step_re800")
    lower, upper = zeros(*friction(run, LOWER)), zeros(*friction(run, UPPER))
    return [
        Row("lower reattachment", float(lower[-1]), known["lower_reattachment"]),
        Row("upper separation", float(upper[0]), known["upper_separation"]),
        Row("upper reattachment", float(upper[-1]), known["upper_reattachment"]),
    ]


def draw(run: Run, figure: Figure) -> None:
    """Draw friction on both walls, and the published places where it vanishes."""
    axes, known = figure.subplots(), published("step_re800")
    for row, name, colour in ((LOWER, "lower wall", "C0"), (UPPER, "upper wall", "C1")):
        axes.plot(*friction(run, row), colour, label=f"halocline, {name}")
    places = [known["lower_reattachment"]], [known["upper_separation"], known["upper_reattachment"]]
    for at, colour in zip(places, ("C0", "C1"), strict=True):
        axes.plot(at, np.zeros(len(at)), "o", color=colour, mfc="none", label="Gartling 1990")
    axes.axhline(0.0, color="0.6", lw=0.8)
    axes.set(xlabel="x in channel heights", ylabel="du/dn", xlim=(0.0, 20.0), ylim=(-4.0, 8.0))
    axes.legend()


RE_800 = Proof("step", "backward-facing step, Re 800", "step.toml", compare, draw)
