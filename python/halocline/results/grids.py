# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Hands meshes and fields to VTK, by way of pyvista."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyvista

from halocline.results.mesh import VERTEX, Cells, Floats

if TYPE_CHECKING:
    from halocline.results.run import Run


def to_pyvista(run: Run, step: int | None, level: int) -> pyvista.UnstructuredGrid:
    """Return mesh and fields of one step; see `Run.to_pyvista`."""
    mesh = run.mesh(level)
    grid = grid_of(mesh.points, mesh.cells)
    for field in run.all_fields:
        if field.level == level and (step is None or step in field.steps):
            grid.point_data[field.name] = field.at(step=step)
    return grid


def grid_of(points: Floats, cells: Cells) -> pyvista.UnstructuredGrid:
    """Return a grid; without cells every point is a vertex."""
    if len(cells) == 0:
        count = len(points)
        cells = Cells(
            np.full(count, VERTEX, dtype=np.uint8), np.arange(count + 1), np.arange(count)
        )
    listed: Any = pyvista.core.cell.CellArray
    grid = pyvista.UnstructuredGrid()
    grid.points = points
    corners = listed.from_arrays(cells.offsets, cells.corners)
    grid.SetCells(pyvista.convert_array(cells.types), corners)
    return grid
