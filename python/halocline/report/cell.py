# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A figure of a table: one run, or a median with its interval; and what two of them prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.statistics import median_interval
from halocline.study.view import NOTHING, interval_words

#: From here on a ratio says more than percents.
MANY = 3.0


@dataclass(frozen=True)
class Cell:
    """A value; without bounds where it is of one run, or of too few."""

    value: float
    low: float | None = None
    high: float | None = None
    runs: int = 1

    def words(self, unit: str) -> str:
        """Return the value, with half the width of its interval."""
        return interval_words(self.value, self.low, self.high, unit)


def cell_of(values: Sequence[float]) -> Cell:
    """Return the cell of all runs of one setting."""
    found = median_interval(values)
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return Cell(found.value, low, high, found.count)


def change_words(before: Cell | None, after: Cell | None) -> str:
    """Return how `after` differs from `before`; intervals that overlap give no verdict.

    Runs of different days share no round, so intervals are all there is to go by.
    """
    if before is None or after is None or before.value <= 0.0 or after.value <= 0.0:
        return NOTHING
    ratio = after.value / before.value
    change = f"{100 * (ratio - 1.0):+.1f} %" if ratio < MANY else f"× {ratio:.3g}"
    if None in (before.low, before.high, after.low, after.high):
        return f"{change} (single runs)"
    apart = after.low > before.high or after.high < before.low  # type: ignore[operator]
    return change if apart else f"{change} (no difference can be told)"
