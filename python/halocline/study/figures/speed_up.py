# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Speed-up and efficiency over cores, with the ideal as a dashed line and intervals as bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from halocline.page.curves import LogAxis
from halocline.page.svg import Box, circle, drawing, legend, line, polyline, text
from halocline.study.figures.selection import series_of, shortened
from halocline.study.result import PointResult, SpeedUp, StudyResult

WIDTH, HEIGHT = 560.0, 250.0
AREA = Box(58.0, 12.0, WIDTH - 82.0, HEIGHT - 44.0)
INSET = 18.0


@dataclass(frozen=True)
class Chart:
    """A chart in the making: its lines by setting, and where cores and values lie."""

    lines: dict[str, list[PointResult]]
    along: LogAxis
    up: Callable[[float], float]
    #: A speed-up as the chart shows it, with the bounds of its interval.
    bounds: Callable[[SpeedUp], tuple[float, float | None, float | None]]

    def place(self, cores: float, value: float) -> tuple[float, float]:
        """Return the point of a value; what lies beyond the area is at its edge."""
        return self.along(cores), min(max(self.up(value), AREA.y), AREA.bottom)


def speed_up_chart(result: StudyResult) -> str:
    """Return speed-up over cores on logarithmic axes; empty where there is one scale only."""
    lines, along = _lines(result)
    if not lines:
        return ""
    most = along.high / along.low
    values = [found.value for found in _speed_ups(lines)]
    low = 2.0 ** math.floor(math.log2(min(*values, 1.0)))
    high = 2.0 ** math.ceil(math.log2(max(*values, most, 1.01)))
    up = LogAxis(low, high, AREA.bottom, AREA.y)
    chart = Chart(lines, along, up, lambda found: (found.value, found.low, found.high))
    powers = range(round(math.log2(low)), round(math.log2(high)) + 1)
    ideal = [(along.low, 1.0), (along.high, most)] if result.scaling == "strong" else []
    return _drawn(chart, {2.0**power: f"{2.0**power:g}×" for power in powers}, ideal)


def efficiency_chart(result: StudyResult) -> str:
    """Return efficiency over cores; empty where there is one scale only."""
    lines, along = _lines(result)
    if not lines:
        return ""
    most = max(100.0, *(found.efficiency_percent for found in _speed_ups(lines)))
    high = 20.0 * math.ceil(most / 20.0 + 0.2)

    def scaled(found: SpeedUp) -> tuple[float, float | None, float | None]:
        factor = found.efficiency_percent / found.value
        low = None if found.low is None else found.low * factor
        return found.efficiency_percent, low, None if found.high is None else found.high * factor

    chart = Chart(lines, along, lambda value: AREA.bottom - AREA.height * value / high, scaled)
    step = 20 if high <= 160 else 50
    marks = {float(value): f"{value} %" for value in range(0, int(high) + 1, step)}
    return _drawn(chart, marks, [(along.low, 100.0), (along.high, 100.0)])


def _lines(result: StudyResult) -> tuple[dict[str, list[PointResult]], LogAxis]:
    """Return settings over scales, and the axis of their cores."""
    lines = series_of(result)
    cores = [point.cores for row in lines.values() for point in row] or [1]
    return lines, LogAxis(min(cores), max(cores), AREA.x + INSET, AREA.right - INSET)


def _speed_ups(lines: dict[str, list[PointResult]]) -> list[SpeedUp]:
    found = (point.speed_up for row in lines.values() for point in row)
    return [speed_up for speed_up in found if speed_up is not None]


def _drawn(chart: Chart, marks: dict[float, str], ideal: Sequence[tuple[float, float]]) -> str:
    body = []
    for value, words in marks.items():
        y = chart.up(value)
        body.append(line(AREA.x, y, AREA.right, y, "rule"))
        body.append(text(AREA.x - 6, y + 4, words, "soft", "end"))
    body.append(polyline([chart.place(*point) for point in ideal], "dash"))
    for series, row in enumerate(chart.lines.values()):
        body += _line(chart, series, sorted(row, key=lambda point: point.cores))
    for count in sorted({point.cores for row in chart.lines.values() for point in row}):
        body.append(text(chart.along(count), AREA.bottom + 15, f"{count}", "soft", "middle"))
    body.append(text(AREA.x + AREA.width / 2, HEIGHT - 4, "ranks × threads", "soft", "middle"))
    names = [(f"s{place}", shortened(label, 40)) for place, label in enumerate(chart.lines)]
    dashed = [("s7", "dashed: ideal")] if ideal else []
    return drawing(WIDTH, HEIGHT, body, "speed-up over cores") + legend([*names, *dashed])


def _line(chart: Chart, series: int, row: Sequence[PointResult]) -> list[str]:
    """Return a setting's marks, and lines between those with as many threads a rank."""
    found = [(point, chart.bounds(point.speed_up)) for point in row if point.speed_up is not None]
    places = [chart.place(point.cores, values[0]) for point, values in found]
    body = []
    for threads in dict.fromkeys(_threads_of(point) for point, _ in found):
        alike = [
            p for p, (point, _) in zip(places, found, strict=True) if _threads_of(point) == threads
        ]
        body.append(polyline(alike, f"l{series}"))
    for (x, y), (point, (value, low, high)) in zip(places, found, strict=True):
        words = f"{point.label}, {point.scale}: {value:.3g}"
        if low is not None and high is not None:
            ends = [chart.place(point.cores, bound)[1] for bound in (low, high)]
            body.append(line(x, ends[0], x, ends[1], f"l{series}"))
            words += f" ({low:.3g} … {high:.3g})"
        body.append(circle(x, y, 3.6, f"s{series}", words))
        if series == 0 and (threads := _threads_of(point)) > 1:
            body.append(text(x + 8, y + 4, f"{threads} threads a rank", "soft"))
    return body


def _threads_of(point: PointResult) -> int:
    threads = point.values.get("threads", 1)
    return threads if isinstance(threads, int) else 1
