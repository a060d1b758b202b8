# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the reader of a mesh file by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.imports.source import Source, broken

READERS = {
    ".msh": ("Gmsh", "read_meshio", "read_gmsh"),
    ".vtu": ("VTK XML", "read_vtk", "read_vtk"),
    ".vtk": ("VTK legacy", "read_vtk", "read_vtk"),
    ".su2": ("SU2", "read_su2", "read_su2"),
    ".cgns": ("CGNS", "read_cgns", "read_cgns"),
    ".foam": ("OpenFOAM", "read_openfoam", "read_openfoam"),
}
"""Format, module and function by the end of a file's name; .foam stands for folders, too."""


BY_PIECES = ("SU2", "CGNS")
"""Formats whose large tables are read piece by piece, by several processes."""
UNREADABLE = (ArithmeticError, LookupError, MemoryError, OSError, TypeError, ValueError)
"""What numpy and the libraries raise where a damaged file leads them."""


@dataclass(frozen=True)
class Reader:
    """A format and the function that reads its files."""

    format: str
    function: Callable[..., Source]

    def read(self, path: Path, processes: int = 1) -> Source:
        """Read a file; report a damaged one in a sentence."""
        try:
            if self.format in BY_PIECES:
                return self.function(path, processes)
            return self.function(path)
        except UNREADABLE as error:
            reason = " ".join(str(error).split())[:160] or type(error).__name__
            raise broken(
                path,
                f"cannot be read as a mesh of {self.format} ({reason})",
                "Is it complete, and of the format that its name says?",
            ) from error


def reader_of(path: Path) -> Reader:
    """Return the reader for a file or an OpenFOAM folder."""
    if not path.exists():
        raise InvalidInputError(f"{path} does not exist. Check the path.")
    ending = ".foam" if path.is_dir() else path.suffix.lower()
    if ending not in READERS:
        raise UsageError(
            f"{path}: '{path.suffix}' is not a mesh format known here. Known: "
            f"{', '.join(READERS)} and OpenFOAM folders."
        )
    name, module, function = READERS[ending]
    read = getattr(import_module(f"halocline.mesh.imports.{module}"), function)
    return Reader(name, read)
