# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Speed-up and efficiency over cores, with the ideal as a dashed line and intervals as bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from halocline.page.svg import Box, circle, drawing, legend, line, polyline, text
from halocline.study.figures.selection import series_of, shortened
from halocline.study.result import PointResult, SpeedUp, StudyResult

WIDTH, HEIGHT = 560.0, 250.0
AREA = Box(58.0, 12.0, WIDTH - 82.0, HEIGHT - 44.0)


@dataclass(frozen=True)
class Axes:
    """Where cores and values lie on the drawing."""

    first: float
    last: float
    low: float
    high: float
    logarithmic: bool

    def place(self, cores: float, value: float) -> tuple[float, float]:
        """Return the point of a value."""
        span = math.log2(self.last / self.first) or 1.0
        x = AREA.x + 18 + (AREA.width - 36) * math.log2(cores / self.first) / span
        if self.logarithmic:
            share = math.log2(value / self.low) / (math.log2(self.high / self.low) or 1.0)
        else:
            share = (value - self.low) / (self.high - self.low)
        return x, AREA.bottom - AREA.height * min(1.0, max(0.0, share))


@dataclass(frozen=True)
class Shown:
    """Settings over scales, with their fewest and most cores."""

    lines: dict[str, list[PointResult]]
    speed_ups: list[SpeedUp]
    first: int
    last: int


def _shown(result: StudyResult) -> Shown | None:
    """Return what both charts show; None where there is one scale only."""
    lines = series_of(result)
    points = [point for row in lines.values() for point in row]
    if not points:
        return None
    cores = [point.cores for point in points]
    speed_ups = [point.speed_up for point in points if point.speed_up is not None]
    return Shown(lines, speed_ups, min(cores), max(cores))


def speed_up_chart(result: StudyResult) -> str:
    """Return speed-up over cores on logarithmic axes; empty where there is one scale only."""
    shown = _shown(result)
    if shown is None:
        return ""
    first, last = shown.first, shown.last
    values = [found.value for found in shown.speed_ups]
    high = 2.0 ** math.ceil(math.log2(max(*values, last / first, 1.01)))
    low = 2.0 ** math.floor(math.log2(min(*values, 1.0)))
    axes = Axes(first, last, low, high, logarithmic=True)
    powers = range(round(math.log2(low)), round(math.log2(high)) + 1)
    body = _grid(axes, [2.0**power for power in powers], lambda value: f"{value:g}×")
    ideal = [(first, 1.0), (last, last / first)] if result.scaling == "strong" else []
    return _finished(
        body, axes, ideal, shown.lines, lambda found: (found.value, found.low, found.high)
    )


def efficiency_chart(result: StudyResult) -> str:
    """Return efficiency over cores; empty where there is one scale only."""
    shown = _shown(result)
    if shown is None:
        return ""
    first, last = shown.first, shown.last
    most = max(100.0, *(found.efficiency_percent for found in shown.speed_ups))
    high = 20.0 * math.ceil(most / 20.0 + 0.2)
    axes = Axes(first, last, 0.0, high, logarithmic=False)
    step = 20.0 if high <= 160 else 50.0
    marks = [step * place for place in range(int(high / step) + 1)]
    body = _grid(axes, marks, lambda value: f"{value:.0f} %")

    def scaled(found: SpeedUp) -> tuple[float, float | None, float | None]:
        factor = found.efficiency_percent / found.value
        low = None if found.low is None else found.low * factor
        return found.efficiency_percent, low, None if found.high is None else found.high * factor

    return _finished(body, axes, [(first, 100.0), (last, 100.0)], shown.lines, scaled)


Bounds = Callable[[SpeedUp], tuple[float, float | None, float | None]]


def _finished(
    body: list[str],
    axes: Axes,
    ideal: Sequence[tuple[float, float]],
    lines: dict[str, list[PointResult]],
    bounds: Bounds,
) -> str:
    body.append(polyline([axes.place(*point) for point in ideal], "dash"))
    for series, row in enumerate(lines.values()):
        body += _line(axes, series, sorted(row, key=lambda point: point.cores), bounds)
    cores = {point.cores: point for row in lines.values() for point in row}
    for count in cores:
        x = axes.place(count, axes.high)[0]
        body.append(text(x, AREA.bottom + 15, f"{count}", "soft", "middle"))
    body.append(text(AREA.x + AREA.width / 2, HEIGHT - 4, "ranks × threads", "soft", "middle"))
    names = [(f"s{place}", shortened(label, 40)) for place, label in enumerate(lines)]
    dashed = [("s7", "dashed: ideal")] if ideal else []
    return drawing(WIDTH, HEIGHT, body, "speed-up over cores") + legend([*names, *dashed])


def _line(axes: Axes, series: int, row: Sequence[PointResult], bounds: Bounds) -> list[str]:
    found = [(point, bounds(point.speed_up)) for point in row if point.speed_up is not None]
    places = [axes.place(point.cores, values[0]) for point, values in found]
    body = [polyline(places, f"l{series}")]
    for (x, y), (point, (value, low, high)) in zip(places, found, strict=True):
        words = f"{point.label}, {point.scale}: {value:.3g}"
        if low is not None and high is not None:
            ends = axes.place(point.cores, low)[1], axes.place(point.cores, high)[1]
            body.append(line(x, ends[0], x, ends[1], f"l{series}"))
            words += f" ({low:.3g} … {high:.3g})"
        body.append(circle(x, y, 3.6, f"s{series}", words))
    return body


def _grid(axes: Axes, marks: Sequence[float], words: Callable[[float], str]) -> list[str]:
    body = []
    for mark in marks:
        y = axes.place(axes.first, mark)[1]
        body.append(line(AREA.x, y, AREA.right, y, "rule"))
        body.append(text(AREA.x - 6, y + 4, words(mark), "soft", "end"))
    return body
