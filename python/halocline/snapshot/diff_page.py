# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The difference of two snapshots as a terminal page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from halocline.snapshot.diff import FUNCTIONS_SHOWN, SITES_SHOWN, Change, Difference
from halocline.snapshot.terminal import plain_table
from halocline.wording import bytes_words, count_words, seconds_words

NOTEWORTHY_PERCENT = 2.0
MOST_PERCENT = 900.0  # from ten times as much on, a factor says more


def diff_terminal(found: Difference, before_path: Path, after_path: Path) -> RenderableType:
    """Return the page; the paths are how the user named the two."""
    before, after = _told_apart(before_path, after_path)
    parts: list[RenderableType] = [Text(headline(found), style="bold")]
    parts += [Text(f"! {caution}", style="yellow") for caution in found.cautions]
    figures = plain_table("Figures", "", before, after, "change", "")
    for change in found.figures:
        figures.add_row(change.name, *_cells(change))
    functions = plain_table(
        "Functions, mean time of ranks", "", before, after, "change", "", "calls"
    )
    for function in found.functions[:FUNCTIONS_SHOWN]:
        calls = _words(function.calls.by, "", signed=True)
        functions.add_row(function.name, *_cells(function.seconds), calls)
    parts += ["", figures, "", functions]
    sites = [site for site in found.sites[:SITES_SHOWN] if site.seconds.by]
    if sites:
        made = plain_table("Call sites", "", "called from", before, after, "change", "", left=2)
        made.columns[1].overflow = "ellipsis"
        made.columns[1].max_width = 40
        for site in sites:
            name = site.function.removeprefix("MPI_")
            made.add_row(name, site.place, *_cells(site.seconds))
        parts += ["", made]
    return Group(*parts)


def headline(found: Difference) -> str:
    """Return one sentence: faster or slower, and which function changed most."""
    elapsed = found.figures[0]
    by = elapsed.percent or 0.0
    if abs(by) < NOTEWORTHY_PERCENT:
        start = f"The second run took the same time within {NOTEWORTHY_PERCENT:.0f} %"
    elif by >= MOST_PERCENT:
        start = f"The second run took {count_words(1 + by / 100)} times as long"
    else:
        start = f"The second run is {abs(by):.1f} % {'slower' if by > 0 else 'faster'}"
    if not found.functions or not found.functions[0].seconds.by:
        return start + "."
    most = found.functions[0]
    change = _words(most.seconds.by, "s", signed=True)
    return f"{start}; {most.name} changed most ({change} of mean time)."


def _told_apart(before: Path, after: Path) -> tuple[str, str]:
    """Return the parts of two paths in which they differ, as column heads."""
    first, second = list(before.parts), list(after.parts)
    for end in (0, -1):
        while len(first) > 1 and len(second) > 1 and first[end] == second[end]:
            del first[end], second[end]
    return str(Path(*first)), str(Path(*second))


def _cells(change: Change) -> list[str]:
    return [
        _words(change.before, change.unit),
        _words(change.after, change.unit),
        _words(change.by, change.unit, signed=True),
        _relative(change.percent),
    ]


def _relative(percent: float | None) -> str:
    if percent is None:
        return ""
    if percent >= MOST_PERCENT:
        return f"× {count_words(1 + percent / 100)}"
    return _signed_percent(percent)


def _signed_percent(percent: float) -> str:
    shown = round(percent, 1)
    return f"{shown:+.1f} %".replace("-", "−") if shown else "0 %"


def _words(value: float | None, unit: str, signed: bool = False) -> str:
    if value is None:
        return "–"
    if signed and unit == "%":
        return _signed_percent(value)
    sign = "+" if signed and value > 0 else "−" if value < 0 else ""
    size = abs(value)
    if unit == "s":
        return sign + seconds_words(size)
    if unit == "B":
        return sign + bytes_words(size)
    if unit == "%":
        return f"{sign}{size:.1f} %"
    return sign + count_words(size)
