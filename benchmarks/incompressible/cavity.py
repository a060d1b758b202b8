# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Extrema on the middle lines of a lid-driven cavity, Re 100 and 1000."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from incompressible.proof import Line, Proof, Row, Run, extremum, line, published, published_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CENTRE = (0.5, 0.5)
EXTREMA = (("u_min", 0, -1), ("v_max", 1, 1), ("v_min", 1, -1))


def middle_lines(run: Run) -> tuple[Line, Line]:
    """Return y and u on x = 1/2, x and v on y = 1/2."""
    velocity = run["velocity"].at()
    return line(run, velocity[:, 0], 1, CENTRE), line(run, velocity[:, 1], 0, CENTRE)


def compare(run: Run, section: str) -> list[Row]:
    """Return u_min on x = 1/2, v_max and v_min on y = 1/2."""
    lines, known = middle_lines(run), published(section)
    rows = []
    for name, component, sign in EXTREMA:
        _, value = extremum(*lines[component], sign)
        rows.append(Row(name, value, known[name]["value"]))
    return rows


def draw(run: Run, figure: Figure) -> None:
    """Draw both lines with the points of Botella and Peyret."""
    left, right = figure.subplots(1, 2)
    (y, u), (x, v) = middle_lines(run)
    left.plot(u, y, label="halocline")
    left.plot(
        *published_line("cavity_re1000_u")[::-1], "o", mfc="none", label="Botella, Peyret 1998"
    )
    left.set(xlabel="u", ylabel="y", title="u on x = 0.5")
    right.plot(x, v)
    right.plot(*published_line("cavity_re1000_v"), "o", mfc="none")
    right.set(xlabel="x", ylabel="v", title="v on y = 0.5")
    left.legend()


RE_100 = Proof(
    "cavity-100",
    "lid-driven cavity, Re 100",
    "cavity.toml",
    partial(compare, section="cavity_re100"),
    settings={"solver.viscosity": "0.01"},
)
RE_1000 = Proof(
    "cavity-1000",
    "lid-driven cavity, Re 1000",
    "cavity.toml",
    partial(compare, section="cavity_re1000"),
    draw,
)
