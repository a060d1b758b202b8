# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a scaling study: times by function, speed-up with its ideal, efficiency."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from halocline.page.svg import (
    Box,
    circle,
    drawing,
    legend,
    line,
    polyline,
    rect,
    text,
    ticks,
)
from halocline.snapshot.scale import OTHERS, Point, Scaling
from halocline.wording import seconds_words

WIDTH = 560.0
HEIGHT = 220.0
HEADROOM = 1.08  # for the figure above the highest column
AREA = Box(58.0, 10.0, WIDTH - 70.0, HEIGHT)


@dataclass(frozen=True)
class Layer:
    """One part of stacked columns."""

    css: str
    name: str
    value: Callable[[Point], float]


def elapsed_columns(study: Scaling) -> str:
    """Elapsed time per scale, split into time outside and inside MPI (means over ranks)."""
    layers = [
        Layer("s0", "outside MPI", lambda point: point.outside_s),
        Layer("s1", "MPI", lambda point: point.mpi_s),
    ]
    return _columns(study, layers, seconds_words, "elapsed time")


def function_columns(study: Scaling) -> str:
    """MPI time per scale by function, mean over ranks."""
    names = [*study.functions, OTHERS]
    layers = [
        Layer(
            f"s{place}" if name != OTHERS else "s7",
            name.removeprefix("MPI_"),
            lambda point, name=name: point.function_s[name],  # type: ignore[misc]
        )
        for place, name in enumerate(names)
    ]
    return _columns(study, layers, seconds_words, "MPI time by function")


def share_columns(study: Scaling) -> str:
    """MPI time per scale by function, in percent of the elapsed time."""
    names = [*study.functions, OTHERS]
    layers = [
        Layer(
            f"s{place}" if name != OTHERS else "s7",
            name.removeprefix("MPI_"),
            lambda point, name=name: 100 * point.function_s[name] / point.elapsed_s,  # type: ignore[misc]
        )
        for place, name in enumerate(names)
    ]
    return _columns(study, layers, lambda value: f"{value:.0f} %", "MPI share by function")


def _columns(
    study: Scaling, layers: Sequence[Layer], words: Callable[[float], str], label: str
) -> str:
    totals = [sum(layer.value(point) for layer in layers) for point in study.points]
    highest = max(totals) * HEADROOM or 1.0
    marks = ticks(highest)
    scale = AREA.height / highest
    body = _grid(marks, scale, words)
    step = AREA.width / len(study.points)
    width = min(step * 0.62, 64.0)
    for place, (point, total) in enumerate(zip(study.points, totals, strict=True)):
        x = AREA.x + (place + 0.5) * step
        y = AREA.bottom
        for layer in layers:
            height = layer.value(point) * scale
            y -= height
            if height > 0:
                title = f"{scale_words(point)}, {layer.name}: {words(layer.value(point))}"
                body.append(rect(Box(x - width / 2, y, width, height), layer.css, title))
        body.append(text(x, y - 4, words(total), "soft", "middle"))
        body.append(text(x, AREA.bottom + 15, scale_words(point), "", "middle"))
    used = [layer for layer in layers if any(layer.value(point) > 0 for point in study.points)]
    names = legend([(layer.css, layer.name) for layer in used])
    return drawing(WIDTH, AREA.bottom + 22, body, label) + names


def speed_up_lines(study: Scaling) -> str:
    """Speed-up over cores on logarithmic axes, with the ideal as a dashed line."""
    cores = [point.ranks * point.threads for point in study.points]
    relative = [core / cores[0] for core in cores]
    most = max(*relative, *(point.speed_up for point in study.points))
    least = min(1.0, *(point.speed_up for point in study.points))
    x_span = max(math.log2(max(relative)), 1.0)
    y_low, y_high = math.floor(math.log2(least)), math.ceil(math.log2(most))

    def place(core: float, value: float) -> tuple[float, float]:
        x = AREA.x + 20 + (AREA.width - 40) * math.log2(core) / x_span
        y = AREA.bottom - AREA.height * (math.log2(value) - y_low) / max(1, y_high - y_low)
        return x, y

    body = []
    for power in range(y_low, y_high + 1):
        y = place(1.0, 2.0**power)[1]
        body.append(line(AREA.x, y, AREA.right, y, "rule"))
        body.append(text(AREA.x - 6, y + 4, f"{2.0**power:g}×", "soft", "end"))
    body.append(polyline([place(core, core) for core in relative], "dash"))
    points = [place(c, p.speed_up) for c, p in zip(relative, study.points, strict=True)]
    body.append(polyline(points, "l0"))
    for (x, y), point in zip(points, study.points, strict=True):
        words = f"{point.speed_up:.2f}×, {point.efficiency_percent:.0f} %"
        body.append(circle(x, y, 4.0, "s0", f"{scale_words(point)}: {words}"))
        below = y < AREA.y + 24
        anchor = "end" if x > AREA.right - 70 else "start" if x < AREA.x + 70 else "middle"
        body.append(text(x, y + 18 if below else y - 8, words, "strong", anchor))
        body.append(text(x, AREA.bottom + 15, scale_words(point), "", "middle"))
    names = legend([("s0", "measured: speed-up, efficiency"), ("s7", "dashed: ideal")])
    return drawing(WIDTH, AREA.bottom + 22, body, "speed-up") + names


def _grid(marks: Sequence[float], scale: float, words: Callable[[float], str]) -> list[str]:
    body = []
    for mark in marks:
        y = AREA.bottom - mark * scale
        body.append(line(AREA.x, y, AREA.right, y, "rule"))
        body.append(text(AREA.x - 6, y + 4, words(mark), "soft", "end"))
    return body


def scale_words(point: Point) -> str:
    """Return e.g. `4 ranks` or `4×2` for threads."""
    if point.threads > 1:
        return f"{point.ranks} × {point.threads}"
    return f"{point.ranks} rank{'s' if point.ranks != 1 else ''}"
