# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a forecast: time and memory over ranks, measured points, parts of a cycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from halocline.forecast.explain import MEANINGS
from halocline.forecast.model import COMPONENTS
from halocline.forecast.report import Forecast, Row, Way
from halocline.p2p.units import time_text
from halocline.page.curves import Across, Curve, curves
from halocline.page.svg import Box, drawing, legend, line, rect, text
from halocline.wording import bytes_words

MEASURED, LEFT_OUT, FITTED, IDEAL = 1, 4, 6, 7
WAY_SERIES = (0, 2, 3, 5)
WIDTH, HEIGHT = 560.0, 250.0
AREA = Box(46.0, 10.0, WIDTH - 56.0, HEIGHT - 46.0)
TICKS = 5
#: Components that share a colour with the one before them.
JOINED = {"rest": "sums", "imbalance": "cut", "late": "latency"}


def _across(places: Sequence[float]) -> Across:
    return Across("ranks", lambda count: f"{count:,.0f}", lambda _low, _high: _spread(places))


def _spread(places: Sequence[float]) -> list[float]:
    """Leave marks out that would touch on a logarithmic axis."""
    kept: list[float] = []
    for place in sorted(set(places)):
        if not kept or place >= kept[-1] * 1.9:
            kept.append(place)
    return kept


def time_plot(forecast: Forecast) -> str:
    """Time of a cycle over ranks: predicted by partitioner, ideal, measured, left out."""
    drawn = [
        Curve(way.name, _series(at), [(row.ranks, row.cycle_s) for row in way.rows])
        for at, way in enumerate(forecast.ways)
    ]
    first = forecast.ways[0].rows
    cost = first[0].cycle_s * first[0].ranks * first[0].efficiency
    ends = [row.ranks for row in (first[0], first[-1])]
    drawn.append(Curve("ideal", IDEAL, [(ranks, cost / ranks) for ranks in ends]))
    known = [(float(point.ranks), point.model_s) for point in forecast.measured]
    drawn.append(Curve("model of the measured machine", FITTED, known))
    drawn += [
        Curve("measured", MEASURED, [(point.ranks, point.cycle_s)]) for point in forecast.measured
    ]
    drawn += [
        Curve("left out and predicted", LEFT_OUT, [(check.ranks, check.predicted_s)])
        for check in forecast.checks
    ]
    places = [x for curve in drawn for x, _ in curve.points]
    return curves(drawn, "time of a cycle over ranks", time_text, _across(places))


def time_legend(forecast: Forecast) -> str:
    """The legend of that plot."""
    names = [(f"s{_series(at)}", way.name) for at, way in enumerate(forecast.ways)]
    names += [(f"s{IDEAL}", "ideal"), (f"s{FITTED}", "model of the measured machine")]
    names.append((f"s{MEASURED}", "measured"))
    if forecast.checks:
        names.append((f"s{LEFT_OUT}", "left out and predicted"))
    return legend(names)


def memory_legend(forecast: Forecast) -> str:
    """The legend of the plot of memory."""
    names = [(f"s{_series(at)}", way.name) for at, way in enumerate(forecast.ways)]
    return legend([*names, (f"s{MEASURED}", "measured")])


def memory_plot(forecast: Forecast) -> str:
    """Memory of the largest rank over ranks, measured points beside."""
    drawn = [
        Curve(way.name, _series(at), [(row.ranks, row.memory_bytes) for row in way.rows])
        for at, way in enumerate(forecast.ways)
    ]
    drawn += [
        Curve("measured", MEASURED, [(point.ranks, point.peak_bytes)])
        for point in forecast.measured
    ]
    places = [x for curve in drawn for x, _ in curve.points]
    return curves(drawn, "memory of the largest rank", bytes_words, _across(places))


def component_columns(way: Way) -> str:
    """What a cycle consists of: a column a number of ranks, shares of its time."""
    return _columns(way.rows, lambda row: [(_colour(n), MEANINGS[n], v) for n, v in _parts(row)])


def level_columns(way: Way) -> str:
    """The same by level."""
    return _columns(
        way.rows,
        lambda row: [
            (f"s{at % 8}", f"level {at}", seconds) for at, seconds in enumerate(row.levels_s)
        ],
    )


def component_legend() -> str:
    """The legend of the components."""
    return legend([(_colour(name), _title(name)) for name in COMPONENTS if name not in JOINED])


def level_legend(forecast: Forecast) -> str:
    """The legend of the levels."""
    return legend([(f"s{level % 8}", f"level {level}") for level in range(forecast.levels)])


def _parts(row: Row) -> list[tuple[str, float]]:
    """Components from below; those of one colour stand together."""
    return [(name, getattr(row.components, name)) for name in COMPONENTS]


def _title(name: str) -> str:
    joined = [other for other, host in JOINED.items() if host == name]
    return " and ".join([name, *joined])


def _colour(name: str) -> str:
    order = [one for one in COMPONENTS if one not in JOINED]
    return f"s{order.index(JOINED.get(name, name))}"


def _columns(rows: Sequence[Row], parts: Callable[[Row], list[tuple[str, str, float]]]) -> str:
    body = []
    for tick in range(TICKS + 1):
        y = AREA.bottom - AREA.height * tick / TICKS
        body.append(line(AREA.x, y, AREA.right, y, "rule"))
        body.append(text(AREA.x - 6, y + 4, f"{100 * tick // TICKS} %", "soft", "end"))
    step = AREA.width / len(rows)
    for place, row in enumerate(rows):
        body += _column(row, parts(row), AREA.x + (place + 0.5) * step, min(0.7 * step, 70.0))
    body.append(line(AREA.x, AREA.bottom, AREA.right, AREA.bottom, "axis"))
    body.append(text(AREA.x + AREA.width / 2, HEIGHT - 4, "ranks", "soft", "middle"))
    return drawing(WIDTH, HEIGHT, body, "shares of a cycle over ranks")


def _column(
    row: Row, parts: Sequence[tuple[str, str, float]], middle: float, width: float
) -> list[str]:
    body, y = [], AREA.bottom
    total = sum(max(0.0, seconds) for _, _, seconds in parts) or 1.0
    for css, name, seconds in parts:
        height = AREA.height * max(0.0, seconds) / total
        y -= height
        title = f"{row.ranks:,} ranks, {name}: {time_text(max(0.0, seconds))}"
        body.append(rect(Box(middle - width / 2, y, width, height), css, title))
    body.append(text(middle, AREA.bottom + 16, f"{row.ranks:,}", "soft", "middle"))
    return body


def _series(at: int) -> int:
    return WAY_SERIES[at % len(WAY_SERIES)]
