# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings with a row a point: gains with intervals, MPI time by function, memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from halocline.page.svg import Box, circle, drawing, legend, line, rect, text, ticks
from halocline.study.figures.selection import rank_of, rows_of, short_title
from halocline.study.result import PointResult, StudyResult
from halocline.study.verdicts import gain_words
from halocline.wording import bytes_words, seconds_words

WIDTH, NAMES, ROW = 560.0, 206.0, 20.0
RIGHT = 62.0
MOST_LETTERS = 32
#: Nothing can gain more; what loses more is drawn at the edge.
MOST_PERCENT = 100.0
FUNCTIONS = 5
OTHERS = "other functions"


def gains_chart(result: StudyResult) -> str:
    """Return gains beside the base, most first, with intervals and the band of noise."""
    compared = [point for point in result.points if point.comparison is not None]
    rows = sorted(rows_of(result, compared), key=rank_of)
    if not rows:
        return ""
    reach = max(abs(bound) for point in rows for bound in _gains(point))
    floor = max((noise.floor or 0.0 for noise in result.noise), default=0.0) * 100
    reach = min(max(reach, floor, 1.0) * 1.05, MOST_PERCENT)
    area = Box(NAMES, 4.0, WIDTH - NAMES - 24.0, ROW * len(rows))
    middle = area.x + area.width / 2

    def at(gain: float) -> float:
        return middle + area.width / 2 * max(-1.0, min(1.0, gain / reach))

    body = [
        _noise(result, point, Box(area.x, area.y + place * ROW, area.width, ROW), at)
        for place, point in enumerate(rows)
    ]
    for mark in ticks(reach, 2)[1:]:
        for place in (-mark, mark):
            body.append(line(at(place), area.y, at(place), area.bottom, "rule"))
            words = f"{place:+g} %"
            body.append(text(at(place), area.bottom + 14, words, "soft", "middle"))
    body.append(line(middle, area.y, middle, area.bottom, "axis"))
    body.append(text(middle, area.bottom + 14, "0", "soft", "middle"))
    for place, point in enumerate(rows):
        body += _gain(point, area.y + (place + 0.5) * ROW, at)
    names = legend([("s3", "faster"), ("s4", "slower"), ("s7", "no difference can be told")])
    return drawing(WIDTH, area.bottom + 20, body, "gain beside the base") + names


def _noise(result: StudyResult, point: PointResult, row: Box, at: Callable[[float], float]) -> str:
    """Return the band of what the base differs from itself at the scale of a point."""
    floors = [noise.floor for noise in result.noise if noise.scale == point.scale]
    floor = 100 * next((floor for floor in floors if floor is not None), 0.0)
    band = Box(at(-floor), row.y, at(floor) - at(-floor), row.height)
    return rect(band, "empty", f"noise floor: {floor:.1f} %")


def _gains(point: PointResult) -> list[float]:
    found = point.comparison
    ratios = [] if found is None else [found.ratio, found.low, found.high]
    return [100.0 * (1.0 - ratio) for ratio in ratios if ratio is not None]


def _gain(point: PointResult, y: float, at: Callable[[float], float]) -> list[str]:
    found = point.comparison
    assert found is not None  # noqa: S101 - only such points are drawn
    series = {"faster": 3, "slower": 4}.get(found.verdict, 7)
    gains = _gains(point)
    body = [_name(point, y)]
    if len(gains) > 1:
        body.append(line(at(gains[2]), y, at(gains[1]), y, f"l{series}"))
    title = f"{point.title}: {gain_words(found)}, {found.verdict}"
    body.append(circle(at(gains[0]), y, 4.0, f"s{series}", title))
    if gains[0] < -MOST_PERCENT:
        body.append(text(at(gains[0]) + 8, y + 4, f"{gains[0]:.0f} %", "soft"))
    return body


def mpi_chart(result: StudyResult) -> str:
    """Return the time of points outside and inside MPI, by function; empty without snapshots."""
    points = [point for point in result.points if point.mpi is not None and point.mpi.elapsed_s]
    rows = rows_of(result, points)
    if not rows:
        return ""
    functions = _largest(rows)
    layers = ["outside MPI", *functions, OTHERS]
    colours = {name: f"s{place}" for place, name in enumerate(layers[:-1])} | {OTHERS: "s7"}
    most = max(_total(point) for point in rows)
    area = Box(NAMES, 4.0, WIDTH - NAMES - RIGHT, ROW * len(rows))
    body = _scale_marks(area, ticks(most, 4), area.width / most, seconds_words)
    used = set()
    for place, point in enumerate(rows):
        y = area.y + (place + 0.5) * ROW
        body.append(_name(point, y))
        x = area.x
        for name, seconds in _layers(point, functions).items():
            width = seconds * area.width / most
            if width > 0:
                used.add(name)
                title = f"{point.title}, {name}: {seconds_words(seconds)}"
                body.append(rect(Box(x, y - 7, width, 14), colours[name], title))
            x += width
        percent = f"{point.mpi.mpi_percent:.0f} % MPI" if point.mpi else ""
        body.append(text(x + 5, y + 4, percent, "soft"))
    names = legend([(colours[name], name) for name in layers if name in used])
    return drawing(WIDTH, area.bottom + 20, body, "MPI time by function") + names


def _layers(point: PointResult, functions: Sequence[str]) -> dict[str, float]:
    mpi = point.mpi
    if mpi is None:
        return {}
    inside = {name: mpi.function_s.get(name, 0.0) for name in functions}
    others = max(0.0, sum(mpi.function_s.values()) - sum(inside.values()))
    return {"outside MPI": max(0.0, mpi.elapsed_s - mpi.mpi_s), **inside, OTHERS: others}


def _total(point: PointResult) -> float:
    return sum(_layers(point, []).values())


def _largest(rows: Sequence[PointResult]) -> list[str]:
    shares: dict[str, float] = {}
    for point in rows:
        for name, seconds in point.mpi.function_s.items() if point.mpi else ():
            share = seconds / (point.mpi.elapsed_s if point.mpi else 1.0)
            shares[name] = max(share, shares.get(name, 0.0))
    return sorted(shares, key=lambda name: -shares[name])[:FUNCTIONS]


def memory_chart(result: StudyResult) -> str:
    """Return the largest resident set of a process of each point; empty where unknown."""
    rows = rows_of(result, [point for point in result.points if point.memory_bytes])
    if not rows:
        return ""
    most = max(point.memory_bytes or 0.0 for point in rows)
    area = Box(NAMES, 4.0, WIDTH - NAMES - RIGHT, ROW * len(rows))
    body = []
    for place, point in enumerate(rows):
        y, size = area.y + (place + 0.5) * ROW, point.memory_bytes or 0.0
        width = area.width * size / most
        body.append(_name(point, y))
        body.append(rect(Box(area.x, y - 7, width, 14), "s6", f"{point.title}: {size:,.0f} B"))
        body.append(text(area.x + width + 5, y + 4, bytes_words(size), "soft"))
    return drawing(WIDTH, area.bottom + 6, body, "memory per rank")


def _name(point: PointResult, y: float) -> str:
    return text(NAMES - 8, y + 4, short_title(point, MOST_LETTERS), "", "end")


def _scale_marks(
    area: Box, marks: Sequence[float], scale: float, words: Callable[[float], str]
) -> list[str]:
    body = []
    for mark in marks:
        x = area.x + mark * scale
        body.append(line(x, area.y, x, area.bottom, "rule"))
        body.append(text(x, area.bottom + 14, words(mark) if mark else "0", "soft", "middle"))
    return body
