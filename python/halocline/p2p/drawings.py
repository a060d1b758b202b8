# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How plots mark message sizes, and the heat map of the sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from halocline.p2p.units import size_text
from halocline.page.curves import Across
from halocline.page.svg import Box, drawing, rect, text


def sizes_to_mark(low: float, high: float) -> list[float]:
    """Return message sizes, powers of 4 or 64 apart, that a plot marks."""
    step = 64.0 if high / low > 4**7 else 4.0
    sizes = [low]
    while sizes[-1] * step <= high * 1.001:
        sizes.append(sizes[-1] * step)
    return sizes


SIZES = Across("message size", size_text, sizes_to_mark)


def heat_map(
    rows: Sequence[int],
    columns: Sequence[int],
    cells: Mapping[tuple[int, int], float],
    best: Mapping[int, int],
) -> str:
    """Return the sweep as a map: message sizes down, blocks across (0: whole message).

    Cells hold the time against the best of their row: 1 is the darkest; the best is framed.
    """
    left, top, wide, high = 70.0, 26.0, 62.0, 24.0
    body = [text(left - 8, top - 2, "block", "soft", "end")]
    for place, block in enumerate(columns):
        words = "whole" if block == 0 else size_text(block)
        body.append(text(left + (place + 0.5) * wide, top - 2, words, "soft", "middle"))
    for down, size in enumerate(rows):
        y = top + 6 + down * high
        body.append(text(left - 8, y + 16, size_text(size), "soft", "end"))
        for place, block in enumerate(columns):
            box = Box(left + place * wide + 1, y + 1, wide - 2, high - 2)
            body += _cell(box, cells.get((size, block)), best.get(size) == block)
    width = left + len(columns) * wide + 8
    return drawing(width, top + 14 + len(rows) * high, body, "time by message size and block")


def _cell(box: Box, against_best: float | None, is_best: bool) -> list[str]:
    if against_best is None:
        return [rect(box, "empty", opacity=0.4)]
    shade = max(0.06, min(1.0, 1.0 / against_best) ** 2)
    css = "on" if shade > 0.55 else ""
    middle = box.x + box.width / 2
    body = [
        rect(box, "empty"),
        rect(box, "heat", f"{against_best:.2f} times the best", shade),
        text(middle, box.y + 15, f"{against_best:.2f}", css, "middle"),
    ]
    if is_best:
        inner = Box(box.x + 1, box.y + 1, box.width - 2, box.height - 2)
        body.append(rect(inner, "best"))
    return body
