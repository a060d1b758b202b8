# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of the page: every run of the proof as a mark, and ratios with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.page.svg import Box, circle, drawing, line, rect, text, ticks
from halocline.tune.model import AlgorithmReport, ProofReport, SideReport
from halocline.wording import seconds_words

WIDTH = 560.0
SIDE_HEIGHT = 54.0
LEFT, RIGHT, FOOT = 92.0, 18.0, 34.0
ROW_HEIGHT = 22.0
LONGEST = 32
TITLES = {"base": "before", "again": "before, again", "tuned": "after"}


def run_marks(proof: ProofReport) -> str:
    """Return the times of all runs, a row a side, medians with their intervals below them."""
    times = [time for side in proof.sides for time in side.times_s if time is not None]
    if not times:
        return ""
    longest = max(times) * 1.03
    height = SIDE_HEIGHT * len(proof.sides) + FOOT
    body = []
    for mark in ticks(longest, 5):
        x = _x(mark, longest)
        body.append(line(x, 6, x, height - FOOT, "rule"))
        body.append(text(x, height - FOOT + 16, seconds_words(mark), "soft", "middle"))
    for place, side in enumerate(proof.sides):
        body += _side(side, place, longest)
    return drawing(WIDTH, height, body, "times of all runs before and after")


def _side(side: SideReport, place: int, longest: float) -> list[str]:
    middle = SIDE_HEIGHT * (place + 0.5)
    css = f"s{1 if side.name == 'tuned' else 0}"
    body = [text(LEFT - 10, middle + 4, TITLES[side.name], "", "end")]
    if side.low_s is not None and side.high_s is not None:
        start, end = _x(side.low_s, longest), _x(side.high_s, longest)
        body.append(rect(Box(start, middle - 15, max(end - start, 2.0), 30), css, "", 0.25))
    if side.median_s is not None:
        x = _x(side.median_s, longest)
        body.append(line(x, middle - 17, x, middle + 17, "axis"))
    for number, time in enumerate(side.times_s):
        if time is not None:
            y = middle + (number % 5 - 2) * 4.5
            title = f"round {number + 1}: {seconds_words(time)}"
            body.append(circle(_x(time, longest), y, 3.2, css, title))
    return body


def _x(time: float, longest: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * time / longest


def ratio_rows(rows: Sequence[AlgorithmReport], largest: float = 2.0) -> str:
    """Return ratios of algorithms to the default as marks on a line from 0 to `largest`."""
    shown = [row for row in rows if row.ratio is not None]
    if not shown:
        return ""
    left, right = 190.0, 70.0
    height = ROW_HEIGHT * len(shown) + 24
    span = WIDTH - left - right

    def place(ratio: float) -> float:
        return left + span * min(ratio, largest) / largest

    body = [line(place(1.0), 2, place(1.0), height - 18, "dash")]
    body.append(text(place(1.0), height - 4, "as the default", "soft", "middle"))
    for number, row in enumerate(shown):
        y = ROW_HEIGHT * (number + 0.5) + 2
        ratio = row.ratio or 0.0
        body.append(text(left - 8, y + 4, _short(row.name), "strong" if row.wins else "", "end"))
        if row.low is not None and row.high is not None:
            body.append(line(place(row.low), y, place(row.high), y, "axis"))
        css = {"faster": "s3", "slower": "s4"}.get(row.verdict or "", "s7")
        words = f"{row.name}: {ratio_words(ratio)} the default's time, {row.verdict}"
        body.append(circle(place(ratio), y, 4.0, css, words))
        body.append(text(WIDTH - right + 8, y + 4, ratio_words(ratio), "soft"))
    return drawing(WIDTH, height, body, "time of each algorithm over that of the default")


def ratio_words(ratio: float) -> str:
    """Return e.g. `0.82 ×`, `0.0024 ×`."""
    return f"{ratio:.2f} ×" if ratio >= 0.095 else f"{ratio:.2g} ×"


def _short(name: str) -> str:
    """Return a name that fits: its end says how it is cut."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 14]}…{name[-13:]}"
