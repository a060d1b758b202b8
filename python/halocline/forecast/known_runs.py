# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Published runs beside a forecast: not a judge, a look at whether the shape is sane.

MG-CFD on OP2, Rotor 37 with 8 M nodes on four levels, Kunpeng 920 hosts of 2 × 64 cores with
InfiniBand: seconds of a whole run, as the project's founding documents give them.
"""

from __future__ import annotations

from dataclasses import dataclass

from halocline.forecast.report import Forecast, Row

PUBLISHED = {32: 56.864, 64: 29.255, 128: 19.532, 256: 16.972}


@dataclass(frozen=True)
class SanityRow:
    """Speed-up against the fewest ranks: published, and ours."""

    ranks: int
    published_s: float
    published_speedup: float
    cycle_s: float
    speedup: float


def sanity_rows(forecast: Forecast) -> list[SanityRow]:
    """Return numbers of ranks that both have; fewer than two say nothing."""
    rows = {row.ranks: row for row in forecast.ways[0].rows if row.ranks in PUBLISHED}
    if len(rows) < 2:
        return []
    first = min(rows)
    return [_row(ranks, row, first, rows[first]) for ranks, row in sorted(rows.items())]


def _row(ranks: int, row: Row, first: int, base: Row) -> SanityRow:
    return SanityRow(
        ranks=ranks,
        published_s=PUBLISHED[ranks],
        published_speedup=PUBLISHED[first] / PUBLISHED[ranks],
        cycle_s=row.cycle_s,
        speedup=base.cycle_s / row.cycle_s,
    )
