# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a comparison: a table of all data sets, and drawings of those that differ most."""

from __future__ import annotations

from typing import Any

from halocline.compare.difference import Difference
from halocline.compare.drawings import error_map, histogram
from halocline.compare.runs import Comparison
from halocline.page.render import markup, render_page

MOST_DRAWN = 12


def page(comparison: Comparison, title: str) -> str:
    """Return the HTML page."""
    differing = [found for found in comparison.differences if found.differing]
    drawn = sorted(differing, key=lambda found: -found.max_rel)[:MOST_DRAWN]
    return render_page(
        "halocline.compare",
        "compare.html.j2",
        {
            "title": title,
            "equal": comparison.equal,
            "limits": comparison.limits.words(),
            "rows": [_row(found) for found in comparison.differences],
            "only_a": comparison.only_a,
            "only_b": comparison.only_b,
            "drawn": [_drawing(found, comparison) for found in drawn],
            "left_out": len(differing) - len(drawn),
        },
    )


def verdict(found: Difference) -> str:
    """Say in a word or two how the two data sets stand."""
    if not found.same_shape:
        return f"shape {found.shape} | {found.other_shape}"
    if found.bitwise_equal:
        return "same bits"
    return "within" if found.accepted else "differs"


def place_text(found: Difference) -> str:
    """Say where the largest difference is."""
    if found.row is None:
        return ""
    where = f"row {found.row}"
    if found.shape[1] > 1:
        where += f", component {found.column}"
    if found.coordinates is not None:
        where += " at ({:.4g}, {:.4g}, {:.4g})".format(*found.coordinates)
    return where


def _row(found: Difference) -> dict[str, Any]:
    return {
        "key": found.key,
        "verdict": verdict(found),
        "good": found.accepted,
        "over": f"{found.over:,} of {found.values:,}",
        "max_abs": f"{found.max_abs:.3g}",
        "max_rel": f"{found.max_rel:.3g}",
        "l2": f"{found.l2:.3g}",
        "l2_relative": f"{found.l2_relative:.3g}",
        "place": place_text(found),
    }


def _drawing(found: Difference, comparison: Comparison) -> dict[str, Any]:
    mesh = comparison.mesh_of(found)
    return {
        "key": found.key,
        "small": f"{found.differing:,} of {found.values:,} values differ",
        "histogram": markup(histogram(found)),
        "map": markup(error_map(found, mesh)) if mesh is not None else "",
        "worst": f"{place_text(found)}: {found.a_at!r} | {found.b_at!r}",
    }
