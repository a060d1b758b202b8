# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Composes the picture that is saved: rendering, title, colour bar and caption."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halocline.files.output_file import write_bytes
from halocline.plot.field import ShownField
from halocline.results.data_set import AnyArray
from halocline.results.mesh import Floats
from halocline.terminal import harmless_line

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

WIDTH_INCHES = 12.0
"""Of every picture: letters keep their size relative to it at any number of pixels."""
INK, PAPER_TOP, PAPER_BOTTOM = "#1b2733", (0.985, 0.99, 1.0), (0.86, 0.89, 0.925)
ROOM = (0.02, 0.075, 0.865, 0.84)
"""Left, bottom, width and height of the rendering; the rest is for title, colour bar, caption."""
NO_VALUE = (0.55, 0.55, 0.58)
SEQUENTIAL, DIVERGING = "viridis", "RdYlBu_r"
GROUP_COLOURS = (
    *("#8fa3b8", "#d8dee6", "#d98b3a", "#6ba292"),
    *("#7fb3d5", "#c39bd3", "#b8c480", "#b8c480"),
)
"""By group number: hub, shroud, blade, far field; inlet, outlet, the two periodic sides."""


@dataclass(frozen=True)
class Words:
    """Text of the picture."""

    title: str
    caption: str


def save_picture(path: Path, picture: bytes) -> None:
    """Save a PNG, whole or not at all."""
    write_bytes(path, picture)


def compose(
    rendering: AnyArray,
    field: ShownField | None,
    groups: Sequence[tuple[str, str]],
    words: Words,
    size: tuple[int, int],
) -> bytes:
    """Put a rendering, its colour bar or the names of its groups, and words on paper; as PNG.

    Args:
        rendering: RGBA (height, width, 4) of the part that `room` names.
        field: what its colours mean.
        groups: (colour, name) of boundary groups, for pictures without a field.
        words: title and caption.
        size: width and height of the picture in pixels.
    """
    with own_style():
        figure = _figure(size)
        axes = figure.add_axes(ROOM)
        axes.set_axis_off()
        axes.imshow(rendering, interpolation="none", aspect="auto")
        if field:
            _add_colour_bar(figure, field)
        elif groups:
            _add_group_names(figure, groups)
        _add_words(figure, words)
        return png(figure)


def room(size: tuple[int, int]) -> tuple[int, int]:
    """Return the pixels that a rendering gets in a picture of `size`."""
    return max(8, round(ROOM[2] * size[0])), max(8, round(ROOM[3] * size[1]))


@contextmanager
def own_style() -> Iterator[None]:
    """Draw in Matplotlib's own style, whatever settings lie in the current or home folder."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        yield


def literal(text: str) -> str:
    """Return text of others as a drawing shows it: dollars begin no formula."""
    return harmless_line(text).replace("$", r"\$")


def png(figure: Figure) -> bytes:
    """Return a figure as PNG; unknown letters become boxes."""
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(picture, format="png")
    return picture.getvalue()


def colour_map(field: ShownField) -> Colormap:
    """Colours that fit the field: diverging for departures from the free stream."""
    from matplotlib import colormaps

    return colormaps[DIVERGING if field.diverging else SEQUENTIAL]


def scale(field: ShownField) -> Normalize:
    """How values become places on the colour bar: linear, or asinh about zero."""
    from matplotlib.colors import AsinhNorm, Normalize

    high = max(field.high, field.low + 1e-12 * max(1.0, abs(field.low)))
    if field.linear_width is not None:
        return AsinhNorm(field.linear_width, field.low, high, clip=True)
    return Normalize(field.low, high, clip=True)


def colour_places(field: ShownField, values: Floats) -> Floats:
    """Return places on the colour bar, 0 to 1; NaN for what is not finite."""
    finite = np.isfinite(values)
    places = np.asarray(scale(field)(np.where(finite, values - field.origin, 0.0)), dtype=float)
    places[~finite] = np.nan
    return places


def group_colour(number: int) -> str:
    """Return the colour of a boundary group."""
    return GROUP_COLOURS[number % len(GROUP_COLOURS)]


def _figure(size: tuple[int, int]) -> Figure:
    """A figure with a soft background; drawn by Agg, which needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    dpi = size[0] / WIDTH_INCHES
    figure = Figure(figsize=(WIDTH_INCHES, size[1] / dpi), dpi=dpi)
    FigureCanvasAgg(figure)
    axes = _full_axes(figure)
    shade = np.linspace(0.0, 1.0, 256)[:, None, None]
    paper = (1 - shade) * PAPER_TOP + shade * PAPER_BOTTOM
    axes.imshow(paper, aspect="auto", interpolation="bilinear")
    return figure


def _full_axes(figure: Figure) -> Any:
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    return axes


def _add_colour_bar(figure: Figure, field: ShownField) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.ticker import FuncFormatter, ScalarFormatter

    axes = figure.add_axes((0.90, 0.22, 0.016, 0.52))
    mappable = ScalarMappable(scale(field), colour_map(field))
    if field.diverging:
        bar = figure.colorbar(mappable, cax=axes, ticks=_departure_ticks(field))
        bar.ax.yaxis.set_major_formatter(FuncFormatter(_power_of_ten))
        bar.ax.minorticks_off()
    else:
        formatter = ScalarFormatter(useMathText=True)
        formatter.set_powerlimits((-2, 4))
        bar = figure.colorbar(
            mappable, cax=axes, format=formatter, extend="both" if field.clipped else "neither"
        )
    bar.set_label(field.label, color=INK, fontsize=11)
    bar.ax.tick_params(colors=INK, labelsize=9, length=3)
    bar.outline.set_visible(False)


def _add_group_names(figure: Figure, groups: Sequence[tuple[str, str]]) -> None:
    """A legend of the boundary groups that are drawn."""
    from matplotlib.patches import Patch

    handles = [Patch(color=colour, label=literal(name)) for colour, name in groups]
    figure.legend(handles=handles, loc="center right", frameon=False, labelcolor=INK)


def _departure_ticks(field: ShownField) -> list[float]:
    """Zero and powers of ten from the linear width to the reach, on both sides."""
    top = math.floor(math.log10(field.high))
    bottom = max(top - 5, math.ceil(math.log10(field.linear_width or field.high)))
    powers = [10.0**power for power in range(bottom, top + 1)]
    return [*(-power for power in reversed(powers)), 0.0, *powers]


def _power_of_ten(value: float, _position: int) -> str:
    sign = "-" if value < 0.0 else ""
    return f"${sign}10^{{{round(math.log10(abs(value)))}}}$" if value else "0"


def _add_words(figure: Figure, words: Words) -> None:
    title, caption = literal(words.title), literal(words.caption)
    figure.text(0.035, 0.945, title, color=INK, fontsize=19, fontweight="bold", va="center")
    figure.text(0.035, 0.035, caption, color=INK, fontsize=9.5, alpha=0.85, va="center")
