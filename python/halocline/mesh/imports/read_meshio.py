# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Gmsh files, and VTK files where VTK is not installed, through meshio."""

from __future__ import annotations

import contextlib
import importlib
import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import numpy as np

from halocline.errors import MissingEnvironmentError
from halocline.mesh.arrays import AnyArray
from halocline.mesh.cells import KINDS
from halocline.mesh.imports.source import CURVED_NOTE, CellFaces, Patch, Polygons, Source, broken

SOLID = {
    "tetra": "cells_tetrahedron",
    "pyramid": "cells_pyramid",
    "wedge": "cells_prism",
    "hexahedron": "cells_hexahedron",
}
FLAT = {"triangle": "cells_triangle", "quad": "cells_quadrilateral"}
LINES = {"line": 2}
IGNORED = ("vertex",)
NUMBERS = (
    "gmsh:physical",
    "medit:ref",
    "cell_tags",
    "CellEntityIds",
    "PhysicalIds",
    "boundary",
    "marker",
    "group",
)
"""Cell arrays that number parts of the boundary, the first one there counts."""

BY_VTK = dict.fromkeys(("vtu", "vtk"), " VTK reads more: `pip install halocline[plot]`.")

UNREADABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    MemoryError,
    NameError,
    OSError,
    OverflowError,
    ParseError,
    RuntimeError,
    SystemExit,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What meshio raises on damaged files."""


def read_gmsh(path: Path) -> Source:
    """Read a .msh file of version 2 or 4, text or binary."""
    return read_by_meshio(path, "gmsh")


def read_by_meshio(path: Path, module: str) -> Source:
    """Read a file by one of meshio's modules: gmsh, vtu or vtk."""
    return _source(path, _read(path, module))


def _read(path: Path, module: str) -> Any:
    try:
        meshio = importlib.import_module("meshio")
    except ImportError:
        raise MissingEnvironmentError(
            f"{path}: reading this format needs the Python package meshio, which is not installed. "
            "Install it with `pip install meshio`."
        ) from None
    reader = getattr(meshio, module)
    raised = (meshio.ReadError, importlib.import_module("meshio._exceptions").CorruptionError)
    said = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
            warnings.catch_warnings(action="ignore"),
        ):
            mesh = reader.read(path)
    except (*UNREADABLE, *raised) as error:
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        reason = "it holds no nodes or no elements" if "zero-size" in reason else reason
        raise broken(
            path,
            f"cannot be read as a {module} mesh ({reason})",
            "Is it complete, and of the format that its name says?" + BY_VTK.get(module, ""),
        ) from None
    if "cannot handle" in said.getvalue():
        raise broken(
            path,
            "meshio cannot read all of its cells",
            "Write it with plain kinds of cells." + BY_VTK.get(module, ""),
        )
    return mesh


def _source(path: Path, mesh: Any) -> Source:
    points = np.zeros((len(mesh.points), 3))
    given = np.asarray(mesh.points, dtype=np.float64)
    points[:, : given.shape[1]] = given
    notes: list[str] = []
    blocks = [(_linear(block.type, notes), block.data, n) for n, block in enumerate(mesh.cells)]
    polyhedra = [(kind, data, n) for kind, data, n in blocks if kind.startswith("polyhedron")]
    solid = any(kind in SOLID for kind, _, _ in blocks) or bool(polyhedra)
    kinds = SOLID if solid else FLAT
    sides = FLAT if solid else LINES
    cells: dict[str, list[AnyArray]] = {}
    named: dict[str, list[AnyArray]] = {}
    for kind, data, number in blocks:
        if kind in kinds:
            corners = KINDS[kinds[kind]].corners
            cells.setdefault(kinds[kind], []).append(_numbers(data, corners))
        elif kind in sides:
            k = 2 if kind == "line" else KINDS[FLAT[kind]].corners
            for name, rows in _by_name(
                mesh, number, _numbers(data, k), "line" if k == 2 else "face"
            ):
                named.setdefault(name, []).append(rows)
        elif kind not in (*IGNORED, *LINES) and not kind.startswith("polyhedron"):
            raise broken(path, f"cells of the kind '{kind}' are not understood",
                         f"Known are {', '.join((*SOLID, *FLAT))} and polyhedra.")  # fmt: skip
    source = Source(
        path,
        points,
        {name: np.concatenate(rows) for name, rows in cells.items()},
        [Patch(name, _polygons(rows)) for name, rows in named.items()],
        notes=notes,
    )
    if polyhedra:
        source.polyhedra, source.n_polyhedra = _polyhedra(data for _, data, _ in polyhedra)
    return source


def _linear(kind: str, notes: list[str]) -> str:
    """Return the kind with the same corners and straight edges: tetra for tetra10."""
    if kind.startswith(("polyhedron", "VTK_LAGRANGE")):
        return kind
    plain = kind.rstrip("0123456789")
    if plain != kind and plain in (*SOLID, *FLAT, *LINES):
        if CURVED_NOTE not in notes:
            notes.append(CURVED_NOTE)
        return plain
    return kind


def _numbers(data: Any, corners: int) -> AnyArray:
    return np.array(np.asarray(data)[:, :corners], dtype=np.int32, order="C")


def _by_name(mesh: Any, block: int, rows: AnyArray, what: str) -> Iterator[tuple[str, AnyArray]]:
    """Yield name and rows of each part of a block of boundary faces."""
    tags = next((mesh.cell_data[name][block] for name in NUMBERS if name in mesh.cell_data), None)
    if tags is None:
        yield what + "s", rows
        return
    tags = np.asarray(tags).reshape(len(rows), -1)[:, 0].astype(np.int64)
    dimension = rows.shape[1] - 1 if rows.shape[1] == 2 else 2
    names = {
        int(number): str(name)
        for name, (number, of) in _groups(mesh.field_data)
        if int(of) == dimension
    }
    whole = mesh.cell_data.get("gmsh:geometrical")
    for tag in np.unique(tags):
        chosen = tags == tag
        if tag != 0 or whole is None:
            yield names.get(int(tag), f"{what} {tag}"), rows[chosen]
            continue
        parts = np.asarray(whole[block]).ravel().astype(np.int64)
        for part in np.unique(parts[chosen]):
            name = f"{'curve' if what == 'line' else 'surface'} {part}"
            yield name, rows[chosen & (parts == part)]


def _groups(field_data: Any) -> Iterator[tuple[str, Any]]:
    for name, value in field_data.items():
        if np.size(value) == 2:
            yield name, np.ravel(value)


def _polygons(parts: list[AnyArray]) -> Polygons:
    sizes = sorted({part.shape[1] for part in parts})
    return {k: np.concatenate([part for part in parts if part.shape[1] == k]) for k in sizes}


def _polyhedra(blocks: Iterator[Any]) -> tuple[CellFaces, int]:
    """Collect the faces of polyhedra, which meshio keeps as lists of lists."""
    nodes: dict[int, list[Any]] = {}
    owners: dict[int, list[int]] = {}
    count = 0
    for data in blocks:
        for faces in data:
            for face in faces:
                nodes.setdefault(len(face), []).append(face)
                owners.setdefault(len(face), []).append(count)
            count += 1
    found = CellFaces(oriented=False)
    for k, rows in nodes.items():
        found.nodes[k] = np.array(rows, dtype=np.int32)
        found.cells[k] = np.array(owners[k], dtype=np.int32)
    return found, count
