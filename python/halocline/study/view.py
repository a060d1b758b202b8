# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a study in words, the same in terminal, page and Markdown."""

from __future__ import annotations

from halocline.study.result import Estimate, PointResult, SpeedUp, StudyResult
from halocline.study.verdicts import gain_words
from halocline.wording import bytes_words, counted, seconds_words

NOTHING = "–"


def figure(value: float, unit: str) -> str:
    """Return a value with its unit, e.g. `1.23 ms`, `45.6 MB/s`."""
    if unit == "s":
        return seconds_words(value)
    if unit == "B":
        return bytes_words(value)
    if unit == "%":
        return f"{value:.3g} %"
    text = f"{value:.4g}"
    return text if unit in ("", "1") else f"{text} {unit}"


def estimate_words(found: Estimate | None, unit: str) -> str:
    """Return e.g. `1.23 s ± 1.2 %`: half the interval's width."""
    return NOTHING if found is None else interval_words(found.value, found.low, found.high, unit)


def interval_words(value: float, low: float | None, high: float | None, unit: str) -> str:
    """Return a value, with half the width of its interval where it has one."""
    if low is None or high is None or not value:
        return figure(value, unit)
    return f"{figure(value, unit)} ± {50 * (high - low) / abs(value):.1f} %"


def gain_of(point: PointResult) -> str:
    """Return what a point saves, with its interval."""
    return gain_words(point.comparison) if point.comparison is not None else NOTHING


def speed_up_words(found: SpeedUp | None) -> str:
    """Return e.g. `1.85 (92 %)`."""
    return f"{found.value:.2f} ({found.efficiency_percent:.0f} %)" if found else NOTHING


def value_of(size_bytes: float | None) -> str:
    """Return a size, or a dash."""
    return bytes_words(size_bytes) if size_bytes is not None else NOTHING


def verdict_of(point: PointResult) -> str:
    """Return the verdict on a point, or how it went wrong."""
    if point.state != "ok":
        return point.state
    if point.comparison is None:
        return ""
    verdict = point.comparison.verdict
    return "no difference" if verdict == "no difference can be told" else verdict


def noise_words(result: StudyResult) -> list[str]:
    """Return what the base differs from itself, a sentence a scale."""
    found = []
    for noise in result.noise:
        at = f" at {noise.scale}" if noise.scale else ""
        floor = "too few pairs to tell" if noise.floor is None else f"{100 * noise.floor:.1f} %"
        found.append(
            f"Noise floor{at}: {floor} ({counted(noise.pairs, 'pair')} of the base twice)."
        )
    return found


def winning_points(result: StudyResult) -> list[PointResult]:
    """Return the points to use, one a scale; the base where no other is significantly faster."""
    names = [winner.point for winner in result.winners]
    return [point for point in result.points if point.name in names]


def tiles_of(result: StudyResult) -> list[dict[str, str]]:
    """Return the figures that a reader wants first."""
    ok = [point for point in result.points if point.state == "ok"]
    bad = [point for point in result.points if point.state not in ("ok", "not run")]
    left = len(result.points) - len(ok) - len(bad)
    floors = [noise.floor for noise in result.noise if noise.floor is not None]
    counts = ((len(bad), "failed or wrong"), (left, "not run"))
    outcomes = ", ".join(f"{count} {words}" for count, words in counts if count)
    tiles = [
        _tile("points", f"{len(result.points)}", outcomes or "all ran"),
        _tile("runs", f"{result.runs}", f"{result.core_hours:.3g} core hours"),
        _tile("noise floor", f"{100 * max(floors):.1f} %" if floors else NOTHING, "base twice"),
    ]
    if result.winners:
        found = [point.comparison for point in winning_points(result) if point.comparison]
        gain = max((1 - comparison.ratio for comparison in found), default=None)
        value = NOTHING if gain is None else f"{100 * gain:.1f} %"
        tiles.append(
            _tile(
                "gain", value, "none is significant" if gain is None else "largest significant one"
            )
        )
    elif ok and ok[-1].speed_up is not None:
        tiles.append(_tile("speed-up", f"{ok[-1].speed_up.value:.2f}×", f"at {ok[-1].scale}"))
    return tiles


def _tile(name: str, value: str, more: str) -> dict[str, str]:
    return {"name": name, "value": value, "more": more}
