# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""VTK's unstructured grids, XML and legacy: through VTK where it is installed, else through meshio.

meshio knows neither voxels nor LZ4 nor polyhedra beside other cells, and leaves out what it does
not know; such files end with a sentence.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import resource
from pathlib import Path
from typing import Any

import numpy as np

from halocline.errors import HaloclineError, InvalidInputError
from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.imports import read_meshio
from halocline.mesh.imports.read_meshio import NUMBERS
from halocline.mesh.imports.source import CURVED_NOTE, CellFaces, Patch, Source, broken

Corners = tuple[int, ...]

KINDS: dict[int, tuple[str, Corners]] = {
    5: ("cells_triangle", (0, 1, 2)),
    22: ("cells_triangle", (0, 1, 2)),
    8: ("cells_quadrilateral", (0, 1, 3, 2)),
    9: ("cells_quadrilateral", (0, 1, 2, 3)),
    23: ("cells_quadrilateral", (0, 1, 2, 3)),
    28: ("cells_quadrilateral", (0, 1, 2, 3)),
    10: ("cells_tetrahedron", (0, 1, 2, 3)),
    24: ("cells_tetrahedron", (0, 1, 2, 3)),
    11: ("cells_hexahedron", (0, 1, 3, 2, 4, 5, 7, 6)),
    12: ("cells_hexahedron", (0, 1, 2, 3, 4, 5, 6, 7)),
    25: ("cells_hexahedron", (0, 1, 2, 3, 4, 5, 6, 7)),
    29: ("cells_hexahedron", (0, 1, 2, 3, 4, 5, 6, 7)),
    13: ("cells_prism", (0, 1, 2, 3, 4, 5)),
    26: ("cells_prism", (0, 1, 2, 3, 4, 5)),
    14: ("cells_pyramid", (0, 1, 2, 3, 4)),
    27: ("cells_pyramid", (0, 1, 2, 3, 4)),
}
"""VTK's cell types: kind, and the order of their corners."""

LINES: dict[int, Corners] = {3: (0, 1), 21: (0, 1)}
POINTS = (0, 1, 2)
POLYGON, POLYHEDRON = 7, 42
CURVED = (21, 22, 23, 24, 25, 26, 27, 28, 29)


def read_vtk(path: Path) -> Source:
    """Read a .vtu or .vtk file."""
    module = path.suffix.lower().removeprefix(".")
    if importlib.util.find_spec("vtkmodules") is None:
        return read_meshio.read_by_meshio(path, module)
    try:
        return _in_child(path)
    except InvalidInputError as error:
        try:  # meshio writes legacy files that VTK refuses
            return read_meshio.read_by_meshio(path, module)
        except HaloclineError:
            raise error from None


def _in_child(path: Path) -> Source:
    """Let a copy of this process read the file: VTK crashes on some damaged ones."""
    importlib.import_module("vtkmodules.util.numpy_support")
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(path, sending)
    os.close(sending)
    try:
        with os.fdopen(receiving, "rb") as pipe:
            answer = pickle.load(pipe)  # noqa: S301 - of our own process
    except (EOFError, pickle.UnpicklingError):
        answer = broken(path, "VTK crashes on it", "Is it complete?")
    finally:
        os.waitpid(child, 0)
    if isinstance(answer, Source):
        return answer
    raise answer


def _answer(path: Path, sending: int) -> None:
    """In the child: no core files, no words, no way back into the caller's code."""
    answer: Source | Exception
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            answer = _Grid(path, _read(path)).source()
        except Exception as error:  # noqa: BLE001 - the parent raises it
            answer = error
        with os.fdopen(sending, "wb") as pipe:
            pickle.dump(answer, pipe, protocol=5)
    finally:
        os._exit(0)


def _read(path: Path) -> Any:
    """Return the grid, or say what VTK says."""
    from vtkmodules.vtkCommonCore import vtkLogger

    xml = path.suffix.lower() == ".vtu"
    module = importlib.import_module("vtkmodules.vtkIOXML" if xml else "vtkmodules.vtkIOLegacy")
    name = "vtkXMLUnstructuredGridReader" if xml else "vtkUnstructuredGridReader"
    reader: Any = getattr(module, name)()
    said: list[str] = []

    def listen(_: object, __: str, text: str | None = None) -> None:
        if text is not None and "error" in text.lower():
            said.append(" ".join(text.split()))

    listen.CallDataType = "string0"  # type: ignore[attr-defined]
    reader.AddObserver("ErrorEvent", listen)
    reader.AddObserver("WarningEvent", listen)
    if not xml:
        reader.ReadAllScalarsOn()
        reader.ReadAllFieldsOn()
    reader.SetFileName(str(path))
    shown = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    try:
        reader.Update()
    finally:
        vtkLogger.SetStderrVerbosity(shown)
    grid = reader.GetOutput()
    if said or grid is None or grid.GetNumberOfCells() == 0:
        why = said[0].rpartition("): ")[2][:160] if said else "it holds no cells"
        raise broken(
            path,
            f"cannot be read as an unstructured grid of VTK ({why})",
            "Is it complete, and of the format that its name says?",
        )
    return grid


def _kinds(grid: Any) -> Any:
    """Return the types of all cells; VTK 9.6 has it under another name."""
    try:
        return grid.GetCellTypes()
    except TypeError:
        return grid.GetCellTypesArray()


class _Grid:
    """A grid on its way to a source."""

    def __init__(self, path: Path, grid: Any) -> None:
        self._path = path
        self._grid = grid
        self._numpy: Any = importlib.import_module("vtkmodules.util.numpy_support").vtk_to_numpy
        cells = grid.GetCells()
        self._starts: Ints = self._numpy(cells.GetOffsetsArray()).astype(np.int64)
        self._nodes: AnyArray = self._numpy(cells.GetConnectivityArray())
        self._kinds: AnyArray = self._numpy(_kinds(grid)).astype(np.int64)
        steps = np.diff(self._starts)
        if self._starts[0] != 0 or self._starts[-1] > len(self._nodes) or (steps < 0).any():
            raise broken(path, "its cells name corners that are not there")
        self._notes: list[str] = []

    def source(self) -> Source:
        """Return cells, boundaries and polyhedra."""
        present = np.unique(self._kinds).tolist()
        self._refuse_unknown(present)
        if any(kind in CURVED for kind in present):
            self._notes.append(CURVED_NOTE)
        names = {KINDS[kind][0] for kind in present if kind in KINDS}
        flat = {"cells_triangle", "cells_quadrilateral"}
        solid = bool(names - flat) or POLYHEDRON in present
        cells: dict[str, list[AnyArray]] = {}
        sides: dict[str, dict[int, list[AnyArray]]] = {}
        for kind in present:
            mine = np.flatnonzero(self._kinds == kind)
            if kind in KINDS and (KINDS[kind][0] in flat) != solid:
                cells.setdefault(KINDS[kind][0], []).append(self._rows(mine, KINDS[kind][1]))
            elif kind in KINDS or (kind in LINES and not solid) or kind == POLYGON:
                self._add_sides(sides, mine, kind)
        points = np.array(self._numpy(self._grid.GetPoints().GetData()), dtype=np.float64)
        source = Source(
            self._path,
            points,
            {name: np.concatenate(rows) for name, rows in cells.items()},
            [
                Patch(name, {k: np.concatenate(rows) for k, rows in faces.items()})
                for name, faces in sides.items()
            ],
            notes=self._notes,
        )
        if POLYHEDRON in present:
            source.polyhedra, source.n_polyhedra = self._polyhedra()
        return source

    def _refuse_unknown(self, present: list[int]) -> None:
        known = (*KINDS, *LINES, *POINTS, 4, POLYGON, POLYHEDRON)
        unknown = [kind for kind in present if kind not in known]
        if unknown:
            raise broken(
                self._path,
                f"cells of VTK's type {unknown[0]} are not understood",
                "Known are tetrahedra, pyramids, wedges, hexahedra, voxels, polyhedra, triangles "
                "and quadrilaterals of first or second order.",
            )

    def _rows(self, cells: Ints, corners: Corners) -> AnyArray:
        at = self._starts[cells][:, None] + np.array(corners)
        rows: AnyArray = self._nodes[at].astype(np.int32)
        return rows

    def _add_sides(
        self, sides: dict[str, dict[int, list[AnyArray]]], cells: Ints, kind: int
    ) -> None:
        tags = self._tags()
        what = "line" if kind in LINES else "face"
        if kind == POLYGON:
            sizes = np.diff(self._starts)[cells]
            parts = [(cells[sizes == k], tuple(range(k))) for k in np.unique(sizes).tolist()]
        else:
            parts = [(cells, LINES[kind] if kind in LINES else KINDS[kind][1])]
        for mine, corners in parts:
            rows = self._rows(mine, corners)
            of = np.zeros(len(mine), np.int64) if tags is None else tags[mine]
            for tag in np.unique(of).tolist():
                name = f"{what}s" if tags is None else f"{what} {tag}"
                faces = sides.setdefault(name, {})
                faces.setdefault(len(corners), []).append(rows[of == tag])

    def _tags(self) -> AnyArray | None:
        data = self._grid.GetCellData()
        for name in NUMBERS:
            array = data.GetArray(name)
            if array is not None and array.GetNumberOfComponents() == 1:
                return np.asarray(self._numpy(array)).astype(np.int64)
        return None

    def _polyhedra(self) -> tuple[CellFaces, int]:
        """Return the faces of polyhedra, cell by cell."""
        polyhedra = np.flatnonzero(self._kinds == POLYHEDRON)
        corners = self._grid.GetPolyhedronFaces()
        of_cells = self._grid.GetPolyhedronFaceLocations()
        begin = self._numpy(corners.GetOffsetsArray()).astype(np.int64)
        nodes = self._numpy(corners.GetConnectivityArray())
        first = self._numpy(of_cells.GetOffsetsArray()).astype(np.int64)
        faces = self._numpy(of_cells.GetConnectivityArray()).astype(np.int64)
        counts = (first[1:] - first[:-1])[polyhedra]
        mine = np.repeat(np.arange(len(polyhedra)), counts)
        at = np.repeat(first[polyhedra] - (np.cumsum(counts) - counts), counts)
        faces = faces[at + np.arange(len(mine))]
        found = CellFaces(oriented=False)
        sizes = (begin[1:] - begin[:-1])[faces]
        for k in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == k)
            found.nodes[k] = nodes[begin[faces[rows]][:, None] + np.arange(k)].astype(np.int32)
            found.cells[k] = mine[rows].astype(np.int32)
        return found, len(polyhedra)
