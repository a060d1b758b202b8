# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a comparison: how large the differences are, and where on the mesh."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from halocline.compare.difference import LOWEST, Difference
from halocline.page.svg import Box, circle, drawing, line, rect, text
from halocline.results.mesh import Floats, Mesh

WIDTH, HEIGHT = 560.0, 190.0
MOST_BARS = 40
SAMPLE = 3000
"""Nodes drawn in grey, to show the shape of the mesh."""


def histogram(found: Difference) -> str:
    """Return bars: how many values differ by each power of ten; heights follow the logarithm."""
    powers = np.flatnonzero(found.decades)
    if len(powers) == 0:
        return ""
    first, last = max(int(powers[0]), int(powers[-1]) - MOST_BARS + 1), int(powers[-1])
    counts = found.decades[first : last + 1]
    area = Box(34.0, 16.0, WIDTH - 44.0, HEIGHT - 52.0)
    width = min(60.0, area.width / len(counts))
    top = math.log10(float(counts.max())) + 0.35
    body = [line(area.x, area.bottom, area.right, area.bottom, "axis")]
    for place, count in enumerate(counts.tolist()):
        power = first + place + LOWEST
        x = area.x + place * width
        if count:
            height = area.height * (math.log10(count) + 0.3) / top
            bar = Box(x + 1.0, area.bottom - height, width - 2.0, height)
            body.append(rect(bar, "s0", f"{count:,} values differ by 1e{power} to 1e{power + 1}"))
            if width > 26.0:
                body.append(text(x + width / 2, bar.y - 3.0, _short(count), "soft", "middle"))
        if len(counts) <= 14 or place % 4 == 0:
            body.append(text(x, area.bottom + 14.0, f"1e{power}", "soft", "middle"))
    body.append(
        text(area.x + area.width / 2, HEIGHT - 6.0, "absolute difference", "soft", "middle")
    )
    return drawing(WIDTH, HEIGHT, body, f"Sizes of the differences of {found.key}")


def _short(count: int) -> str:
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return str(count)


def error_map(found: Difference, mesh: Mesh) -> str:
    """Return the worst rows over a sample of the mesh, seen along its shortest extent."""
    if len(found.worst_rows) == 0:
        return ""
    sample = np.unique(np.linspace(0, mesh.nodes - 1, min(SAMPLE, mesh.nodes)).astype(np.int64))
    background, worst = mesh.points_at(sample), mesh.points_at(found.worst_rows)
    low = np.minimum(background.min(axis=0), worst.min(axis=0))
    extent = np.maximum(background.max(axis=0), worst.max(axis=0)) - low
    across, up = sorted(np.argsort(-extent, kind="stable")[:2].tolist())
    wide, high = (max(float(extent[axis]), 1e-300) for axis in (across, up))
    scale = min((WIDTH - 40.0) / wide, 300.0 / high)
    height = high * scale + 40.0
    left = (WIDTH - wide * scale) / 2

    def placed(points: Floats) -> npt.NDArray[np.float64]:
        flat = (points[:, (across, up)] - low[[across, up]]) * scale
        return np.column_stack([left + flat[:, 0], height - 26.0 - flat[:, 1]])

    body = [circle(x, y, 1.0, "empty dot") for x, y in placed(background).tolist()]
    finite = found.worst_sizes[np.isfinite(found.worst_sizes)]
    largest = float(finite.max()) if len(finite) else 1.0
    for (x, y), size, row in list(
        zip(placed(worst).tolist(), found.worst_sizes.tolist(), found.worst_rows, strict=True)
    )[::-1]:
        share = 1.0 if not math.isfinite(size) else (size / largest) ** 0.25
        body.append(circle(x, y, 1.2 + 2.6 * share, "s4", f"row {row}: {size:.3g}"))
    x, y = placed(worst[:1])[0].tolist()
    body.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="9" class="l1"/>')
    axes = f"{'xyz'[across]} to the right, {'xyz'[up]} upwards"
    body.append(text(WIDTH / 2, height - 6.0, axes, "soft", "middle"))
    return drawing(WIDTH, height, body, f"Places of the largest differences of {found.key}")
