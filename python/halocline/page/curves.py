# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Curves on one plot with logarithmic axes; what is drawn across says how it is marked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from halocline.page.svg import Box, circle, drawing, line, polyline, text

WIDTH, HEIGHT = 560.0, 330.0
PLOT = Box(62.0, 12.0, WIDTH - 62.0 - 26.0, HEIGHT - 12.0 - 40.0)


@dataclass(frozen=True)
class Curve:
    """Points (across, value) of one subject and the series colour it has everywhere."""

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


@dataclass(frozen=True)
class Across:
    """What lies across: its title, how a place is written, and the places that get a mark."""

    title: str
    text: Callable[[float], str]
    marks: Callable[[float, float], Sequence[float]]


def curves(
    drawn: Sequence[Curve], label: str, value_text: Callable[[float], str], across: Across
) -> str:
    """Return a plot of values up, powers of 10 marked; empty when nothing is to be drawn."""
    points = [point for curve in drawn for point in curve.points if min(point) > 0.0]
    if not points:
        return ""
    places = [point[0] for point in points]
    values = [point[1] for point in points]
    along = LogAxis(min(places), max(places), PLOT.x, PLOT.right)
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values) * 1.0001))
    up = LogAxis(low, high, PLOT.bottom, PLOT.y)
    body = [*_value_marks(up, value_text), *_marks_across(along, across)]
    for curve in drawn:
        body += _curve(curve, along, up, lambda x, y: f"{across.text(x)}: {value_text(y)}")
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


def _marks_across(along: LogAxis, across: Across) -> list[str]:
    body = [line(PLOT.x, PLOT.bottom, PLOT.right, PLOT.bottom, "axis")]
    for place in across.marks(along.low, along.high):
        x = along(place)
        body.append(line(x, PLOT.bottom, x, PLOT.bottom + 4, "axis"))
        body.append(text(x, PLOT.bottom + 17, across.text(place), "soft", "middle"))
    middle = (PLOT.x + PLOT.right) / 2
    body.append(text(middle, HEIGHT - 4, across.title, "soft", "middle"))
    return body


def _curve(
    curve: Curve, along: LogAxis, up: LogAxis, words: Callable[[float, float], str]
) -> list[str]:
    points = [(x, y) for x, y in curve.points if x > 0 and y > 0]
    body = [polyline([(along(x), up(y)) for x, y in points], f"l{curve.series}")]
    for x, y in points:
        title = f"{curve.name}, {words(x, y)}"
        body.append(circle(along(x), up(y), 3.2, f"s{curve.series}", title))
    return body
