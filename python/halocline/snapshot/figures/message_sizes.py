# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Message sizes by function: one row of bars each over common powers of two."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.page.svg import Box, drawing, line, rect, text
from halocline.snapshot.model import Bin, Histogram
from halocline.wording import bytes_words, count_words

WIDTH = 560.0
NAME_WIDTH = 128.0
ROW = 34.0


def message_sizes(
    histograms: Sequence[Histogram], colours: dict[str, str], rows: int = 6, css: str = "s7"
) -> str:
    """Return the drawing of the first `rows` functions that move data; `css` is for the rest.

    Each row has its own height scale, because counts of functions differ by powers of ten.
    """
    shown = [item for item in histograms if item.bins][:rows]
    if not shown:
        return '<p class="soft">No message carried data.</p>'
    first = min(bin_place(entry) for item in shown for entry in item.bins)
    last = max(bin_place(entry) for item in shown for entry in item.bins)
    area = Box(NAME_WIDTH, 2.0, WIDTH - NAME_WIDTH - 4.0, ROW * len(shown))
    step = min(area.width / (last - first + 1), 46.0)
    body = []
    for place, item in enumerate(shown):
        base = area.y + (place + 1) * ROW
        body += _row(item, base, area.x - first * step, step, colours.get(item.function, css))
        body.append(line(area.x, base, area.x + (last - first + 1) * step, base, "rule"))
    every = max(1, round(44.0 / step))
    for place in range(first, last + 1, every):
        x = area.x + (place - first) * step
        body.append(text(x + step / 2, area.bottom + 14, bin_label(place), "soft", "middle"))
    return drawing(WIDTH, area.bottom + 19, body, "message sizes by function")


def _row(item: Histogram, base: float, x0: float, step: float, css: str) -> list[str]:
    name = item.function.removeprefix("MPI_")
    total = sum(entry.messages for entry in item.bins)
    most = max(entry.messages for entry in item.bins)
    body = [
        text(NAME_WIDTH - 10, base - 16, name, "", "end"),
        text(NAME_WIDTH - 10, base - 4, f"{count_words(total)} messages", "soft", "end"),
    ]
    for entry in item.bins:
        height = max(1.5, (ROW - 8) * entry.messages / most)
        box = Box(x0 + bin_place(entry) * step + 0.5, base - height, step - 1.0, height)
        size = f"{bytes_words(entry.min_bytes)} to {bytes_words(entry.max_bytes)}"
        words = f"{item.function}, {size}: {entry.messages:,} messages, {bytes_words(entry.bytes)}"
        body.append(rect(box, css, words))
    return body


def bin_place(entry: Bin) -> int:
    """Return 0 for empty messages, k + 1 for sizes from 2^k."""
    return entry.min_bytes.bit_length()


def bin_label(place: int) -> str:
    """Return the smallest size of a bin with a binary unit: `0`, `8`, `4Ki`, `1Mi`."""
    if place == 0:
        return "0"
    power = place - 1
    unit = ("", "Ki", "Mi", "Gi", "Ti")[min(power // 10, 4)]
    return f"{2 ** (power % 10) if power < 50 else 2 ** (power - 40)}{unit}"
