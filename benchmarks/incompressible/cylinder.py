# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drag, lift and Strouhal number of a cylinder in a channel: DFG 2D-1, 2D-2, 2D-3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from incompressible.proof import Proof, Row, Run, extremum, published, series_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DIAMETER = 0.1
SHARE = 0.5
SHOWN = 1.2  # of time, in a picture
"""Of the run, at its end, that is taken for periodic."""


def coefficients(series: Any, mean_velocity: float) -> tuple[np.ndarray, np.ndarray]:
    """Return drag and lift coefficients over the steps."""
    factor = 2.0 / (mean_velocity**2 * DIAMETER)
    return factor * series["force_cylinder_x"], factor * series["force_cylinder_y"]


def periods(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the times between upward crossings of the mean."""
    above = values > values.mean()
    before = np.flatnonzero(~above[:-1] & above[1:])
    rise = (values.mean() - values[before]) / (values[before + 1] - values[before])
    return np.diff(times[before] + rise * (times[before + 1] - times[before]))


def compare_steady(run: Run) -> list[Row]:
    """Return drag and lift at the end: DFG 2D-1, whose mean inlet velocity is 0.2."""
    drag, lift = coefficients(series_of(run), 0.2)
    known = published("cylinder_2d1")
    return [Row("drag", drag[-1], known["drag"]), Row("lift", lift[-1], known["lift"])]


def compare_shedding(run: Run) -> list[Row]:
    """Return what repeats: DFG 2D-2, whose mean inlet velocity is 1."""
    series, known = series_of(run), published("cylinder_2d2")
    late = series.times >= (1.0 - SHARE) * series.times[-1]
    drag, lift = (values[late] for values in coefficients(series, 1.0))
    strouhal = DIAMETER / periods(series.times[late], lift).mean()
    return [
        Row("largest drag", drag.max(), tuple(known["drag_max"])),
        Row("lift, peak to peak", float(np.ptp(lift)), known["lift_peak_to_peak"]),
        Row("Strouhal number", strouhal, known["strouhal"]),
    ]


def compare_pulse(run: Run) -> list[Row]:
    """Return the largest drag and lift, and when: DFG 2D-3, whose inlet swells and ebbs."""
    series, known = series_of(run), published("cylinder_2d3")
    rows = []
    for name, values in zip(("drag", "lift"), coefficients(series, 1.0), strict=True):
        time, value = extremum(series.times, values, 1)
        rows += [
            Row(f"largest {name}", value, known[f"{name}_max"]["value"]),
            Row("its time", time, known[f"{name}_max"]["at"]),
        ]
    return rows


def draw_pulse(run: Run, figure: Figure) -> None:
    """Draw drag and lift over time, with the published peaks."""
    series, known = series_of(run), published("cylinder_2d3")
    names = ("drag", "lift")
    for axes, name, values in zip(
        figure.subplots(1, 2), names, coefficients(series, 1.0), strict=True
    ):
        peak = known[f"{name}_max"]
        axes.plot(series.times, values, label="halocline")
        axes.plot(peak["at"], peak["value"], "C1o", mfc="none", label="John 2004")
        axes.set(xlabel="t", ylabel=f"{name} coefficient")
        axes.legend()


def draw_shedding(run: Run, figure: Figure) -> None:
    """Draw the last periods of drag and lift, with the published largest drag and swing of lift."""
    series, known = series_of(run), published("cylinder_2d2")
    drag, lift = coefficients(series, 1.0)
    late = series.times >= (1.0 - SHARE) * series.times[-1]
    shown = series.times >= series.times[-1] - SHOWN
    left, right = figure.subplots(1, 2)
    left.plot(series.times[shown], drag[shown], label="halocline")
    left.margins(y=0.3)
    left.axhspan(*known["drag_max"], color="C1", alpha=0.25, label="largest drag, published range")
    left.set(xlabel="t", ylabel="drag coefficient")
    right.plot(series.times[shown], lift[shown], label="halocline")
    middle = 0.5 * (lift[late].max() + lift[late].min())
    half = 0.5 * known["lift_peak_to_peak"]
    right.axhline(middle - half, color="C1", ls="--")
    right.axhline(middle + half, color="C1", ls="--", label="published, peak to peak")
    right.set(xlabel="t", ylabel="lift coefficient", ylim=(-1.25, 1.75))
    for axes in (left, right):
        axes.legend(loc="upper right")


EVERY_STEP = {"output.series_interval": "1", "output.interval": "[]"}

STEADY = Proof(
    "cylinder-20",
    "cylinder, DFG 2D-1, Re 20",
    "cylinder.toml",
    compare_steady,
    settings={
        **EVERY_STEP,
        "mesh.make.nodes": "20000",
        "mesh.make.stretch": "4",
        "solver.boundaries.inlet.velocity": '["4*0.3*y*(0.41 - y)/0.41^2", "0"]',
        "solver.end_time": "30",
        "solver.steady": "true",
        "solver.steady_tolerance": "1e-7",
    },
)
SHEDDING = Proof(
    "cylinder-100",
    "cylinder, DFG 2D-2, Re 100",
    "cylinder.toml",
    compare_shedding,
    draw_shedding,
    {**EVERY_STEP, "mesh.make.nodes": "20000", "solver.end_time": "8"},
)
PULSE = Proof(
    "cylinder-pulse",
    "cylinder, DFG 2D-3, Re up to 100",
    "cylinder.toml",
    compare_pulse,
    draw_pulse,
    {
        **EVERY_STEP,
        "mesh.make.nodes": "20000",
        "solver.boundaries.inlet.velocity": '["4*1.5*y*(0.41 - y)/0.41^2*sin(pi*t/8)", "0"]',
        "solver.end_time": "8",
    },
)
