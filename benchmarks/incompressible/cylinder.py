# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drag, lift and Strouhal number of a cylinder's run beside those of DFG 2D-2.

Usage: cylinder.py OUTPUT [GROUP]; OUTPUT has a series.csv with force_GROUP_x and force_GROUP_y.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import numpy as np

import halocline

REFERENCE = Path(__file__).parents[2] / "data" / "incompressible" / "reference.toml"
DIAMETER, MEAN_VELOCITY = 0.1, 1.0
SHARE = 0.5
"""Of the run, at its end, that is taken for periodic."""


def periods(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the times between upward crossings of the mean."""
    above = values > values.mean()
    before = np.flatnonzero(~above[:-1] & above[1:])
    rise = (values.mean() - values[before]) / (values[before + 1] - values[before])
    return np.diff(times[before] + rise * (times[before + 1] - times[before]))


def main(output: str, group: str = "cylinder") -> None:
    """Print the table."""
    series = halocline.open(output).series
    if series is None:
        sys.exit(f"{output} has no series.csv. Run with output.series_interval=1.")
    late = series.times >= (1.0 - SHARE) * series.times[-1]
    factor = 2.0 / (MEAN_VELOCITY**2 * DIAMETER)
    drag, lift = (factor * series[f"force_{group}_{axis}"][late] for axis in "xy")
    between = periods(series.times[late], lift)
    if len(between) == 0:
        sys.exit(f"{output} has no whole period in its last half. Raise solver.end_time.")
    known = tomllib.loads(REFERENCE.read_text())["cylinder_2d2"]
    rows = {
        "largest drag": (drag.max(), known["drag_max"]),
        "lift, peak to peak": (np.ptp(lift), known["lift_peak_to_peak"]),
        "Strouhal number": (DIAMETER / (MEAN_VELOCITY * between.mean()), known["strouhal"]),
    }
    print(f"{len(between)} periods")
    for name, (value, reference) in rows.items():
        print(f"{name:<20}{value:10.5f}   reference {reference}")


if __name__ == "__main__":
    main(*sys.argv[1:])
