# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a benchmark run: self-contained HTML, all paths on one plot."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

from halocline.p2p.drawings import SIZES, heat_map
from halocline.p2p.result import Result
from halocline.p2p.units import rate_text, size_text, time_text
from halocline.page.curves import Curve, curves
from halocline.page.render import markup, render_page
from halocline.page.svg import legend

BUFFERS = {"reused": "one buffer a side", "distinct": "a buffer for each message"}
PATHS = ("host", "staged", "pipelined", "direct", "peer")


def page(result: Result) -> str:
    """Return the HTML page of a result."""
    data = result.data
    return render_page(
        "halocline.p2p",
        "p2p.html.j2",
        {
            "data": data,
            "device": {"name": "none", "details": "", "pcie_bytes_per_s": None} | data["device"],
            "command": shlex.join(data["command"]),
            "started": data["started"].replace("T", " ").replace("Z", " UTC"),
            "legend": markup(legend([(f"s{_series(path)}", path) for path in result.paths()])),
            "tiles": _tiles(result),
            "plots": _plots(result),
            "tables": _tables(result),
            "judge": _judge(data["judge"]),
            "sweep": _sweep(result),
            "size": size_text,
            "time": time_text,
            "rate": _known_rate,
        },
    )


def _known_rate(bytes_per_s: float | None) -> str:
    return "not known" if bytes_per_s is None else rate_text(bytes_per_s)


def _series(path: str) -> int:
    return PATHS.index(path) if path in PATHS else len(PATHS)


def _drawn(result: Result, pattern: str, key: str) -> list[Curve]:
    found = []
    for path in result.paths():
        points = [(row["bytes"], row[key]) for row in result.curve(path, pattern)]
        if len(points) > 1:
            found.append(Curve(path, _series(path), points))
    return found


def _plots(result: Result) -> list[dict[str, Any]]:
    plots = []
    for pattern in result.patterns():
        timed = pattern == "latency"
        kinds: list[tuple[str, Callable[[float], str], str]] = []
        if timed:
            kinds.append(("median_s", time_text, "time, one way"))
        kinds.append(("bytes_per_s", rate_text, "bandwidth"))
        for key, words, title in kinds:
            drawn = _drawn(result, pattern, key)
            if drawn:
                svg = curves(drawn, f"{pattern}: {title} by message size", words, SIZES)
                plots.append({"title": pattern, "small": title, "svg": markup(svg)})
    return plots


def _tiles(result: Result) -> list[dict[str, str]]:
    tiles = []
    latencies = [row for row in result.rows if row["pattern"] == "latency"]
    for path in result.paths():
        rows = [row for row in latencies if row["path"] == path]
        if rows:
            small = min(rows, key=lambda row: row["bytes"])
            best = max(
                (row for row in result.rows if row["path"] == path and row["pattern"] != "sparse"),
                key=lambda row: row["bytes_per_s"],
            )
            where = f"{best['pattern']}, {size_text(best['bytes'])}"
            more = f"best {rate_text(best['bytes_per_s'])}: {where}"
            name = f"{path}, {size_text(small['bytes'])} one way"
            tiles.append({"name": name, "value": time_text(small["median_s"]), "more": more})
    return tiles


def _tables(result: Result) -> list[dict[str, Any]]:
    tables = []
    for pattern in result.patterns():
        for path in result.paths():
            rows = list(result.curve(path, pattern))
            if rows:
                words = "" if pattern == "latency" else BUFFERS[rows[0]["buffers"]]
                tables.append({"pattern": pattern, "path": path, "rows": rows, "buffers": words})
    return tables


def _judge(rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    if not rows:
        return None
    worst = max(rows, key=lambda row: abs(row["ratio"] - 1.0))
    return {"rows": rows, "worst": worst, "within": abs(worst["ratio"] - 1.0) <= 0.03}


def _sweep(result: Result) -> dict[str, Any] | None:
    if not result.sweep:
        return None
    sizes = [row["bytes"] for row in result.sweep]
    blocks = sorted({block["block_bytes"] for row in result.sweep for block in row["blocks"]})
    cells: dict[tuple[int, int], float] = {}
    for row in result.sweep:
        times = {0: row["staged_s"]}
        times |= {block["block_bytes"]: block["median_s"] for block in row["blocks"]}
        least = min(times.values())
        cells |= {(row["bytes"], block): time / least for block, time in times.items()}
    best = {row["bytes"]: row["best_block_bytes"] for row in result.sweep}
    svg = heat_map(sizes, [0, *blocks], cells, best)
    return {
        "map": markup(svg),
        "rows": result.sweep,
        "written_to": result.data["sweep"]["written_to"],
    }
