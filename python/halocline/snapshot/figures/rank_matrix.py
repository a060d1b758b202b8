# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The rank × rank matrix of point-to-point traffic as two heat maps: bytes and messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from halocline.page.svg import Box, drawing, rect, text
from halocline.snapshot.model import Link
from halocline.wording import bytes_words, count_words

WIDTH = 560.0
MAP = 236.0
LEFT = 26.0
TOP = 34.0
MOST_CELLS = 64


def rank_matrix(links: Sequence[Link], ranks: int) -> str:
    """Return both maps side by side; above 64 ranks a cell is a block of ranks."""
    block = -(-ranks // MOST_CELLS)
    sides = (
        (0.0, "bytes", lambda link: link.bytes, bytes_words),
        (WIDTH / 2, "messages", lambda link: link.messages, count_words),
    )
    body = []
    for x, name, value, words in sides:
        cells = _blocks(links, block, value)
        body += _map(x, name, cells, -(-ranks // block), block, words)
    return drawing(WIDTH, TOP + MAP + 6, body, "point-to-point traffic between ranks")


def _blocks(
    links: Sequence[Link], block: int, value: Callable[[Link], int]
) -> dict[tuple[int, int], int]:
    cells: dict[tuple[int, int], int] = {}
    for link in links:
        place = (link.source // block, link.target // block)
        cells[place] = cells.get(place, 0) + value(link)
    return cells


def _map(
    x0: float,
    name: str,
    cells: dict[tuple[int, int], int],
    count: int,
    block: int,
    words: Callable[[float], str],
) -> list[str]:
    most = max(cells.values(), default=0)
    step = MAP / count
    gap = 1.0 if step > 6 else 0.0
    frame = Box(x0 + LEFT, TOP, MAP, MAP)
    body = [
        text(frame.x, 11, f"{name}, largest cell {words(most)}", "strong"),
        text(frame.right, TOP - 4, "to →", "soft", "end"),
        text(frame.x - 5, TOP - 4, "from ↓", "soft", "start"),
        rect(frame, "empty"),
    ]
    for (source, target), value in sorted(cells.items()):
        if value == 0:
            continue
        box = Box(frame.x + target * step, frame.y + source * step, step - gap, step - gap)
        title = f"{_ranks(source, block)} → {_ranks(target, block)}: {words(value)}"
        body.append(rect(box, "heat", title, opacity=0.12 + 0.88 * value / most))
    for place in range(0, count, max(1, -(-count // 8))):
        centre = (place + 0.5) * step
        label = str(place * block)
        body.append(text(frame.x - 5, frame.y + centre + 4, label, "soft", "end"))
        body.append(text(frame.x + centre, frame.y - 4, label, "soft", "middle")) if (
            centre < MAP - 40
        ) else None
    return body


def _ranks(place: int, block: int) -> str:
    first = place * block
    return f"rank {first}" if block == 1 else f"ranks {first} to {first + block - 1}"
