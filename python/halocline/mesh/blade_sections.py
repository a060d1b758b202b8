# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the blade sections and flow-path walls of a rotor and interpolates them smoothly."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator

from halocline.errors import InvalidInputError, MissingEnvironmentError
from halocline.mesh.arrays import Floats

DATA_VARIABLE = "HALOCLINE_DATA"
CM = 0.01


@dataclass(frozen=True)
class FlowPath:
    """Radii of hub and shroud as functions of the axial coordinate [m]."""

    hub: PchipInterpolator
    shroud: PchipInterpolator

    def radius(self, axial: Floats, fraction: Floats) -> Floats:
        """Radius at a fraction of the span: 0 on the hub, 1 on the shroud."""
        low = self.hub(axial)
        result: Floats = low + fraction * (self.shroud(axial) - low)
        return result

    def fraction(self, axial: Floats, radius: Floats) -> Floats:
        """Fraction of the span at a radius."""
        low = self.hub(axial)
        result: Floats = (radius - low) / (self.shroud(axial) - low)
        return result


@dataclass(frozen=True)
class BladeSurface:
    """Points of the blade over chord (first index) and span (second index).

    axial [m], span fraction, and the angles of both sides [rad]; theta_low <= theta_high, equal
    at the leading and trailing edge.
    """

    axial: Floats
    fraction: Floats
    theta_low: Floats
    theta_high: Floats


@dataclass(frozen=True)
class Sections:
    """Blade sections from hub to shroud with their flow path.

    `span` (n,) is the position of each section from hub (0) to shroud (1); the tables
    (n, points) are axial [m], span fraction, mean angle and half of the angle between the sides.
    """

    path: FlowPath
    span: Floats
    axial: Floats
    fraction: Floats
    camber: Floats
    half_angle: Floats

    def evaluate(self, chord: Floats, span: Floats) -> BladeSurface:
        """Blade surface at fractions of the axial chord and positions along the span.

        Sections are splines of the angle acos(1 - 2 chord), in which blunt edges are smooth;
        between sections a monotone interpolation avoids overshoots near the closely spaced tip.
        """
        angle = np.arccos(1.0 - 2.0 * chord)
        tables = np.stack(
            [
                np.stack(
                    [self._along_chord(section, name, angle) for section in range(len(self.span))]
                )
                for name in ("fraction", "camber", "half_angle")
            ]
        )
        ends = self.axial[:, [0, -1]]
        fraction, camber, half = PchipInterpolator(self.span, tables, axis=1)(span)
        leading, trailing = PchipInterpolator(self.span, ends)(span).T
        axial = leading + chord[:, None] * (trailing - leading)
        half = np.maximum(half.T, 0.0)
        half[[0, -1]] = 0.0
        return BladeSurface(axial, fraction.T, camber.T - half, camber.T + half)

    def _along_chord(self, section: int, name: str, angle: Floats) -> Floats:
        axial = self.axial[section]
        chord = (axial - axial[0]) / (axial[-1] - axial[0])
        known = np.arccos(np.clip(1.0 - 2.0 * chord, -1.0, 1.0))
        result: Floats = CubicSpline(known, getattr(self, name)[section])(angle)
        return result


def load_sections(folder: Path) -> Sections:
    """Read blade_sections.csv, hub.csv and shroud.csv (centimetres, radians)."""
    table = _read(folder / "blade_sections.csv", 6)
    hub, shroud = _read(folder / "hub.csv", 2), _read(folder / "shroud.csv", 2)
    path = FlowPath(_wall(hub), _wall(shroud))
    numbers = np.unique(table[:, 0])
    rows = np.stack([table[table[:, 0] == number][:, 2:] for number in numbers])
    axial, radius = rows[:, :, 0] * CM, rows[:, :, 1] * CM
    fraction = path.fraction(axial, radius)
    fraction[0], fraction[-1] = 0.0, 1.0
    return Sections(
        path=path,
        span=fraction.mean(axis=1),
        axial=axial,
        fraction=fraction,
        camber=0.5 * (rows[:, :, 2] + rows[:, :, 3]),
        half_angle=0.5 * np.abs(rows[:, :, 2] - rows[:, :, 3]),
    )


def data_folder(name: str) -> Path:
    """Folder of published geometry, in the source tree or beside the installed package."""
    roots = [Path(__file__).parents[3] / "data", Path(sys.prefix) / "share" / "halocline" / "data"]
    if os.environ.get(DATA_VARIABLE):
        roots.insert(0, Path(os.environ[DATA_VARIABLE]))
    for root in roots:
        if (root / name).is_dir():
            return root / name
    raise MissingEnvironmentError(
        f"The geometry data '{name}' were not found (looked in {', '.join(map(str, roots))})."
        f" Set {DATA_VARIABLE} to the data folder of the halocline sources."
    )


def _wall(points: Floats) -> PchipInterpolator:
    return PchipInterpolator(points[:, 0] * CM, points[:, 1] * CM, extrapolate=True)


def _read(file: Path, columns: int) -> Floats:
    try:
        table: Floats = np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2)
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"{file}: cannot read the blade geometry ({error}). Restore the file."
        ) from error
    if table.shape[1] != columns or not np.isfinite(table).all():
        raise InvalidInputError(f"{file}: {columns} columns of finite numbers expected.")
    return table
