# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Curves of all paths on one plot with logarithmic axes, and the heat map of the sweep."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from halocline.p2p.units import size_text
from halocline.page.svg import Box, circle, drawing, line, polyline, rect, text

WIDTH, HEIGHT = 560.0, 330.0
PLOT = Box(62.0, 12.0, WIDTH - 62.0 - 26.0, HEIGHT - 12.0 - 40.0)


@dataclass(frozen=True)
class Curve:
    """Points (bytes, value) of one path and the series colour it has everywhere."""

    name: str
    series: int
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class LogAxis:
    """Maps values of a positive range to a length."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where `value` lies."""
        span = math.log(self.high / self.low) or 1.0
        return self.start + (self.end - self.start) * math.log(value / self.low) / span


def curves(drawn: Sequence[Curve], label: str, value_text: Callable[[float], str]) -> str:
    """Return a plot with sizes (powers of 4 marked) across and values (powers of 10) up."""
    points = [point for curve in drawn for point in curve.points if min(point) > 0.0]
    if not points:
        return ""
    sizes = [point[0] for point in points]
    values = [point[1] for point in points]
    across = LogAxis(min(sizes), max(sizes), PLOT.x, PLOT.right)
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values) * 1.0001))
    up = LogAxis(low, high, PLOT.bottom, PLOT.y)
    body = [*_value_marks(up, value_text), *_size_marks(across)]
    for curve in drawn:
        body += _curve(curve, across, up, value_text)
    return drawing(WIDTH, HEIGHT, body, label)


def _value_marks(up: LogAxis, value_text: Callable[[float], str]) -> list[str]:
    body = []
    decade = up.low
    while decade <= up.high * 1.001:
        y = up(decade)
        body.append(line(PLOT.x, y, PLOT.right, y, "rule"))
        body.append(text(PLOT.x - 6, y + 4, value_text(decade), "soft", "end"))
        decade *= 10.0
    return body


def _size_marks(across: LogAxis) -> list[str]:
    body = [line(PLOT.x, PLOT.bottom, PLOT.right, PLOT.bottom, "axis")]
    step = 64.0 if across.high / across.low > 4**7 else 4.0
    size = across.low
    while size <= across.high * 1.001:
        body.append(line(across(size), PLOT.bottom, across(size), PLOT.bottom + 4, "axis"))
        body.append(text(across(size), PLOT.bottom + 17, size_text(size), "soft", "middle"))
        size *= step
    middle = (PLOT.x + PLOT.right) / 2
    body.append(text(middle, HEIGHT - 4, "message size", "soft", "middle"))
    return body


def _curve(
    curve: Curve, across: LogAxis, up: LogAxis, value_text: Callable[[float], str]
) -> list[str]:
    places = [(across(x), up(y)) for x, y in curve.points if x > 0 and y > 0]
    body = [polyline(places, f"l{curve.series}")]
    for (x, y), (size, value) in zip(places, curve.points, strict=False):
        title = f"{curve.name}, {size_text(size)}: {value_text(value)}"
        body.append(circle(x, y, 3.2, f"s{curve.series}", title))
    return body


def heat_map(
    rows: Sequence[int],
    columns: Sequence[int],
    cells: Mapping[tuple[int, int], float],
    best: Mapping[int, int],
) -> str:
    """Return the sweep as a map: message sizes down, blocks across (0: whole message).

    Cells hold the time against the best of their row: 1 is the darkest; the best is framed.
    """
    left, top, wide, high = 70.0, 26.0, 62.0, 24.0
    body = [text(left - 8, top - 2, "block", "soft", "end")]
    for place, block in enumerate(columns):
        words = "whole" if block == 0 else size_text(block)
        body.append(text(left + (place + 0.5) * wide, top - 2, words, "soft", "middle"))
    for down, size in enumerate(rows):
        y = top + 6 + down * high
        body.append(text(left - 8, y + 16, size_text(size), "soft", "end"))
        for place, block in enumerate(columns):
            box = Box(left + place * wide + 1, y + 1, wide - 2, high - 2)
            body += _cell(box, cells.get((size, block)), best.get(size) == block)
    width = left + len(columns) * wide + 8
    return drawing(width, top + 14 + len(rows) * high, body, "time by message size and block")


def _cell(box: Box, against_best: float | None, is_best: bool) -> list[str]:
    if against_best is None:
        return [rect(box, "empty", opacity=0.4)]
    shade = max(0.06, min(1.0, 1.0 / against_best) ** 2)
    css = "on" if shade > 0.55 else ""
    middle = box.x + box.width / 2
    body = [
        rect(box, "empty"),
        rect(box, "heat", f"{against_best:.2f} times the best", shade),
        text(middle, box.y + 15, f"{against_best:.2f}", css, "middle"),
    ]
    if is_best:
        inner = Box(box.x + 1, box.y + 1, box.width - 2, box.height - 2)
        body.append(rect(inner, "best"))
    return body
