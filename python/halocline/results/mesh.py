# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The mesh of a level for pictures and tables: nodes, cells, boundary faces, read when needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

import h5py
import numpy as np
import numpy.typing as npt

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.mesh.folder import group_names, open_folder, require_dataset
from halocline.results.data_set import AnyArray, DataSet, Ints

Floats = npt.NDArray[np.float64]
Read = TypeVar("Read")
VERTEX, LINE, TRIANGLE, QUADRILATERAL, CONVEX = 1, 3, 5, 9, 41
"""VTK's numbers of cell types."""
CELL_KINDS = {
    "cells_tetrahedron": (10, 4),
    "cells_pyramid": (14, 5),
    "cells_prism": (13, 6),
    "cells_hexahedron": (12, 8),
    "cells_triangle": (TRIANGLE, 3),
    "cells_quadrilateral": (QUADRILATERAL, 4),
}
"""Data set of a level file → VTK's cell type and number of corners."""
CONVEX_CELLS = re.compile(r"cells_convex_(\d{1,3})$")
LARGEST = 1e100
SMALLEST_ANGLE_RAD = 1e-3


@dataclass(frozen=True)
class Cells:
    """Cells as VTK lists them: corners of cell i are corners[offsets[i] : offsets[i + 1]]."""

    types: npt.NDArray[np.uint8]
    offsets: Ints
    corners: Ints

    def __len__(self) -> int:
        return len(self.types)

    @property
    def only_points(self) -> bool:
        """Whether there are no cells but vertices."""
        return not bool(np.any(self.types != VERTEX))

    @property
    def only_lines(self) -> bool:
        """Whether all cells are lines: the boundary of a 2-D mesh."""
        return len(self) > 0 and bool(np.all(self.types == LINE))


class MeshSource(Protocol):
    """Where the parts of a mesh come from."""

    @property
    def file(self) -> Path:
        """The file."""

    def coordinates(self) -> DataSet:
        """Where the coordinates (N, 3) lie."""

    def cells(self) -> Cells:
        """Cells, none where the file has none."""

    def boundaries(self) -> dict[str, Cells]:
        """Boundary faces by the name of their group."""

    def attributes(self) -> dict[str, Any]:
        """Attributes of the file."""


class Mesh:
    """One level of a mesh.

    Attributes:
        file: where it comes from.
        points: coordinates of the nodes (N, 3).
        cells: `Cells`; without any (`len(cells) == 0`) where the file stores none.
        boundaries: name of a boundary group → its faces as `Cells`.
    """

    def __init__(self, source: MeshSource) -> None:
        self._source = source
        self.file = source.file
        self.described_by: Mesh | None = None
        """The mesh that was read, of which a results file says less than its own file does."""

    @cached_property
    def points(self) -> Floats:
        """Coordinates of the nodes (N, 3)."""
        with self._source.coordinates().opened() as rows:
            return self._finite(rows.table(0, rows.count))

    def points_at(self, rows: Ints) -> Floats:
        """Return the coordinates of some nodes (len(rows), 3) without reading all."""
        with self._source.coordinates().opened() as stored:
            return self._finite(stored.at(rows))

    @cached_property
    def nodes(self) -> int:
        """Number of nodes."""
        with self._source.coordinates().opened() as rows:
            return rows.count

    def _finite(self, points: AnyArray) -> Floats:
        if points.shape[1] != 3 or not bool(np.all(np.abs(points) < LARGEST)):
            raise InvalidInputError(
                f"{self.file}: node_coordinates are not finite, or beyond {LARGEST:g}. "
                "See `halocline mesh check`."
            )
        return points.astype(np.float64, copy=False)

    @cached_property
    def cells(self) -> Cells:
        """The cells whose dual the mesh is."""
        return self._checked(self._source.cells(), "the cells name")

    @cached_property
    def boundaries(self) -> dict[str, Cells]:
        """Boundary faces by the name of their group."""
        found = self._source.boundaries()
        return {name: self._checked(faces, "the boundary names") for name, faces in found.items()}

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """What the file says of itself, and what the mesh that was read says."""
        own = self._source.attributes()
        try:
            other = self.described_by
            return {**other.attributes, **own} if other and other.nodes == self.nodes else own
        except InvalidInputError:  # moved or removed since
            return own

    @property
    def is_flat(self) -> bool:
        """Whether all cells are triangles and quadrilaterals: a 2-D mesh."""
        return len(self.cells) > 0 and bool(
            np.all(np.isin(self.cells.types, (TRIANGLE, QUADRILATERAL)))
        )

    @property
    def length_unit(self) -> str:
        """Unit of the coordinates; "" where the file does not say."""
        unit = hdf5.text_of(self.attributes, "length_unit")
        return "" if unit == "1" else unit

    @property
    def rotation(self) -> tuple[Floats, float] | None:
        """Axis of rotation and angle of one passage [rad]; None where nothing repeats."""
        angle = hdf5.numbers_of(self.attributes, "periodic_angle_rad", 1)
        axis = hdf5.numbers_of(self.attributes, "rotation_axis", 3)
        if angle is None or axis is None or not axis.any() or angle[0] <= SMALLEST_ANGLE_RAD:
            return None
        return axis / np.linalg.norm(axis), float(angle[0])

    def __repr__(self) -> str:
        what = f"{len(self.cells):,} cells" if len(self.cells) else "no cells"
        return f"<mesh {self.file}: {self.nodes:,} nodes, {what}, {list(self.boundaries)}>"

    def _checked(self, cells: Cells, who: str) -> Cells:
        nodes = self.nodes
        if cells.corners.size and (cells.corners.min() < 0 or cells.corners.max() >= nodes):
            raise InvalidInputError(
                f"{self.file}: {who} nodes beyond the {nodes:,} of the mesh. "
                "See `halocline mesh check`."
            )
        return cells


@dataclass(frozen=True)
class LevelFile:
    """The file of a level, as `halocline mesh make` or MG-CFD writes it."""

    file: Path
    base: int

    def coordinates(self) -> DataSet:
        """Where the coordinates (N, 3) lie."""
        return self._with(
            lambda handle: DataSet(
                self.file, str(require_dataset(self.file, handle, "node_coordinates").name)
            )
        )

    def cells(self) -> Cells:
        """All kinds of cells, one behind the other."""
        return self._with(lambda handle: _joined(_cell_tables(self.file, handle)))

    def boundaries(self) -> dict[str, Cells]:
        """Boundary faces; without `bnd_quads` the boundary nodes as vertices."""
        return self._with(self._boundaries)

    def attributes(self) -> dict[str, Any]:
        """Attributes of the file."""
        return self._with(hdf5.attributes)

    def _with(self, read: Callable[[h5py.File], Read]) -> Read:
        with hdf5.opened(self.file, "Remake the mesh.") as handle:
            return read(handle)

    def _boundaries(self, handle: h5py.File) -> dict[str, Cells]:
        quads = hdf5.find(handle, "bnd_quads") is not None
        corners = _integers(self.file, handle, "bnd_quads" if quads else "bnd_node-->node")
        groups = _integers(
            self.file, handle, "bnd_quad_group" if quads else "bnd_node-->group"
        ).ravel()
        if len(groups) != len(corners):
            raise InvalidInputError(
                f"{self.file}: groups and members of the boundary differ in number. "
                "See `halocline mesh check`."
            )
        names = group_names(hdf5.attributes(handle))
        corners = corners - self.base
        return {
            names.get(group, f"group {group}"): faces_of(corners[groups == group])
            for group in np.unique(groups).tolist()
        }


def faces_of(corners: Ints) -> Cells:
    """Return rows of 4 corners as faces, of 1 as vertices.

    A triangle repeats its last corner, a line does so twice.
    """
    if corners.shape[1] == 1:
        return _joined([(VERTEX, np.unique(corners)[:, None])])
    different = 4 - (corners[:, 2:] == corners[:, 1:-1]).sum(axis=1)
    shapes = ((QUADRILATERAL, 4), (TRIANGLE, 3), (LINE, 2))
    return _joined([(kind, corners[different == k, :k]) for kind, k in shapes])


def _joined(tables: list[tuple[int, Ints]]) -> Cells:
    counts = [len(corners) for _, corners in tables]
    types = np.repeat(np.array([kind for kind, _ in tables], dtype=np.uint8), counts)
    sizes = np.repeat(np.array([table.shape[1] for _, table in tables], dtype=np.int64), counts)
    flat = [corners.ravel() for _, corners in tables]
    corners = np.concatenate(flat) if flat else np.empty(0, dtype=np.int64)
    return Cells(types, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), corners)


def _cell_tables(file: Path, handle: h5py.File) -> list[tuple[int, Ints]]:
    tables = []
    for name in hdf5.names(handle):
        convex = CONVEX_CELLS.match(name)
        if name not in CELL_KINDS and convex is None:
            continue
        kind, corners = CELL_KINDS.get(name, (CONVEX, int(convex[1]) if convex else 0))
        table = _integers(file, handle, name)
        if table.shape[1] != corners:
            raise InvalidInputError(
                f"{file}: the dataset '{name}' does not have {corners} columns. Remake the mesh."
            )
        tables.append((kind, table))
    return tables


def _integers(file: Path, handle: h5py.File, name: str) -> Ints:
    """Return a data set of integers as (rows, columns)."""
    found = hdf5.find(handle, name)
    if name.startswith("cells_") and found is not None:
        data = hdf5.require_numbers(found)
        if hdf5.kind(data) not in "iu" or len(data.shape) != 2:
            raise InvalidInputError(f"{file}: the dataset '{name}' is not a table of integers.")
    else:
        data = require_dataset(file, handle, name)
    return np.asarray(data, dtype=np.int64).reshape(data.shape[0], -1)


def open_mesh(place: Path) -> list[Mesh]:
    """Return the levels of a mesh, finest first.

    Args:
        place: a mesh folder, an input.dat, or a level file.
    """
    if place.is_dir():
        inside = [place / "input.dat", place / "mesh.L0.h5"]
        found = next((path for path in inside if path.is_file()), None)
        if found is None:
            raise InvalidInputError(f"{place} holds no mesh (no input.dat). Check --mesh.")
        place = found
    if not place.is_file():
        raise InvalidInputError(f"mesh {place} does not exist. Name it with --mesh.")
    if place.suffix == ".h5":
        index = place.parent / "input.dat"
        return [Mesh(LevelFile(place, open_folder(index).base if index.is_file() else 0))]
    folder = open_folder(place)
    return [Mesh(LevelFile(file, folder.base)) for file in folder.files]
