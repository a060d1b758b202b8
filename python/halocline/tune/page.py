# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a tuning: before and after, algorithms by point, settings tried."""

from __future__ import annotations

import shlex
from typing import Any

from halocline.page.render import markup, render_page
from halocline.tune.drawings import ratio_rows, ratio_words, run_marks
from halocline.tune.model import PointReport, TuneReport
from halocline.wording import bytes_words, count_words, seconds_words

POINTS_DRAWN = 8
ROWS_DRAWN = 10
POINT_ROWS = 24
TRIAL_ROWS = 20


def page(report: TuneReport) -> str:
    """Return the HTML page of a report."""
    return render_page(
        "halocline.tune",
        "tune.html.j2",
        {
            "report": report,
            "command": shlex.join(report.command),
            "made": report.made.replace("T", " ").replace("Z", " UTC"),
            "verdict": verdict_words(report),
            "tiles": _tiles(report),
            "runs": markup(run_marks(report.proof)) if report.proof else None,
            "points": report.points[:POINT_ROWS],
            "drawn": [_drawn(point) for point in _measured(report)[:POINTS_DRAWN]],
            "best": best_words,
            "ratio": ratio_words,
            "trials": report.trials[:TRIAL_ROWS],
            "more_trials": max(0, len(report.trials) - TRIAL_ROWS),
            "change_percent": change_percent,
            "seconds": seconds_words,
            "bytes": bytes_words,
            "count": count_words,
        },
    )


def verdict_words(report: TuneReport) -> str:
    """Return the outcome as one sentence."""
    if not report.decision or report.proof is None:
        return f"No decision: {report.reason}."
    gain = report.proof.gain
    return (
        f"{_percent(1 - gain.ratio)} less time, between {_percent(1 - gain.high)} and "
        f"{_percent(1 - gain.low)} ({gain.pairs} pairs of runs, error rate "
        f"{_percent(gain.error_rate)}; the program differs from itself by up to "
        f"{_percent(gain.noise)})."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def best_words(point: PointReport) -> str:
    """Return what was found at a point."""
    if not point.algorithms:
        return "not measured"
    winner = next((row for row in point.algorithms if row.wins), None)
    if winner is None:
        return "the default"
    return f"{winner.name}, {ratio_words(winner.ratio)}" if winner.ratio else winner.name


def change_percent(value: float | None, base: float | None) -> str:
    """Return by how many percent a value differs from its base, signed."""
    if not value or not base:
        return "–"
    text = f"{100 * (value / base - 1):+.1f} %"
    return "0.0 %" if text in ("+0.0 %", "-0.0 %") else text


def _measured(report: TuneReport) -> list[PointReport]:
    return [point for point in report.points if point.algorithms]


def _drawn(point: PointReport) -> dict[str, Any]:
    known = [row for row in point.algorithms if row.ratio is not None]
    shown = [row for place, row in enumerate(known) if place < ROWS_DRAWN or row.wins]
    unmeasured = [row for row in point.algorithms if row.ratio is None]
    return {
        "point": point,
        "svg": markup(ratio_rows(shown)),
        "more": len(known) - len(shown),
        "others": ", ".join(f"{row.name} ({row.state})" for row in unmeasured),
    }


def _tiles(report: TuneReport) -> list[dict[str, str]]:
    if report.proof is None:
        return [
            {"name": "a run", "value": seconds_words(report.first_run_s), "more": report.time_is}
        ]
    sides = {side.name: side for side in report.proof.sides}
    before, after = sides["base"], sides["tuned"]
    return [
        _time_tile("before", before.median_s, report.time_is),
        _time_tile("after", after.median_s, "median, same"),
        {
            "name": "difference",
            "value": change_percent(after.median_s, before.median_s),
            "more": "proved" if report.decision else "not proved",
        },
        {
            "name": "memory of a rank, after",
            "value": bytes_words(after.peak_bytes) if after.peak_bytes else "–",
            "more": f"{change_percent(after.peak_bytes, before.peak_bytes)}; largest process",
        },
    ]


def _time_tile(name: str, time_s: float | None, more: str) -> dict[str, str]:
    return {"name": name, "value": "–" if time_s is None else seconds_words(time_s), "more": more}
