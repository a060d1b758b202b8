# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Inline SVG as text: elements, nice axis ticks, and the series colours of the house style.

Colours are CSS classes of the page (`s0` … `s7` for series), so that light, dark and print
need one drawing only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

SERIES = 8


@dataclass(frozen=True)
class Box:
    """A rectangle in drawing units."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.height


def drawing(width: float, height: float, body: Sequence[str], label: str) -> str:
    """Return an `<svg>` that fills the width it is given; `label` is read to who cannot see it."""
    head = f'<svg viewBox="0 0 {_n(width)} {_n(height)}" role="img" aria-label="{escape(label)}">'
    return "\n".join([head, *body, "</svg>"])


def rect(box: Box, css: str, title: str = "", opacity: float | None = None) -> str:
    """Return a rectangle; `title` is shown where the pointer rests."""
    shade = "" if opacity is None else f' fill-opacity="{opacity:.3f}"'
    place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'<rect {place} class="{css}"{shade}>{_title(title)}</rect>'


def text(x: float, y: float, words: str, css: str = "", anchor: str = "start") -> str:
    """Return one line of text."""
    place = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"'
    return f'<text {place} class="{css}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    """Return a straight line."""
    return f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="{css}"/>'


def polyline(points: Sequence[tuple[float, float]], css: str) -> str:
    """Return an open line through `points`."""
    path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    return f'<polyline points="{path}" class="{css}"/>'


def circle(x: float, y: float, radius: float, css: str, title: str = "") -> str:
    """Return a filled mark."""
    place = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
    return f'<circle {place} class="{css}">{_title(title)}</circle>'


def legend(names: Sequence[tuple[str, str]]) -> str:
    """Return the legend of a drawing as HTML: (CSS class of the series, name) in order."""
    items = (f'<span><i class="{css}"></i>{escape(name)}</span>' for css, name in names)
    return f'<p class="legend">{"".join(items)}</p>'


def ticks(largest: float, about: int = 4) -> list[float]:
    """Return round axis marks from 0 up to `largest`, about `about` of them."""
    if not largest > 0.0:
        return [0.0, 1.0]
    raw = largest / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * 0.999)
    return [step * place for place in range(math.floor(largest / step * 1.001) + 1)]


def _title(words: str) -> str:
    return f"<title>{escape(words)}</title>" if words else ""


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
