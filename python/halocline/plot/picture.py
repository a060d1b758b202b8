# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Composes the picture that is saved: rendering, title, colour bar and caption."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halocline.files.output_file import write_bytes
from halocline.plot.arrays import AnyArray, Floats
from halocline.plot.field import ShownField
from halocline.plot.scene import View, is_drawn, render
from halocline.plot.surface import Surface
from halocline.terminal import harmless_line

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

WIDTH_INCHES = 12.0
"""Of every picture: letters keep their size relative to it at any number of pixels."""
INK, PAPER_TOP, PAPER_BOTTOM = "#1b2733", (0.985, 0.99, 1.0), (0.86, 0.89, 0.925)
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


def save_picture(
    path: Path, surface: Surface, field: ShownField | None, words: Words, view: View
) -> None:
    """Render the surface, coloured by `field` or by boundary group, and save a PNG."""
    with own_style():
        figure = _figure(view.size)
        if len(surface.quads):
            colours = (
                field_colours(field)[surface.quads] if field else group_corner_colours(surface)
            )
            _add_rendering(figure, render(surface, colours, view))
        else:
            _add_points(figure, surface, field_colours(field) if field else group_colours(surface))
        if field:
            _add_colour_bar(figure, field)
        else:
            _add_group_names(figure, surface)
        _add_words(figure, words)
        save(figure, path)


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


def save(figure: Figure, path: Path) -> None:
    """Save as PNG, whole or not at all; unknown letters become boxes."""
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(picture, format="png")
    write_bytes(path, picture.getvalue())


def colour_map(field: ShownField) -> Colormap:
    """Colours that fit the field: diverging for departures from the free stream."""
    from matplotlib import colormaps

    return colormaps[DIVERGING if field.diverging else SEQUENTIAL]


def scale(field: ShownField) -> Normalize:
    """How values become places on the colour bar: linear, or asinh about zero."""
    from matplotlib.colors import AsinhNorm, Normalize

    high = field.high if field.high > field.low else field.low + 1e-12
    if field.linear_width is not None:
        return AsinhNorm(field.linear_width, field.low, high, clip=True)
    return Normalize(field.low, high, clip=True)


def field_colours(field: ShownField) -> Floats:
    """RGB (N, 3) of the values; what is not finite is grey."""
    finite = np.isfinite(field.values)
    places = np.asarray(scale(field)(np.where(finite, field.values, field.low)))
    rgb = np.array(colour_map(field)(places))[:, :3]
    rgb[~finite] = NO_VALUE
    return rgb


def group_colours(surface: Surface) -> Floats:
    """RGB of `surface.groups`: of each quadrilateral, or of each point where there are none."""
    from matplotlib.colors import to_rgb

    palette = np.array([to_rgb(colour) for colour in GROUP_COLOURS])
    colours: Floats = palette[surface.groups % len(palette)]
    return colours


def group_corner_colours(surface: Surface) -> Floats:
    """RGB (Q, 4, 3): the corners of a quadrilateral have its group's colour."""
    return np.repeat(group_colours(surface)[:, None, :], 4, axis=1)


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


def _add_rendering(figure: Figure, picture: AnyArray) -> None:
    alpha = np.maximum(picture[..., 3:], 1e-6)
    straight = np.concatenate([np.clip(picture[..., :3] / alpha, 0, 1), picture[..., 3:]], axis=2)
    _full_axes(figure).imshow(straight, interpolation="none", aspect="auto")


def _add_points(figure: Figure, surface: Surface, colours: Floats) -> None:
    """Boundary nodes as points, for meshes that store no surface."""
    axes: Any = figure.add_axes((0.02, 0.08, 0.84, 0.82), projection="3d")
    axes.set_axis_off()
    size = float(np.clip(4e5 / max(1, len(surface.points)), 0.5, 40.0))
    axes.scatter(*surface.points.T, c=colours, s=size, depthshade=False, linewidths=0)
    axes.set_box_aspect(np.maximum(np.ptp(surface.points, axis=0), 1e-12))


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
        bar = figure.colorbar(mappable, cax=axes, format=formatter, extend="both")
    bar.set_label(field.label, color=INK, fontsize=11)
    bar.ax.tick_params(colors=INK, labelsize=9, length=3)
    bar.outline.set_visible(False)


def _add_group_names(figure: Figure, surface: Surface) -> None:
    """A legend of the boundary groups that are drawn."""
    from matplotlib.patches import Patch

    names = surface.group_names
    drawn = [group for group in np.unique(surface.groups).tolist() if is_drawn(surface, group)]
    handles = [
        Patch(
            color=GROUP_COLOURS[group % len(GROUP_COLOURS)],
            label=literal(names.get(group, str(group))),
        )
        for group in drawn
    ]
    figure.legend(
        handles=handles, loc="center right", frameon=False, labelcolor=INK, title="boundary"
    )


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
