# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Bar chart of a run record: where the time of the loops went, and how near memory speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.plot.picture import INK, literal, own_style, png, save_picture
from halocline.record.model import Record
from halocline.record.summary import LoopTotal, loop_totals
from halocline.wording import layout_words

BAR, BAR_OF_TRIAD = "#2f6690", "#d98b3a"
MOST_BARS = 14
NAME_SHOWN = 32


def draw_loop_shares(record: Record, output: Path) -> dict[str, object]:
    """Save the chart; return the numbers in it."""
    totals = [total for total in loop_totals(record) if total.seconds > 0.0][:MOST_BARS]
    if not totals:
        raise InvalidInputError("the run record lists no loop that took time. Run some cycles.")
    with own_style():
        figure, shares, rates = _axes(len(totals))
        names = [literal(f"{_short(total.name)}  ({_short(total.set)})") for total in totals]
        _draw_shares(shares, names, totals)
        _draw_rates(rates, totals)
        figure.suptitle(literal(_title(record)), color=INK, fontsize=13, fontweight="bold")
        save_picture(output, png(figure))
    return {"picture": str(output), "loops": {total.name: total.share for total in totals}}


def _short(name: str) -> str:
    return name if len(name) <= NAME_SHOWN else f"{name[: NAME_SHOWN - 1]}…"


def _title(record: Record) -> str:
    layout, results = record.layout, record.results
    return (
        f"{record.program}: {record.mesh.levels[0].nodes:,} nodes, {results.cycles} cycles, "
        f"{layout_words(layout.ranks, layout.threads_per_rank)}, {results.total_runtime_s:.3g} s"
    )


def _axes(bars: int) -> tuple[Any, Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 1.9 + 0.42 * bars), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    shares, rates = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    for axes in (shares, rates):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(left=False, colors=INK)
    return figure, shares, rates


def _draw_shares(axes: Any, names: list[str], totals: list[LoopTotal]) -> None:
    values = [100.0 * total.share for total in totals]
    axes.barh(names, values, color=BAR, height=0.68)
    axes.invert_yaxis()
    axes.set_xlabel("share of loop time, %")
    axes.set_xlim(0.0, 1.55 * max(values))  # room for the words behind the longest bar
    for place, total in enumerate(totals):
        text = f" {100 * total.share:.1f} %  {total.seconds:.3g} s"
        if total.ns_per_element is not None:
            text += f"  {total.ns_per_element:.2f} ns each"
        axes.text(values[place], place, text, va="center", color=INK, fontsize=9)


def _draw_rates(axes: Any, totals: list[LoopTotal]) -> None:
    rates = [total.percent_of_triad or 0.0 for total in totals]
    axes.barh(range(len(totals)), rates, color=BAR_OF_TRIAD, height=0.68)
    axes.axvline(100.0, color=INK, linewidth=0.8, linestyle=":")
    axes.set_xlim(0.0, 1.2 * max(100.0, *rates))
    axes.set_xlabel("counted traffic, % of the measured triad")
    for place, total in enumerate(totals):
        known = total.percent_of_triad is not None
        text = f" {total.percent_of_triad:.0f} %" if known else " triad not measured"
        axes.text(rates[place], place, text, va="center", color=INK, fontsize=9)
