# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a forecast: self-contained HTML."""

from __future__ import annotations

from typing import Any

from halocline.forecast import drawings
from halocline.forecast.explain import MEANINGS, what_all_do
from halocline.forecast.known_runs import sanity_rows
from halocline.forecast.report import Forecast, LinkPart
from halocline.p2p.units import rate_text, time_text
from halocline.page.render import markup, render_page
from halocline.wording import bytes_words, counted, seconds_words


def page(forecast: Forecast, command: str) -> str:
    """Return the HTML page of a forecast."""
    ways = [
        {
            "name": way.name,
            "way": way,
            "components": markup(drawings.component_columns(way)),
            "levels": markup(drawings.level_columns(way)),
        }
        for way in forecast.ways
    ]
    return render_page(
        "halocline.forecast",
        "forecast.html.j2",
        {
            "forecast": forecast,
            "command": command,
            "ways": ways,
            "tiles": _tiles(forecast),
            "time_plot": markup(drawings.time_plot(forecast)),
            "time_legend": markup(drawings.time_legend(forecast)),
            "memory_legend": markup(drawings.memory_legend(forecast)),
            "memory_plot": markup(drawings.memory_plot(forecast)),
            "component_legend": markup(drawings.component_legend()),
            "level_legend": markup(drawings.level_legend(forecast)),
            "checks": {check.ranks: check for check in forecast.checks},
            "meanings": MEANINGS,
            "network": link_text(forecast.machine.network),
            "inside": link_text(forecast.machine.inside),
            "sanity": sanity_rows(forecast),
            "together": what_all_do(forecast),
            "counted": counted,
            "time": seconds_words,
            "memory": bytes_words,
            "rate": rate_text,
        },
    )


def link_text(link: LinkPart) -> str:
    """Return a link in words."""
    words = f"{time_text(link.latency_s)}, {rate_text(link.bytes_per_s)}"
    return f"{words} ({link.origin})"


def _tiles(forecast: Forecast) -> list[dict[str, Any]]:
    rows = [(row, way) for way in forecast.ways for row in way.rows]
    best, best_way = min(rows, key=lambda pair: pair[0].cycle_s)
    half = [row for row, _ in rows if row.efficiency >= 0.5]
    roomy = [check for check in forecast.checks if check.crowding == 1.0]
    tiles = [
        _tile(
            "shortest cycle",
            seconds_words(best.cycle_s),
            f"{best.ranks:,} ranks, {best_way.name}",
        ),
        _tile(
            "most ranks at 50 % efficiency",
            f"{max(row.ranks for row in half):,}" if half else "none",
            "of those asked",
        ),
        _tile(
            "memory of a rank there",
            bytes_words(best.memory_bytes),
            f"measured: {bytes_words(forecast.measured[-1].peak_bytes)} on "
            f"{forecast.measured[-1].ranks}",
        ),
    ]
    if roomy:
        worst = max(roomy, key=lambda check: abs(check.error))
        tiles.append(
            _tile(
                "error on points left out",
                f"{100 * worst.error:+.0f} %",
                f"worst of {len(roomy)}: {worst.ranks} ranks from {worst.known[-1]}",
            )
        )
    else:
        tiles.append(_tile("error on points left out", "unknown", "no point could be left out"))
    return tiles


def _tile(name: str, value: str, more: str) -> dict[str, str]:
    return {"name": name, "value": value, "more": more}
