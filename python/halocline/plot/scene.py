# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses what of a mesh is drawn: its surface, planes and surfaces inside it, streamlines, cells.

A mesh with a rotation axis becomes a rotor: hub and blade in every passage shown, the periodic
cuts at both ends; shroud, inlet and outlet are left out so that one can look in. Any other mesh
is drawn with its whole boundary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyvista

from halocline.errors import InvalidInputError
from halocline.plot.field import Quantity, Values
from halocline.plot.picture import group_colour
from halocline.plot.view import DIRECTIONS, View, upright
from halocline.results.grids import grid_of
from halocline.results.mesh import VERTEX, Cells, Floats, Mesh

SHOWN_SHARE = 0.28
"""Part of the full circle that is shown unless the user asks for a number of passages."""
LEFT_OUT = ("shroud", "casing", "inlet", "outlet")
LOWER_CUT, UPPER_CUT = "periodic lower", "periodic upper"
"""Names of groups; results files write them with underscores."""
SIDE = 0.003
"""Radius of boundary lines, as a part of the longest."""
PALE = 2
"""Colours of groups that cells behind them would swallow."""
PLAIN = "#d5dae0"
"""Of what only stands behind other things."""
CONTEXT = "#8592a0"
"""Colour of what is drawn only to show where the rest is."""
FEATURE_ANGLE = 30.0
SEEDS = 120
SEVERAL_ISOS = 0.5
"""Opacity of surfaces that may lie inside each other."""
TUBE = 0.0022
"""Radius of streamlines, relative to the diagonal of the mesh."""
VALUES, KIND = "values", "kind"
KINDS = {
    10: ("tetrahedra", "#d98b3a"),
    14: ("pyramids", "#c39bd3"),
    13: ("prisms", "#6ba292"),
    12: ("hexahedra", "#8fa3b8"),
}
"""Name and colour by VTK's number of a cell type."""


@dataclass(frozen=True)
class Item:
    """Something to draw: `shape` with values by the name of VALUES, or in one colour."""

    shape: pyvista.DataSet
    colour: str | None = None
    name: str = ""
    """In the legend; empty for what has none."""
    lines: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Scene:
    """Everything that is drawn, and where the eye is."""

    items: list[Item]
    towards: Floats
    up: Floats
    parallel: bool

    def values(self) -> Floats:
        """All values that are coloured."""
        found = [
            np.asarray(item.shape.point_data[VALUES]) for item in self.items if item.colour is None
        ]
        return np.concatenate(found) if found else np.empty(0)


def passages_around(mesh: Mesh) -> int:
    """Number of passages of the full circle; 1 without rotation."""
    return 1 if mesh.rotation is None else max(1, round(2.0 * math.pi / mesh.rotation[1]))


def make_scene(mesh: Mesh, values: Values | None, quantity: Quantity | None, view: View) -> Scene:
    """Return what is drawn of a mesh.

    Args:
        mesh: the mesh.
        values: what colours come from; None draws groups of the boundary.
        quantity: which of them.
        view: what the user chose.
    """
    if view.inside:
        items = list(_inside(mesh, values, quantity, view))
    else:
        items = list(_surface(mesh, values, quantity, view))
    if not items:
        raise InvalidInputError(f"{mesh.file} has nothing to draw there. Choose another place.")
    return Scene(items, *_eye(mesh, view))


def _surface(
    mesh: Mesh, values: Values | None, quantity: Quantity | None, view: View
) -> Iterator[Item]:
    parts = _surface_parts(mesh)
    if not parts:
        raise InvalidInputError(f"{mesh.file} has no boundary (nothing to draw).")
    shapes = {name: _shape(mesh, cells, values, quantity) for name, cells in parts.items()}
    sides = _sides(mesh) if values is None else {}
    if sides:  # of a flat mesh: its cells are what they surround
        yield Item(shapes.popitem()[1], PLAIN, lines=view.lines)
        parts = sides
        lines = {name: _shape(mesh, cells, None, None) for name, cells in sides.items()}
        radius = SIDE * max(line.length for line in lines.values())
        shapes = {name: line.tube(radius=radius) for name, line in lines.items()}
    for turn, (name, shape) in _turned(mesh, shapes, view):
        place = list(parts).index(name) + (PALE if sides else 0)
        colour = None if values is not None else group_colour(place)
        legend = name if turn == 0 or name in {LOWER_CUT, UPPER_CUT} else ""
        yield Item(shape, colour, legend, lines=view.lines)


def _surface_parts(mesh: Mesh) -> dict[str, Cells]:
    """Return boundary faces by name; the cells themselves where they are flat or all there is."""
    if mesh.is_flat:
        return {"cells": mesh.cells}
    if mesh.boundaries:
        return {name.replace("_", " "): cells for name, cells in mesh.boundaries.items()}
    if len(mesh.cells):
        return {"cells": mesh.cells}
    count = np.arange(mesh.nodes + 1)
    return {"nodes": Cells(np.full(mesh.nodes, VERTEX, dtype=np.uint8), count, count[:-1])}


def _sides(mesh: Mesh) -> dict[str, Cells]:
    """Return the boundary lines of a flat mesh by name."""
    found = {name.replace("_", " "): cells for name, cells in mesh.boundaries.items()}
    return {name: cells for name, cells in found.items() if cells.only_lines}


def _shape(
    mesh: Mesh, cells: Cells, values: Values | None, quantity: Quantity | None
) -> pyvista.DataSet:
    """Return cells as a shape of their own nodes; only these are read."""
    nodes, corners = np.unique(cells.corners, return_inverse=True)
    own = Cells(cells.types, cells.offsets, corners.astype(np.int64).ravel())
    grid = grid_of(mesh.points_at(nodes), own)
    if values is not None and quantity is not None:
        grid.point_data[VALUES] = values.of(quantity, nodes, mesh.nodes)
    return grid if cells.only_points else grid.extract_surface(algorithm="dataset_surface")


def _turned(
    mesh: Mesh, shapes: dict[str, pyvista.DataSet], view: View
) -> Iterator[tuple[int, tuple[str, pyvista.DataSet]]]:
    """Yield each part in every passage that is shown; cuts at both ends only."""
    if mesh.rotation is None:
        yield from ((0, part) for part in shapes.items())
        return
    axis, angle = mesh.rotation
    around = passages_around(mesh)
    shown = min(around, view.passages or max(1, round(SHOWN_SHARE * around)))
    for number in range(shown):
        for name, shape in shapes.items():
            inner_lower = name == LOWER_CUT and (number > 0 or shown == around)
            inner_upper = name == UPPER_CUT and (number < shown - 1 or shown == around)
            if name in LEFT_OUT or inner_lower or inner_upper:
                continue
            yield number, (name, _rotated(shape, axis, (number - shown // 2) * angle))


def _rotated(shape: pyvista.DataSet, axis: Floats, angle_rad: float) -> pyvista.DataSet:
    if angle_rad == 0.0:
        return shape
    return shape.rotate_vector(axis, math.degrees(angle_rad), point=(0.0, 0.0, 0.0))


def _inside(
    mesh: Mesh, values: Values | None, quantity: Quantity | None, view: View
) -> Iterator[Item]:
    """Yield what the user asked for, and the outlines of the mesh."""
    if len(mesh.cells) == 0:
        raise InvalidInputError(
            f"{mesh.file} stores no cells (only its boundary and its nodes can be drawn). "
            "Leave --slice, --iso, --streamlines and --cells out, or remake the mesh."
        )
    grid = grid_of(mesh.points, mesh.cells)
    if values is not None and quantity is not None:
        grid.point_data[VALUES] = values.of(quantity, None, mesh.nodes)
    elif view.isos or view.streamlines:
        raise InvalidInputError(
            f"{mesh.file} is a mesh without a field (--iso and --streamlines need one). "
            "Name results."
        )
    plain = None if values is not None else CONTEXT
    found: list[Item] = []
    if view.cells:
        opened = _opened(grid, view)
        found += list(_by_kind(opened)) if plain else [Item(opened, lines=True)]
    elif view.slices:
        found += [Item(cut, plain, lines=values is None) for cut in _slices(grid, view)]
    if values is not None:
        clear = 1.0 if len(view.isos) < 2 else SEVERAL_ISOS
        found += [Item(shape, opacity=clear) for shape in _isos(grid, mesh, values, view)]
        if view.streamlines:
            found.append(Item(_streamlines(grid, values.vector(view.streamlines, mesh.nodes))))
    found = [item for item in found if item.shape.n_points]
    if found:
        yield from found
        yield from _context(mesh, grid, view)


def _plane(grid: pyvista.UnstructuredGrid, axis: str, at: float | None) -> tuple[Floats, Floats]:
    """Return (origin, normal) of a plane across an axis."""
    normal = np.array(DIRECTIONS[axis])
    origin = np.array(grid.center)
    if at is not None:
        origin = origin * (1.0 - normal) + at * normal
    return origin, normal


def _slices(grid: pyvista.UnstructuredGrid, view: View) -> Iterator[pyvista.PolyData]:
    for cut in view.slices:
        origin, normal = _plane(grid, cut.axis, cut.at)
        found = grid.slice(normal=normal, origin=origin)
        if found.n_points == 0:
            place = "xyz".index(cut.axis)
            low, high = np.array(grid.bounds).reshape(3, 2)[place]
            raise InvalidInputError(
                f"The plane {cut.axis} = {origin[place]:g} does not meet the mesh (it reaches from "
                f"{low:.4g} to {high:.4g}). Choose a place between."
            )
        yield found


def _opened(grid: pyvista.UnstructuredGrid, view: View) -> pyvista.PolyData:
    """Return the surface of the whole cells behind the planes: the mesh cut open."""
    centres = grid.cell_centers().points
    behind = np.ones(grid.n_cells, dtype=bool)
    for cut in view.slices:
        origin, normal = _plane(grid, cut.axis, cut.at)
        behind &= (centres - origin) @ normal <= 0.0
    grid.cell_data[KIND] = grid.celltypes
    kept: pyvista.PolyData = grid.extract_cells(behind).extract_surface(algorithm="dataset_surface")
    return kept


def _by_kind(opened: pyvista.PolyData) -> Iterator[Item]:
    """Yield the faces of each kind of cell by itself, so that it gets a colour."""
    kinds = np.asarray(opened.cell_data[KIND])
    for kind in np.unique(kinds).tolist():
        faces = opened.extract_cells(kinds == kind).extract_surface(algorithm="dataset_surface")
        name, colour = KINDS.get(kind, ("polyhedra", "#b8c480"))
        yield Item(faces, colour, name, lines=True)


def _isos(
    grid: pyvista.UnstructuredGrid, mesh: Mesh, values: Values, view: View
) -> Iterator[pyvista.PolyData]:
    for iso in view.isos:
        quantity = values.quantity(iso.quantity)
        by = values.of(quantity, None, mesh.nodes)
        grid.point_data["iso"] = by
        found = grid.contour([iso.value], scalars="iso")
        if found.n_points == 0:
            raise InvalidInputError(
                f"{iso.quantity} is nowhere {iso.value:g} (it is {np.nanmin(by):.6g} to "
                f"{np.nanmax(by):.6g}). Choose a value between."
            )
        yield found


def _streamlines(grid: pyvista.UnstructuredGrid, vector: Floats) -> pyvista.PolyData:
    """Return tubes that follow a vector through nodes drawn by lot, always the same."""
    grid.point_data["vector"] = vector
    chosen = np.random.default_rng(1).choice(grid.n_points, min(SEEDS, grid.n_points), False)
    size = float(grid.length)
    lines = grid.streamlines_from_source(
        pyvista.PolyData(grid.points[np.sort(chosen)]),
        vectors="vector",
        integration_direction="both",
        max_length=4.0 * size,
        initial_step_length=0.2,
        max_steps=4000,
    )
    tubes: pyvista.PolyData = lines.tube(radius=TUBE * size) if lines.n_cells else lines
    return tubes


def _context(mesh: Mesh, grid: pyvista.UnstructuredGrid, view: View) -> Iterator[Item]:
    """Yield sharp edges of the boundary; of rotors the hub and the blade. A plane stands alone."""
    flat = len(view.slices) == 1 and not (view.isos or view.streamlines)
    if view.cells or flat:
        return
    if not mesh.boundaries or all(cells.only_points for cells in mesh.boundaries.values()):
        yield Item(grid.outline(), CONTEXT)
        return
    for name, cells in mesh.boundaries.items():
        shape = _shape(mesh, cells, None, None)
        if cells.only_lines:
            yield Item(shape, CONTEXT)
            continue
        edges = shape.extract_feature_edges(
            FEATURE_ANGLE, non_manifold_edges=False, manifold_edges=False
        )
        if edges.n_points:
            yield Item(edges, CONTEXT)
        if mesh.rotation is not None and name in {"hub", "blade"}:
            yield Item(shape, PLAIN)


def _eye(mesh: Mesh, view: View) -> tuple[Floats, Floats, bool]:
    """Return (direction to the eye, up, whether lines stay parallel)."""
    if view.towards is not None:
        towards = np.array(view.towards)
        return towards, upright(towards), bool(np.count_nonzero(towards) == 1)
    alone = len(view.slices) == 1 and not (view.isos or view.streamlines or view.cells)
    if alone:
        towards = np.array(DIRECTIONS[view.slices[0].axis])
        return towards, upright(towards), True
    if mesh.is_flat:
        return np.eye(3)[2], np.eye(3)[1], True
    if mesh.rotation is None:
        return np.array([0.7, 0.8, 1.3]), np.eye(3)[1], False
    axis = mesh.rotation[0]
    some = np.linspace(0, mesh.nodes - 1, min(mesh.nodes, 2000)).astype(np.int64)
    outward = mesh.points_at(some).mean(axis=0)
    outward = outward - (outward @ axis) * axis
    outward /= np.linalg.norm(outward)
    aside = np.cross(axis, outward)
    if view.inside:  # one passage, seen from its side
        return -0.35 * axis + 0.7 * outward - 1.1 * aside, outward, False
    # From upstream and outside, turned so that one looks between the blades and onto both cuts.
    return -0.9 * axis + 1.2 * outward - 0.4 * aside, outward, False
