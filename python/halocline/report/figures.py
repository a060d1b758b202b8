# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of tables: grouped bars with intervals, as SVG for pages and as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.page.svg import SERIES, Box, drawing, legend, line, rect, text
from halocline.report.tables import Table
from halocline.study.figures.selection import shortened

WIDTH, NAMES, BAR, GAP = 560.0, 200.0, 15.0, 9.0
MOST_ROWS = 30
LETTERS = 30


def bars(table: Table) -> str:
    """Return a table as bars, a colour an input; empty where it is not to be drawn."""
    if not table.is_drawn or not table.rows:
        return ""
    rows = list(table.rows.items())[:MOST_ROWS]
    most = max(cell.high or cell.value for _, cells in rows for cell in cells.values()) or 1.0
    area = Box(NAMES, 2.0, WIDTH - NAMES - 118.0, 0.0)
    body: list[str] = []
    y = area.y
    for name, cells in rows:
        start = y
        for series, label in enumerate(table.columns):
            if label not in cells:
                continue
            cell, css = cells[label], f"s{series % SERIES}"
            width = area.width * cell.value / most
            words = cell.words(table.unit)
            body.append(rect(Box(area.x, y, width, BAR - 2), css, f"{name}, {label}: {words}"))
            end = width
            if cell.low is not None and cell.high is not None:
                ends = (area.width * bound / most for bound in (cell.low, cell.high))
                low, end = (area.x + place for place in ends)
                body.append(line(low, y + BAR / 2 - 1, end, y + BAR / 2 - 1, "axis"))
                end -= area.x
            body.append(text(area.x + max(width, end) + 5, y + BAR - 4, words, "soft"))
            y += BAR
        middle = (start + y) / 2 + 3
        body.append(text(NAMES - 8, middle, shortened(name, LETTERS), "", "end"))
        y += GAP
    names = legend([(f"s{at % SERIES}", label) for at, label in enumerate(table.columns)])
    return drawing(WIDTH, y, body, table.title) + names


def write_png(tables: Sequence[Table], file: Path) -> None:
    """Draw the tables that can be drawn into one PNG file."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    from halocline.files.output_file import write_bytes

    drawn = [table for table in tables if table.is_drawn and table.rows]
    if not drawn:
        raise InvalidInputError(
            f"{file}: nothing can be drawn (snapshots alone give no run times). Ask for .md or "
            ".html."
        )
    rows = sum(min(len(table.rows), MOST_ROWS) * len(table.columns) for table in drawn)
    height = 0.34 * rows + 1.1 * len(drawn)
    sizes = [min(len(table.rows), MOST_ROWS) * len(table.columns) + 2.0 for table in drawn]
    figure, axes = plt.subplots(
        len(drawn), 1, figsize=(8.0, height), squeeze=False, height_ratios=sizes
    )
    for axis, table in zip(axes[:, 0], drawn, strict=True):
        _draw(axis, table)
    figure.tight_layout()
    write_bytes(file, _png(figure))
    plt.close(figure)


def _png(figure: Any) -> bytes:
    from io import BytesIO

    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=110)
    return stream.getvalue()


def _draw(axes: Any, table: Table) -> None:
    """Draw one table."""
    rows = list(table.rows.items())[:MOST_ROWS]
    count = len(table.columns)
    for series, label in enumerate(table.columns):
        places, values, errors = [], [], ([], [])  # type: ignore[var-annotated]
        for place, (_, cells) in enumerate(rows):
            if label not in cells:
                continue
            cell = cells[label]
            places.append(place + (series - (count - 1) / 2) * 0.8 / count)
            values.append(cell.value)
            errors[0].append(cell.value - cell.low if cell.low is not None else 0.0)
            errors[1].append(cell.high - cell.value if cell.high is not None else 0.0)
        made = axes.barh(places, values, 0.76 / count, xerr=errors, label=label)
        labels = [f" {value:.4g} {table.unit}" for value in values]
        axes.bar_label(made, labels, fontsize=8)
    axes.set_yticks(range(len(rows)), [shortened(name, 40) for name, _ in rows], fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.18)
    axes.set_title(table.title, fontsize=10, loc="left")
    axes.set_xlabel(table.unit, fontsize=8)
    if count > 1:
        axes.legend(fontsize=8)
