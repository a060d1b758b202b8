# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lines of a run's series over time; components of a vector share their axes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.plot.picture import INK, literal, own_style, png, save_picture
from halocline.results.time_series import TimeSeries

COLOURS = ("#2f6690", "#d98b3a", "#6ba292")
MOST_AXES = 8


def draw_series(series: TimeSeries, output: Path, names: Sequence[str] = ()) -> dict[str, object]:
    """Save the lines of these columns (vectors: without _x); of all where none is named."""
    if len(series.steps) == 0:
        raise InvalidInputError(f"{series.path} has no line yet. Wait for the first, or run more.")
    groups = _groups(series)
    for name in names:
        if name not in groups:
            raise UsageError(f"{series.path} has no column '{name}'. {suggestion(name, groups)}")
    chosen = list(names) or list(groups)
    if len(chosen) > MOST_AXES:
        raise UsageError(
            f"{series.path} has {len(chosen)} quantities (a picture has room for {MOST_AXES}). "
            f"Name some with --quantity, as {','.join(chosen[:2])}."
        )
    with own_style():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(12.0, 1.2 + 2.2 * len(chosen)), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        for axes, name in zip(
            figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0], chosen, strict=True
        ):
            for colour, column in zip(COLOURS, groups[name], strict=False):
                axes.plot(series.times, series[column], color=colour, label=literal(column))
            unit = series.units[groups[name][0]]
            axes.set_ylabel(literal(name if unit == "1" else f"{name} [{unit}]"))
            axes.tick_params(colors=INK)
            axes.spines[["top", "right"]].set_visible(False)
            if len(groups[name]) > 1:
                axes.legend(frameon=False)
        axes.set_xlabel("time")
        save_picture(output, png(figure))
    return {"picture": str(output), "columns": [c for name in chosen for c in groups[name]]}


def _groups(series: TimeSeries) -> dict[str, list[str]]:
    """Columns by their name without _x, _y, _z."""
    groups: dict[str, list[str]] = {}
    for column in series:
        groups.setdefault(re.sub("_[xyz]$", "", column), []).append(column)
    return groups
