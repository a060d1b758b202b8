# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The rank × rank matrix as two heat maps, bytes and messages; senders are rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from halocline.page.svg import Box, drawing, rect, text
from halocline.snapshot.model import Link
from halocline.wording import bytes_words, count_words

WIDTH = 560.0
LARGEST_MAP = 226.0
SMALLEST_MAP = 120.0
CELL = 58.0
LEFT = 34.0
TOP = 30.0
MOST_CELLS = 64
NUMBERS_FROM = 50.0
LABELS = 8


@dataclass(frozen=True)
class HeatMap:
    """One of the two maps: where it begins, what it shows, how its values are written."""

    x: float
    name: str
    value: Callable[[Link], int]
    words: Callable[[float], str]


def is_collective(links: Sequence[Link]) -> bool:
    """Whether collectives carry more than messages: then the maps show collectives."""
    return sum(link.collective_bytes for link in links) > sum(link.bytes for link in links)


def traffic_words(links: Sequence[Link]) -> str:
    """Say what the maps show and what they leave out."""
    messages = bytes_words(sum(link.bytes for link in links))
    collectives = bytes_words(sum(link.collective_bytes for link in links))
    if is_collective(links):
        return f"collectives ({collectives}); point-to-point adds {messages}"
    return f"point-to-point and one-sided ({messages}); collectives add {collectives}"


def rank_matrix(links: Sequence[Link], ranks: int) -> str:
    """Return both maps side by side; above 64 ranks a cell is a block of ranks."""
    if not links:
        return '<p class="soft">No data went from rank to rank.</p>'
    collective = is_collective(links)
    maps: list[HeatMap] = [
        HeatMap(
            0.0,
            "bytes",
            lambda link: link.collective_bytes if collective else link.bytes,
            bytes_words,
        ),
        HeatMap(
            WIDTH / 2,
            "messages",
            lambda link: link.collective_messages if collective else link.messages,
            count_words,
        ),
    ]
    block = -(-ranks // MOST_CELLS)
    body = [piece for each in maps for piece in _draw(each, links, -(-ranks // block), block)]
    return drawing(WIDTH, TOP + _side(-(-ranks // block)) + 4, body, "traffic between ranks")


def _side(count: int) -> float:
    """Few ranks get a small map: large cells say no more."""
    return min(LARGEST_MAP, max(SMALLEST_MAP, CELL * count))


def _draw(heat_map: HeatMap, links: Sequence[Link], count: int, block: int) -> list[str]:
    cells: dict[tuple[int, int], int] = {}
    for link in links:
        place = (link.source // block, link.target // block)
        cells[place] = cells.get(place, 0) + heat_map.value(link)
    most = max(cells.values())
    side = _side(count)
    step = side / count
    frame = Box(heat_map.x + LEFT, TOP, side, side)
    body = [
        text(frame.x, 12, f"{heat_map.name}, most {heat_map.words(most)}"),
        rect(frame, "empty"),
    ]
    for (source, target), value in sorted(cells.items()):
        if value:
            box = Box(frame.x + target * step, frame.y + source * step, step, step)
            title = f"{_ranks(source, block)} → {_ranks(target, block)}: {heat_map.words(value)}"
            body += _cell(box, value / most, title, heat_map.words(value))
    for mark in range(0, count, max(1, -(-count // LABELS))):
        centre = (mark + 0.5) * step
        label = str(mark * block)
        body.append(text(frame.x - 5, frame.y + centre + 4, label, "soft", "end"))
        body.append(text(frame.x + centre, frame.y - 5, label, "soft", "middle"))
    return body


def _cell(box: Box, share: float, title: str, words: str) -> list[str]:
    gap = 1.0 if box.width > 6 else 0.0
    inner = Box(box.x, box.y, box.width - gap, box.height - gap)
    pieces = [rect(inner, "heat", title, opacity=0.15 + 0.85 * share)]
    if box.width >= NUMBERS_FROM:
        css = "on" if share > 0.5 else ""
        pieces.append(text(box.x + box.width / 2, box.y + box.height / 2 + 4, words, css, "middle"))
    return pieces


def _ranks(place: int, block: int) -> str:
    first = place * block
    return f"rank {first}" if block == 1 else f"ranks {first} to {first + block - 1}"
