# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The difference of two snapshots as a terminal page and as an HTML page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from halocline import __version__
from halocline.page.render import markup, render_page
from halocline.snapshot.diff import FUNCTIONS_SHOWN, SITES_SHOWN, Change, Difference
from halocline.snapshot.figures.rank_bars import rank_bars
from halocline.snapshot.model import Snapshot
from halocline.snapshot.terminal import plain_table
from halocline.snapshot.view import command_words, library_words, where_words
from halocline.wording import bytes_words, count_words, seconds_words

NOTEWORTHY_PERCENT = 2.0
FUNCTIONS_ON_PAGE = 15
SITES_ON_PAGE = 12
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


def diff_html(found: Difference, pair: tuple[Snapshot, Snapshot], paths: tuple[Path, Path]) -> str:
    """Return the page for a browser; `paths` are how the user named the two snapshots."""
    names = _told_apart(*paths)
    longest = max((snapshot.times.elapsed_s for snapshot in pair), default=0.0)
    return render_page(
        "halocline.snapshot",
        "diff.html.j2",
        {
            "names": names,
            "headline": headline(found),
            "cautions": found.cautions,
            "made_by": f"halocline {__version__}",
            "runs": [
                {
                    "name": name,
                    "snapshot": snapshot,
                    "where": where_words(snapshot),
                    "library": library_words(snapshot),
                    "command": command_words(snapshot),
                    "bars": markup(rank_bars(snapshot, longest)),
                }
                for name, snapshot in zip(names, pair, strict=True)
            ],
            "figures": [_row(change.name, change) for change in found.figures],
            "functions": [
                [*_row(each.name, each.seconds), _words(each.calls.by, "", signed=True)]
                for each in found.functions[:FUNCTIONS_ON_PAGE]
            ],
            "sites": [
                [each.function, *_row(each.place, each.seconds)]
                for each in found.sites[:SITES_ON_PAGE]
                if each.seconds.by
            ],
        },
    )


def _row(name: str, change: Change) -> list[str]:
    return [name, *_cells(change)]


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


def _signed_points(points: float) -> str:
    """A difference of percentages is not a percentage."""
    shown = round(points, 1)
    return f"{shown:+.1f} points".replace("-", "−") if shown else "0 points"


def _words(value: float | None, unit: str, signed: bool = False) -> str:
    if value is None:
        return "–"
    if signed and unit == "%":
        return _signed_points(value)
    sign = "+" if signed and value > 0 else "−" if value < 0 else ""
    size = abs(value)
    if unit == "s":
        return sign + seconds_words(size)
    if unit == "B":
        return sign + bytes_words(size)
    if unit == "%":
        return f"{sign}{size:.1f} %"
    return sign + count_words(size)
