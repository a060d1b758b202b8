# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Decay of the 3-D Taylor-Green vortex beside the spectral solution at Re 1600.

Usage: taylor_green.py OUTPUT; OUTPUT has a series.csv with kinetic_energy, an integral.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import numpy as np

import halocline

REFERENCE = Path(__file__).parents[2] / "data" / "incompressible" / "reference.toml"
VOLUME = (2.0 * np.pi) ** 3


def main(output: str) -> None:
    """Print the table."""
    series = halocline.open(output).series
    if series is None:
        sys.exit(f"{output} has no series.csv. Run with output.series_interval=10.")
    times, energy = series.times, series["kinetic_energy"] / VOLUME
    dissipation = -np.gradient(energy, times)
    known = tomllib.loads(REFERENCE.read_text())["taylor_green_re1600"]
    peak, largest = int(np.argmax(dissipation)), known["dissipation_max"]
    percent = 100.0 * (dissipation[peak] / largest["value"] - 1.0)
    print(f"largest -dE/dt {dissipation[peak]:.7f} at {times[peak]:.3f}", end="   ")
    print(f"reference {largest['value']} at {largest['at']}   {percent:+.2f} %")
    for time, value in known["energy"]:
        if times[0] <= time <= times[-1]:
            print(f"E({time}) {np.interp(time, times, energy):.7f}   reference {value}")


if __name__ == "__main__":
    main(*sys.argv[1:])
