# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From files to a saved picture of mesh and field, with title and caption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError
from halocline.plot.field import Quantity, quantity_of, read_variables, shown_field
from halocline.plot.picture import Words, save_picture
from halocline.plot.scene import View, passages_around
from halocline.plot.sources import Sources, field_cycle, find_sources
from halocline.plot.surface import Surface, read_surface
from halocline.wording import layout_words

TITLES = {"rotor37": "NASA Rotor 37"}


def draw_mesh(
    paths: Sequence[Path],
    output: Path,
    quantity: str,
    mesh: Path | None = None,
    view: View | None = None,
    title: str = "",
) -> dict[str, object]:
    """Draw what `paths` mean (see `find_sources`); return facts on the picture."""
    sources = find_sources(paths, mesh)
    surface = read_surface(sources.mesh, sources.base_index)
    if len(surface.points) == 0:
        raise InvalidInputError(f"{sources.mesh} has no boundary (nothing to draw).")
    field = shown = None
    if sources.field is not None:
        variables = read_variables(sources.field, surface.nodes, surface.mesh_nodes)
        shown = quantity_of(quantity, variables, sources.field)
        field = shown_field(shown, variables)
    words = Words(title or _title(surface, sources, shown), _caption(surface, sources))
    save_picture(output, surface, field, words, view or View())
    return {
        "picture": str(output),
        "mesh": str(sources.mesh),
        "field": str(sources.field) if sources.field else None,
        "quantity": shown.name if shown else None,
        "range": [field.low, field.high] if field else None,
        "surface_nodes": len(surface.points),
        "surface_quads": len(surface.quads),
        "mesh_nodes": surface.mesh_nodes,
    }


def _title(surface: Surface, sources: Sources, quantity: Quantity | None) -> str:
    name = TITLES.get(surface.shape) or surface.shape or sources.mesh.stem
    return f"{name}: {quantity.label if quantity else 'mesh'}"


def _steps(sources: Sources) -> str:
    """What the number in the file's name counts, as far as a record tells."""
    solver = sources.record.settings.solver if sources.record else "mgcfd"
    return "cycles" if solver == "mgcfd" else "time steps"


def _caption(surface: Surface, sources: Sources) -> str:
    parts = [f"{surface.mesh_nodes:,} nodes"]
    if passages_around(surface) > 1:
        parts[0] += f" in one of {passages_around(surface)} passages"
    extent = np.ptp(surface.points, axis=0)
    unit = f" {surface.length_unit}" if surface.length_unit not in ("", "1") else ""
    parts.append(f"extent {' × '.join(f'{side:.3g}' for side in extent)}{unit}")
    if sources.field is not None:
        parts.append(f"after {field_cycle(sources.field)} {_steps(sources)}")
    if sources.record is not None:
        layout = sources.record.layout
        spread = layout_words(layout.ranks, layout.threads_per_rank)
        parts.append(f"{sources.record.program} on {spread}")
    return "   ·   ".join(parts)
