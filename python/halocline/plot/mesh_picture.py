# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From results to a saved picture of mesh and field, or to a movie over the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.plot.field import Quantity, ShownField, Values, shown_field
from halocline.plot.picture import Words, compose, room, save_picture
from halocline.plot.render import render, require_vtk
from halocline.plot.sources import find_run, mesh_of
from halocline.plot.view import View
from halocline.results.mesh import Mesh
from halocline.results.run import Run
from halocline.wording import layout_words

if TYPE_CHECKING:
    from halocline.plot.scene import Scene

TITLES = {"rotor37": "NASA Rotor 37"}


@dataclass(frozen=True)
class Drawing:
    """A scene and all that is said about it."""

    run: Run
    mesh: Mesh
    values: Values | None
    quantity: Quantity | None
    scene: Scene
    field: ShownField | None
    step: int | None


def draw_mesh(
    paths: Sequence[Path],
    output: Path,
    quantity: str,
    mesh: Path | None = None,
    view: View | None = None,
) -> dict[str, object]:
    """Draw what `paths` mean (see `find_run`) as PNG; return facts on the picture."""
    require_vtk()
    view = view or View()
    made = make_drawing(find_run(paths, mesh), quantity, view)
    save_picture(output, paint(made, made.field, view))
    return {"picture": str(output), **facts(made)}


def make_drawing(run: Run, quantity: str, view: View) -> Drawing:
    """Choose and read what is drawn."""
    from halocline.plot.scene import make_scene

    run = at_level(run, view.level)
    mesh = mesh_of(run)
    if not run.fields:
        if quantity:
            raise InvalidInputError(
                f"{run.path} has no field (only the mesh can be drawn). Leave --quantity out."
            )
        return Drawing(run, mesh, None, None, make_scene(mesh, None, None, view), None, None)
    values = Values(run, view.step, view.time, lead=quantity)
    shown = values.quantity(quantity)
    scene = make_scene(mesh, values, shown, view)
    field = shown_field(shown, scene.values())
    if view.span is not None:
        words = f"{shown.label}  {shown.symbol}".rstrip()
        field = ShownField(0.0, *view.span, words, clipped=True)
    return Drawing(run, mesh, values, shown, scene, field, values.step)


def at_level(run: Run, level: int | None) -> Run:
    """Return the run on one level; on the finest that has fields when none is named."""
    finest = min((field.level for field in run.all_fields), default=0)
    return run.at_level(finest if level is None else level)


def paint(made: Drawing, field: ShownField | None, view: View) -> bytes:
    """Return the picture as PNG."""
    rendering = render(made.scene, field, room(view.size))
    groups = {
        item.name: item.colour for item in made.scene.items if item.name and item.colour is not None
    }
    legend = [(colour, name) for name, colour in groups.items()]
    words = Words(view.title or _title(made), _caption(made))
    return compose(rendering, field, legend, words, view.size)


def facts(made: Drawing) -> dict[str, object]:
    """Return what `--json` tells of a picture."""
    field = made.field
    boundaries = made.mesh.boundaries.values()
    nodes = [cells.corners for cells in boundaries]
    return {
        "mesh": str(made.mesh.file),
        "field": str(made.values.file(made.quantity.name))
        if made.values and made.quantity
        else None,
        "quantity": made.quantity.name if made.quantity else None,
        "step": made.step,
        "range": [field.low, field.high] if field else None,
        "surface_nodes": len(np.unique(np.concatenate(nodes))) if nodes else 0,
        "surface_quads": sum(0 if cells.only_points else len(cells) for cells in boundaries),
        "mesh_nodes": made.mesh.nodes,
        "mesh_cells": len(made.mesh.cells),
    }


def _title(made: Drawing) -> str:
    shape = hdf5.text_of(made.mesh.attributes, "shape")
    name = TITLES.get(shape) or shape or made.mesh.file.stem
    return f"{name}: {made.quantity.label if made.quantity else 'mesh'}"


def _caption(made: Drawing) -> str:
    from halocline.plot.scene import passages_around

    mesh, run = made.mesh, made.run
    parts = [f"{mesh.nodes:,} nodes"]
    if passages_around(mesh) > 1:
        parts[0] += f" in one of {passages_around(mesh)} passages"
    points = np.concatenate([np.asarray(item.shape.points) for item in made.scene.items])
    unit = f" {mesh.length_unit}" if mesh.length_unit else ""
    sides = " × ".join(f"{side:.3g}" for side in np.ptp(points, axis=0)[: 2 if mesh.is_flat else 3])
    parts.append(f"extent {sides}{unit}")
    if made.step is not None:
        parts.append(_step_words(run, made.step))
    if run.record is not None:
        layout = run.record.layout
        spread = layout_words(layout.ranks, layout.threads_per_rank)
        parts.append(f"{run.record.program} on {spread}")
    return "   ·   ".join(parts)


def _step_words(run: Run, step: int) -> str:
    kind = "cycles" if run.solver in {"", "mgcfd"} else "time steps"
    words = f"after {step} {kind}"
    if run.time_unit:
        time = float(run.times[np.flatnonzero(run.steps == step)[0]])
        words += f", time {time:.4g}" + (f" {run.time_unit}" if run.time_unit != "1" else "")
    return words
