# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Blade passage of NASA Rotor 37: an H grid around one blade, with its tip gap.

The axis of rotation is x (the axial coordinate of the sections), y = r cos(theta),
z = r sin(theta). Lines i run along the flow, j from hub to shroud, k around the axis. A line of
constant (i, j) is an arc: all its points share x and r, so cells cannot fold over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from halocline.errors import UsageError
from halocline.mesh import groups
from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.blade_sections import (
    BladeSurface,
    FlowPath,
    Sections,
    data_folder,
    load_sections,
)
from halocline.mesh.dual import Family
from halocline.mesh.layout import Blade, Layout
from halocline.mesh.request import Request
from halocline.mesh.shape import Rotation, Shape, fixed_lines, full_layout
from halocline.mesh.sizing import Cells, Part, choose_cells
from halocline.mesh.stretch import stretch

BLADES = 36
PITCH = 2.0 * math.pi / BLADES
TIP_SECTION = 11
"""Position of the blade-tip section; the last section lies on the shroud."""

INLET_X, OUTLET_X = -0.056, 0.150
"""About one chord (5.6 cm at mid-span) ahead of the leading edge, two behind the trailing one."""

LEADING, TRAILING = 0.06, 0.08
"""Spacing along the blade at its edges, relative to the mean spacing."""
SMALLEST_SPACING = 2e-5
"""The same in metres, at least: finer lines would be parallel to the round leading edge."""
HUB_SPACING, WALL_SPACING, GAP_SPACING = 0.12, 0.15, 0.4
"""First cell at the hub, at the blade and at the sides of the tip gap, relative to the mean."""
FREE_SPACING = 1.7
"""Spacing at the inlet, relative to the mean."""

SMOOTHING = 0.04
"""Lines away from the blade follow a shape smoothed over this part of the lines along it."""
FADING = 12
"""Power of the nearness (0 at the sides, 1 at the blade) with which the exact shape fades in."""

DIRECTIONS = (
    (Part(26, 2), Part(56, 4), Part(34, 2)),
    (Part(44, 2), Part(4, 1)),
    (Part(20, 1), Part(4, 1), Part(20, 1)),
)
"""Cells ahead of, along and behind the blade; along the span and in the gap; across."""


@dataclass(frozen=True)
class Columns:
    """Where the lines of constant (i, j) lie; all arrays (ni, nj).

    x and r [m]; angles of the two sides of the blade [rad] (equal outside it), exact and smoothed
    along the flow; strength of the clustering towards the blade, 0 to 1.
    """

    x: Floats
    r: Floats
    low: Floats
    high: Floats
    smooth_low: Floats
    smooth_high: Floats
    clustering: Floats


def make_rotor37(request: Request) -> Shape:
    """One passage of the rotor, from half a pitch below the blade to half a pitch above."""
    if request.aspect or request.cells or request.periodic or request.stretch != 1.0:
        raise UsageError(
            "rotor37 chooses its own proportions and clustering. Leave out --aspect and --stretch,"
            " --cells and --periodic."
        )
    sections = load_sections(data_folder("rotor37"))
    cells = choose_cells(DIRECTIONS, count_nodes, request.nodes, request.levels)
    blade = _blade(cells)
    columns = make_columns(sections, cells)
    fixed = (fixed_lines(cells[0]), fixed_lines(cells[1]), fixed_lines(cells[2]))
    return Shape(
        name="rotor37",
        layout=full_layout(cells, blade),
        fixed=fixed,
        minimum=(2, 1, 1),
        coordinates=_Coordinates(columns, cells),
        families=passage_families,
        group_names={
            groups.HUB: "hub",
            groups.SHROUD: "shroud",
            groups.BLADE: "blade",
            groups.INLET: "inlet",
            groups.OUTLET: "outlet",
            groups.PERIODIC_LOWER: "periodic lower",
            groups.PERIODIC_UPPER: "periodic upper",
        },
        parameters={"cells": cells, "blades": BLADES, "geometry": "NASA TP-1337, AGARD AR-355"},
        length_unit="m",
        periodic=Rotation((1.0, 0.0, 0.0), PITCH),
    )


def count_nodes(cells: Cells) -> int:
    """Nodes of the passage with the given cells."""
    (ahead, along, behind), (span, gap), (below, band, above) = cells
    outside = below + above
    merged = (ahead + behind + 2) * (span + gap + 1) * (outside + 1)
    blade = (along - 1) * span * (outside + 2)
    over_tip = (along - 1) * (gap + 1) * (outside + band + 1)
    return merged + blade + over_tip


def make_columns(sections: Sections, cells: Cells) -> Columns:
    """Place the lines of constant (i, j): ahead of the blade, along it, behind it."""
    span = _span_lines(sections, cells[1])
    spacings = _edge_spacings(sections, cells[0][1])
    chord = stretch(np.arange(cells[0][1] + 1) / cells[0][1], *spacings)
    surface = sections.evaluate(chord, span)
    ahead = _extension(sections.path, surface, cells[0], spacings[0], upstream=True)
    behind = _extension(sections.path, surface, cells[0], spacings[1], upstream=False)
    radius = sections.path.radius(surface.axial, surface.fraction)
    ones = np.ones_like(radius)
    along = (surface.axial, radius, surface.theta_low, surface.theta_high, ones)
    parts = zip(ahead, along, behind, strict=True)
    x, r, low, high, clustering = (np.concatenate(part) for part in parts)
    cells_wide = SMOOTHING * cells[0][1]
    smooth_low, smooth_high = _smooth(low, cells_wide), _smooth(high, cells_wide)
    return Columns(x, r, low, high, smooth_low, smooth_high, clustering)


def passage_families(layout: Layout) -> list[Family]:
    """Boundary surfaces of a passage with its blade in the middle."""
    blade = layout.blade
    if blade is None:
        raise ValueError("a passage has a blade")
    ni, nj, nk = layout.shape
    passage = _between(ni - 1, blade.i_le, blade.i_te)
    below_tip = _between(nj - 1, 0, blade.j_tip)
    band = _between(nk - 1, blade.k_lo, blade.k_hi)
    ends = np.ones((nj - 1, 1), bool) & ~band
    side = np.ones((ni - 1, nj - 1), bool)
    metal = passage[:, None] & below_tip
    hub = np.ones((ni - 1, 1), bool) & ~band
    return [
        Family("inlet", groups.INLET, 0, 0, -1, ends),
        Family("outlet", groups.OUTLET, 0, ni - 1, 1, ends),
        Family("hub", groups.HUB, 1, 0, -1, hub),
        Family("shroud", groups.SHROUD, 1, nj - 1, 1, passage[:, None] | ~band),
        Family("blade lower side", groups.BLADE, 2, blade.k_lo, 1, metal),
        Family("blade upper side", groups.BLADE, 2, blade.k_hi, -1, metal),
        Family("blade tip", groups.BLADE, 1, blade.j_tip, -1, passage[:, None] & band),
        Family("periodic lower", groups.PERIODIC_LOWER, 2, 0, -1, side),
        Family("periodic upper", groups.PERIODIC_UPPER, 2, nk - 1, 1, side),
    ]


class _Coordinates:
    """Evaluates node coordinates on any lines of the finest level."""

    def __init__(self, columns: Columns, cells: Cells) -> None:
        self._columns = columns
        below, band, above = cells[2]
        k = np.arange(below + band + above + 1)
        u = np.arange(below + 1) / below
        self._uniform = np.concatenate([u, np.ones(band - 1), u[::-1]])
        near = stretch(u, 1.0, WALL_SPACING)
        self._clustered = np.concatenate([near, np.ones(band - 1), near[::-1]])
        self._upper = k >= below + band
        self._across = np.clip((k - below) / band, 0.0, 1.0)
        self._across_clustered = stretch(self._across, GAP_SPACING, GAP_SPACING)
        thickness = columns.high - columns.low
        self._thickness = thickness / thickness.max()

    def __call__(self, i: Ints, j: Ints, k: Ints) -> Floats:
        at = np.ix_(i, j)
        columns = self._columns
        clustering = columns.clustering[at][:, :, None]
        nearness = self._uniform[k] + clustering * (self._clustered[k] - self._uniform[k])
        sharpening = self._across_clustered[k] - self._across[k]
        across = self._across[k] + self._thickness[at][:, :, None] * sharpening
        exact = _blend(columns.low[at], columns.high[at], across)
        smooth = _blend(columns.smooth_low[at], columns.smooth_high[at], across)
        mean = 0.5 * (columns.smooth_low + columns.smooth_high)[at][:, :, None]
        side = mean + np.where(self._upper[k], 0.5, -0.5) * PITCH
        theta = side + nearness * (smooth - side) + nearness**FADING * (exact - smooth)
        x, r = columns.x[at][:, :, None], columns.r[at][:, :, None]
        return np.stack(np.broadcast_arrays(x, r * np.cos(theta), r * np.sin(theta)))


def _blend(low: Floats, high: Floats, across: Floats) -> Floats:
    """Angle between the two sides of the blade; low, high (ni, nj), across (ni, nj, nk)."""
    result: Floats = low[:, :, None] + (high - low)[:, :, None] * across
    return result


def _blade(cells: Cells) -> Blade:
    (ahead, along, _), (span, _), (below, band, _) = cells
    return Blade(ahead, ahead + along, span, below, below + band)


def _edge_spacings(sections: Sections, along: int) -> tuple[float, float]:
    """Spacing at the leading and trailing edge relative to the mean of `along` cells."""
    mean = float((sections.axial[:, -1] - sections.axial[:, 0]).mean()) / along
    smallest = SMALLEST_SPACING / mean
    return max(LEADING, smallest), max(TRAILING, smallest)


def _between(count: int, first: int, last: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    index = np.arange(count)
    return (index >= first) & (index < last)


def _span_lines(sections: Sections, cells: tuple[int, ...]) -> Floats:
    """Positions along the span: clustered at hub and tip, then even through the gap."""
    n_span, n_gap = cells
    tip = float(sections.span[TIP_SECTION])
    gap_spacing = (1.0 - tip) / n_gap
    at_tip = min(1.0, gap_spacing * n_span / tip)
    below = tip * stretch(np.arange(n_span + 1) / n_span, HUB_SPACING, at_tip)
    gap = tip + (1.0 - tip) * np.arange(1, n_gap + 1) / n_gap
    gap[-1] = 1.0
    return np.concatenate([below, gap])


def _extension(
    path: FlowPath,
    surface: BladeSurface,
    cells: tuple[int, ...],
    edge_spacing: float,
    *,
    upstream: bool,
) -> tuple[Floats, ...]:
    """Lines ahead of or behind the blade: x, r, angle of both sides of the blade, clustering.

    The mean line leaves the blade along its camber and bends towards the axial direction over
    half an axial chord ahead, one behind.
    """
    ahead, along, behind = cells
    edge, end_x = (0, INLET_X) if upstream else (-1, OUTLET_X)
    count = ahead if upstream else behind
    x_edge = surface.axial[edge]
    chord = surface.axial[-1] - surface.axial[0]
    at_edge = edge_spacing * chord.mean() / along
    spacing = at_edge * count / abs(end_x - x_edge.mean())
    u = stretch(np.arange(count + 1) / count, spacing, FREE_SPACING)[1:]
    x = x_edge + u[:, None] * (end_x - x_edge)
    distance = np.abs(x - x_edge)
    reach = chord * (0.5 if upstream else 1.0)
    slope = _edge_slope(surface, upstream=upstream)
    camber = 0.5 * (surface.theta_low + surface.theta_high)[edge]
    turn = slope * reach * (1.0 - np.exp(-distance / reach))
    mean = camber - turn if upstream else camber + turn
    fraction = np.broadcast_to(surface.fraction[edge], x.shape)
    clustering = np.exp(-((distance / (1.5 * reach)) ** 2))
    part = (x, path.radius(x, fraction), mean, mean, clustering)
    return tuple(lines[::-1] for lines in part) if upstream else part


def _smooth(values: Floats, width: float) -> Floats:
    """Smooth along the first index over about `width` lines; the ends stay."""
    result = values.copy()
    for _ in range(max(1, round(2.0 * width**2))):
        result[1:-1] += 0.25 * (result[2:] - 2.0 * result[1:-1] + result[:-2])
    return result


def _edge_slope(surface: BladeSurface, *, upstream: bool) -> Floats:
    """Slope of the camber line at an edge [rad/m], over the nearest tenth of the chord."""
    camber = 0.5 * (surface.theta_low + surface.theta_high)
    position = (surface.axial - surface.axial[0]) / (surface.axial[-1] - surface.axial[0])
    near = position[:, 0] <= 0.1 if upstream else position[:, 0] >= 0.9
    near[[1, -2]] = True
    index = np.flatnonzero(near)
    first, last = (
        (index[0], index[index < len(near) - 2][-1])
        if upstream
        else (index[index > 1][0], index[-1])
    )
    result: Floats = (camber[last] - camber[first]) / (surface.axial[last] - surface.axial[first])
    return result
