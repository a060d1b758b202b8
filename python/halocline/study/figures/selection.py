# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which points a drawing shows where not all of them have room."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.study.result import PointResult, StudyResult

MOST_SERIES = 6
MOST_ROWS = 24


def series_of(result: StudyResult) -> dict[str, list[PointResult]]:
    """Return settings over scales: the base first, then those with most gain at the last scale."""
    found: dict[str, list[PointResult]] = {}
    for point in result.points:
        if point.speed_up is not None:
            found.setdefault(point.label, []).append(point)
    lines = {label: points for label, points in found.items() if len(points) > 1}
    best = sorted(lines, key=lambda label: (not lines[label][0].is_base, rank_of(lines[label][-1])))
    return {label: lines[label] for label in best[:MOST_SERIES]}


def rows_of(result: StudyResult, points: Sequence[PointResult]) -> list[PointResult]:
    """Return the points of a drawing with a row each: bases, and others by gain.

    They keep the order of scales, so that what grows with them is seen.
    """
    bases = [point for point in points if point.is_base]
    others = sorted((point for point in points if not point.is_base), key=rank_of)
    kept = {point.name for point in [*bases, *others][:MOST_ROWS]}
    order = {point.name: place for place, point in enumerate(result.points)}
    return sorted((p for p in points if p.name in kept), key=lambda point: order[point.name])


def rank_of(point: PointResult) -> float:
    """Return what points are sorted by: the ratio to the base, what failed last."""
    return point.comparison.ratio if point.comparison is not None else float("inf")


def short_title(point: PointResult, most: int) -> str:
    """Return the title of a point in so many letters; what is left out is of its change."""
    if point.is_base or not point.scale or len(point.title) <= most:
        return shortened(point.title, most)
    return f"{shortened(point.label, max(6, most - 2 - len(point.scale)))}, {point.scale}"


def shortened(words: str, most: int) -> str:
    """Return words that fit into a column: parameters often begin alike, so both ends stay."""
    if len(words) <= most:
        return words
    tail = (most - 1) // 2
    return f"{words[: most - 1 - tail]}…{words[-tail:]}"
