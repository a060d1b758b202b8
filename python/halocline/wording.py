# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small helpers for sentences and tables."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return e.g. `1 rank`, `2 ranks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def layout_words(ranks: int, threads: int) -> str:
    """Return e.g. `2 ranks × 1 thread`."""
    return f"{counted(ranks, 'rank')} × {counted(threads, 'thread')}"


def seconds_words(seconds: float) -> str:
    """Return three figures with the unit that fits, e.g. `1.23 ms`, `84.2 s`."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(seconds) >= factor * 0.9995:
            return f"{_three_figures(seconds / factor)} {unit}"
    return f"{_three_figures(seconds / 1e-9)} ns" if abs(seconds) > 1e-12 else "0 s"


def clock_words(seconds: float) -> str:
    """Return e.g. `40 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def bytes_words(count: float) -> str:
    """Return three figures with a decimal unit, e.g. `512 B`, `1.45 MB`."""
    return f"{_scaled(count)}B" if count >= 1000 else f"{count:.0f} B"


def count_words(count: float) -> str:
    """Return a short count, e.g. `950`, `12.3 k`, `4.56 M`."""
    return _scaled(count).rstrip() if count >= 10000 else f"{count:.0f}"


def _scaled(count: float) -> str:
    for factor, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= factor * 0.9995:
            return f"{_three_figures(count / factor)} {unit}"
    return f"{count:.0f} "


def _three_figures(value: float) -> str:
    size = abs(value)
    digits = 0 if size >= 99.95 else 1 if size >= 9.995 else 2
    return f"{value:.{digits}f}"
