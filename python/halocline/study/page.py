# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a study: self-contained HTML."""

from __future__ import annotations

from halocline.page.render import markup, render_page
from halocline.snapshot.figures.message_sizes import message_sizes
from halocline.snapshot.model import Histogram
from halocline.study.figures.rows import gains_chart, memory_chart, mpi_chart
from halocline.study.figures.selection import MOST_ROWS, rank_of, short_title
from halocline.study.figures.speed_up import efficiency_chart, speed_up_chart
from halocline.study.result import PointResult, StudyResult
from halocline.study.view import (
    estimate_words,
    figure,
    gain_of,
    noise_words,
    speed_up_words,
    tiles_of,
    value_of,
    verdict_of,
    winning_points,
)

SIZES_ROWS = 8
SIZES_LETTERS = 20


def page(result: StudyResult) -> str:
    """Return the HTML page of a study."""
    return render_page(
        "halocline.study",
        "study.html.j2",
        {
            "study": result,
            "tiles": tiles_of(result),
            "noise": noise_words(result),
            "most_rows": MOST_ROWS,
            "winning": winning_points(result),
            "speed_up": markup(speed_up_chart(result)),
            "efficiency": markup(efficiency_chart(result)),
            "gains": markup(gains_chart(result)),
            "mpi": markup(mpi_chart(result)),
            "sizes": markup(_sizes(result)),
            "memory": markup(memory_chart(result)),
            "points": sorted_points(result),
            "measured": measured_names(result),
            "figure": figure,
            "estimate": estimate_words,
            "gain": gain_of,
            "verdict": verdict_of,
            "speed": speed_up_words,
            "size": value_of,
        },
    )


def sorted_points(result: StudyResult) -> list[PointResult]:
    """Return points by scale, the base first, then by gain."""
    scales = list(dict.fromkeys(point.scale for point in result.points))
    return sorted(
        result.points,
        key=lambda point: (scales.index(point.scale), not point.is_base, rank_of(point)),
    )


def measured_names(result: StudyResult) -> list[str]:
    """Return what was measured beside what points are compared by, and memory."""
    hidden = (result.by, "memory_bytes", "rank_memory_bytes")
    names = dict.fromkeys(name for point in result.points for name in point.medians)
    return [name for name in names if name not in hidden]


def _sizes(result: StudyResult) -> str:
    points = [point for point in result.points if point.mpi is not None and point.mpi.sizes]
    preferred = [point for point in points if point.is_base or point in winning_points(result)]
    shown = (preferred + [point for point in points if point not in preferred])[:SIZES_ROWS]
    if len(preferred) > 1:
        shown = preferred[:SIZES_ROWS]
    histograms = [
        Histogram(function=short_title(point, SIZES_LETTERS), bins=point.mpi.sizes)
        for point in shown
        if point.mpi is not None
    ]
    return message_sizes(histograms, {}, rows=len(histograms), css="s0") if histograms else ""
