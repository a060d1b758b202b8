# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a study in words, the same in terminal, page and Markdown."""

from __future__ import annotations

from halocline.study.result import Estimate, PointResult, SpeedUp
from halocline.study.verdicts import gain_words
from halocline.wording import bytes_words, seconds_words

NOTHING = "–"


def figure(value: float, unit: str) -> str:
    """Return a value with its unit, e.g. `1.23 ms`, `45.6 MB/s`."""
    if unit == "s":
        return seconds_words(value)
    text = f"{value:.4g}"
    return text if unit in ("", "1") else f"{text} {unit}"


def estimate_words(found: Estimate | None, unit: str) -> str:
    """Return e.g. `1.23 s ± 1.2 %`: half the interval's width."""
    if found is None:
        return NOTHING
    if found.low is None or found.high is None or found.value == 0:
        return figure(found.value, unit)
    width = 50 * (found.high - found.low) / abs(found.value)
    return f"{figure(found.value, unit)} ± {width:.1f} %"


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
    """Return what is told of a point, or how it went wrong."""
    if point.state != "ok":
        return point.state
    return point.comparison.verdict if point.comparison is not None else ""
