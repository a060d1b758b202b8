# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What every reader hands on: nodes, cells by kind, polyhedra by their faces, named boundaries."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.cells import KINDS

CURVED_NOTE = "Curved elements were taken for straight ones; their middle nodes were left out."
Polygons = dict[int, AnyArray]
"""Faces by their number of corners k: node numbers (n, k)."""


@dataclass
class Patch:
    """A named part of the boundary; `word` is the group that the file itself names."""

    name: str
    faces: Polygons
    word: str = ""


@dataclass
class CellFaces:
    """Faces of cells by their number of corners: nodes (n, k) and the cell of each (n,).

    The order of corners turns outwards of the cell, where `oriented` says so.
    """

    nodes: Polygons = field(default_factory=dict)
    cells: dict[int, AnyArray] = field(default_factory=dict)
    oriented: bool = True


@dataclass
class Source:
    """A mesh as its file has it.

    Attributes:
        path: the file, for messages.
        points: coordinates (N, 3).
        cells: corners (n, k) in VTK's order by the name of their dataset in level files.
        polyhedra: cells that are none of the kinds, numbered from 0, by their faces.
        n_polyhedra: how many of them.
        patches: named boundaries.
        notes: sentences about what was left out or changed.
    """

    path: Path
    points: Floats
    cells: dict[str, AnyArray]
    patches: list[Patch]
    polyhedra: CellFaces | None = None
    n_polyhedra: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def dimension(self) -> int:
        """3 where there is any solid cell, else 2."""
        solid = any(KINDS[name].dimension == 3 for name in self.cells)
        return 3 if solid or self.n_polyhedra else 2

    @property
    def n_cells(self) -> int:
        """Number of cells of all kinds."""
        return sum(len(rows) for rows in self.cells.values()) + self.n_polyhedra


def numbers_in(text: bytes, kind: type, path: Path, where: str) -> AnyArray:
    """Return the numbers in a text; `where` says whose they are, where something else is there."""
    if not text.strip():
        return np.empty(0, dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii"), dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):
            raise broken(path, f"{where} holds text that is not a number") from None


def broken(path: Path, why: str, remedy: str = "Write the file again.") -> InvalidInputError:
    """Return the error for a file that is wrong: file, what is wrong, what to do."""
    return InvalidInputError(f"{path}: {why}. {remedy}")
