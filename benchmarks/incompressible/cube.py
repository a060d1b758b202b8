# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Middle lines of the lid-driven cube, Re 1000, whose lid y = 1 moves along x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from incompressible.proof import Proof, Row, Run, line, published_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CENTRE = (0.5, 0.5, 0.5)


def lines(
    run: Run,
) -> list[tuple[str, str, tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]]:
    """Return name, axis, our line and the published points, in our axes.

    The published lid is the side x = -1/2 and moves along y: see data/incompressible/README.md.
    """
    velocity = run["velocity"].at()
    at_v, v = published_line("cube_re1000_v")
    at_u, u = published_line("cube_re1000_u")
    return [
        ("u on x = z = 1/2", "y", line(run, velocity[:, 0], 1, CENTRE), (0.5 - at_v, v)),
        ("v on y = z = 1/2", "x", line(run, velocity[:, 1], 0, CENTRE), (at_u + 0.5, -u)),
    ]


def compare(run: Run) -> list[Row]:
    """Return every published point beside our line; cubic between nodes."""
    from scipy.interpolate import CubicSpline

    return [
        Row(f"{name[0]}({axis} = {place:.4f})", float(CubicSpline(at, values)(place)), float(known))
        for name, axis, (at, values), points in lines(run)
        for place, known in sorted(zip(*points, strict=True))
    ]


def draw(run: Run, figure: Figure) -> None:
    """Draw both lines with the published points."""
    for axes, (name, axis, ours, points) in zip(figure.subplots(1, 2), lines(run), strict=True):
        axes.plot(*ours, label="halocline")
        axes.plot(*points, "o", mfc="none", label="Albensoeder, Kuhlmann 2005")
        axes.set(xlabel=axis, ylabel=name[0], title=name)
        axes.legend()


RE_1000 = Proof("cube", "lid-driven cube, Re 1000", "cube.toml", compare, draw)
