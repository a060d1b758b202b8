# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Extrema on the middle lines of a lid-driven cavity beside published ones, and a picture of both.

Usage: cavity.py VARIABLES.h5 MESH [100|1000] [PICTURE.png]

VARIABLES.h5 is a run's file of variables ([output] variables = true), MESH the folder of its mesh,
whose nodes have to lie on the lines x = 0.5 and y = 0.5.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import h5py
import numpy as np

DATA = Path(__file__).parents[2] / "data" / "incompressible"


def middle_lines(variables: Path, mesh: Path) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return y and u on x = 0.5, x and v on y = 0.5, of the unit square."""
    with h5py.File(variables) as file:
        state = file["p_variables_result_L0"][:]
    with h5py.File(mesh / "mesh.L0.h5") as file:
        places = file["node_coordinates"][:, :2]
    places = places / places.max()
    lines = []
    for across, along, component in ((0, 1, 0), (1, 0, 1)):
        on = np.abs(places[:, across] - 0.5) < 1e-9
        order = np.argsort(places[on, along])
        lines.append((places[on, along][order], state[on, component][order]))
    return tuple(lines)


def extremum(at: np.ndarray, values: np.ndarray, sign: int) -> tuple[float, float]:
    """Return the place and value of the largest `sign` times the value, by a parabola."""
    i = int(np.clip(np.argmax(sign * values), 1, len(values) - 2))
    around = slice(i - 1, i + 2)
    second, first, _ = parabola = np.polyfit(at[around], values[around], 2)
    place = -0.5 * first / second
    return float(place), float(np.polyval(parabola, place))


def draw(lines: tuple[tuple[np.ndarray, np.ndarray], ...], picture: str) -> None:
    """Draw both lines with the points of Botella and Peyret."""
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.0, 4.2), constrained_layout=True)
    for axes, (at, values), name in ((left, lines[0], "u"), (right, lines[1], "v")):
        points = np.loadtxt(DATA / f"cavity_re1000_{name}.csv", delimiter=",", skiprows=1)
        known = points[:, 0], points[:, 1]
        upright = name == "u"
        axes.plot(*((values, at) if upright else (at, values)), label="halocline")
        axes.plot(
            *(known[::-1] if upright else known), "o", mfc="none", label="Botella, Peyret 1998"
        )
        axes.set_xlabel("u" if upright else "x")
        axes.set_ylabel("y" if upright else "v")
        axes.grid(alpha=0.3)
    left.set_title("u on x = 0.5")
    right.set_title("v on y = 0.5")
    left.legend()
    figure.savefig(picture, dpi=150)


def main(variables: str, mesh: str, reynolds: str = "1000", picture: str = "") -> None:
    """Print the table."""
    lines = middle_lines(Path(variables), Path(mesh))
    known = tomllib.loads((DATA / "reference.toml").read_text())[f"cavity_re{reynolds}"]
    for name, line, sign in (("u_min", 0, -1), ("v_max", 1, 1), ("v_min", 1, -1)):
        place, value = extremum(*lines[line], sign)
        reference = known[name]["value"]
        print(
            f"{name}  {value:10.6f} at {place:.4f}   reference {reference:10.6f}"
            f"   {100.0 * (value / reference - 1.0):+.3f} %"
        )
    if picture:
        draw(lines, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
