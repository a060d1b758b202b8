# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Decay of Taylor and Green's vortices in space beside the spectral solution, Re 1600."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from incompressible.proof import Proof, Row, Run, published, series_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VOLUME = (2.0 * np.pi) ** 3


def decay(run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times, mean kinetic energy and its loss a unit of time."""
    series = series_of(run)
    energy = series["kinetic_energy"] / VOLUME
    return series.times, energy, -np.gradient(energy, series.times)


def compare(run: Run) -> list[Row]:
    """Return the largest dissipation, its time, and energies."""
    known = published("taylor_green_re1600")
    times, energy, dissipation = decay(run)
    peak, largest = int(np.argmax(dissipation)), known["dissipation_max"]
    rows = [
        Row("largest -dE/dt", float(dissipation[peak]), largest["value"]),
        Row("its time", float(times[peak]), largest["at"]),
    ]
    return rows + [
        Row(f"E({time})", float(np.interp(time, times, energy)), value)
        for time, value in known["energy"]
        if times[0] <= time <= times[-1]
    ]


def draw(run: Run, figure: Figure) -> None:
    """Draw energy and dissipation with the spectral numbers."""
    left, right = figure.subplots(1, 2)
    known = published("taylor_green_re1600")
    times, energy, dissipation = decay(run)
    left.plot(times, energy, label="halocline")
    left.plot(*zip(*known["energy"], strict=True), "o", mfc="none", label="spectral, 512$^3$")
    left.set(xlabel="t", ylabel="E", xlim=(0.0, times[-1]))
    left.legend()
    right.plot(times, dissipation)
    right.plot(known["dissipation_max"]["at"], known["dissipation_max"]["value"], "C1o", mfc="none")
    right.set(xlabel="t", ylabel="-dE/dt", xlim=(0.0, times[-1]))


RE_1600 = Proof(
    "vortices", "Taylor-Green vortices in space, Re 1600", "vortices.toml", compare, draw
)
