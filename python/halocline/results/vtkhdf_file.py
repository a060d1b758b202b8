# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads results files in VTK's HDF format: what a run of any solver writes step by step.

The file says how many steps are complete (`NSteps`); what lies behind them is never looked at, so
that it may be read while the run goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.results.data_set import DataSet
from halocline.results.field import Field
from halocline.results.mesh import Cells, Mesh, Read

FORMAT, FORMAT_VERSION = "halocline-results", 1
ROOT = "VTKHDF"
LEVEL = re.compile(r"level_(\d{1,3})$")
SUFFIX = ".vtkhdf"


@dataclass(frozen=True)
class ResultsFile:
    """What stands in one results file."""

    file: Path
    solver: str
    mesh_hash: str
    time_unit: str
    fields: list[Field]
    meshes: dict[int, Mesh]


def read_results_file(file: Path) -> ResultsFile:
    """Read what there is; values are read later.

    Raises:
        InvalidInputError: it is not a results file, or damaged.
    """
    with hdf5.opened(file) as handle:
        root = handle.get(ROOT)
        if not isinstance(root, h5py.Group):
            raise InvalidInputError(f"{file} holds no group '{ROOT}'. Is it a results file?")
        said = hdf5.attributes(root)
        version = said.get("halocline_format_version", FORMAT_VERSION)
        if version != FORMAT_VERSION:
            raise InvalidInputError(
                f"{file} has version {version} of the results format (this halocline reads "
                f"{FORMAT_VERSION}). Read it with the halocline that wrote it."
            )
        levels = {
            int(match[1]): root[name] for name in hdf5.names(root) if (match := LEVEL.match(name))
        }
        if not levels and isinstance(root.get("Points"), h5py.Dataset):
            levels = {0: root}
        if not levels:
            raise InvalidInputError(f"{file} holds no level (no group {ROOT}/level_0). Remake it.")
        steps = {level: _steps(file, block) for level, block in levels.items()}
        fields = [
            field
            for level, block in sorted(levels.items())
            for field in _fields(file, block, level, steps[level])
        ]
        meshes = {level: Mesh(BlockMesh(file, str(block.name))) for level, block in levels.items()}
    return ResultsFile(
        file,
        hdf5.text_of(said, "solver"),
        hdf5.text_of(said, "mesh_hash"),
        steps[min(steps)].time_unit,
        fields,
        meshes,
    )


@dataclass(frozen=True)
class Steps:
    """Steps of a block that are complete."""

    numbers: list[int]
    times: list[float]
    time_unit: str


def _fields(file: Path, block: h5py.Group, level: int, steps: Steps) -> list[Field]:
    values = block.get("PointData")
    if not isinstance(values, h5py.Group):
        return []
    nodes, done = _node_count(file, block), len(steps.numbers)
    found = [(name, hdf5.find(values, name)) for name in hdf5.names(values)]
    stored = [(name, data) for name, data in found if data is not None and hdf5.holds_numbers(data)]
    said = hdf5.attributes_of([data for _, data in stored])
    fields = []
    for (name, data), of_data in zip(stored, said, strict=True):
        firsts = _offsets(file, block, name, done, nodes)
        frames = [DataSet(file, str(data.name), first, nodes) for first in firsts]
        unit = hdf5.text_of(of_data, "unit")
        fields.append(Field(name, frames, steps.numbers, steps.times, unit=unit, level=level))
    return fields


def _node_count(file: Path, block: h5py.Group) -> int:
    points = hdf5.find(block, "Points")
    if points is None or points.shape is None or len(points.shape) != 2:
        raise InvalidInputError(f"{file}: {block.name} has no table of points. Remake the file.")
    return int(points.shape[0])


def _steps(file: Path, block: h5py.Group) -> Steps:
    """Return the steps that are complete."""
    steps = block.get("Steps")
    if not isinstance(steps, h5py.Group):
        return Steps([0], [0.0], "")
    attributes = hdf5.attributes(steps)
    said = attributes.get("NSteps")
    done = said[0] if isinstance(said, list) and len(said) == 1 else said
    if not isinstance(done, int) or done < 0:
        raise InvalidInputError(f"{file}: {steps.name} does not say NSteps. Remake the file.")
    done = min(done, _times_there(file, steps, done))
    times = _numbers(file, steps, "Values", done)
    numbers = list(range(done))
    if hdf5.find(steps, "step") is not None:
        numbers = [int(step) for step in _numbers(file, steps, "step", done)]
    return Steps(numbers, times, hdf5.text_of(attributes, "time_unit"))


def _times_there(file: Path, steps: h5py.Group, done: int) -> int:
    """Return how many steps have their time; a file being written may lack the last one's."""
    data = hdf5.find(steps, "Values")
    there = int(data.shape[0]) if data is not None and data.shape else 0
    if there < done - 1:
        raise InvalidInputError(
            f"{file}: {steps.name}/Values has {there} times, but NSteps is {done}. Remake the file."
        )
    return there


def _numbers(file: Path, group: h5py.Group, name: str, count: int) -> list[float]:
    if count == 0:
        return []
    data = hdf5.find(group, name)
    if data is None or data.shape is None or len(data.shape) != 1 or data.shape[0] < count:
        raise InvalidInputError(
            f"{file}: {group.name}/{name} does not have the {count} values of as many steps. "
            "Remake the file."
        )
    found: list[float] = np.asarray(hdf5.require_numbers(data)[:count]).tolist()
    return found


def _offsets(file: Path, block: h5py.Group, name: str, done: int, nodes: int) -> list[int]:
    """Return the first row of each step: as the file says, else one step behind the other."""
    steps = block.get("Steps")
    offsets = steps.get("PointDataOffsets") if isinstance(steps, h5py.Group) else None
    if not isinstance(offsets, h5py.Group) or hdf5.find(offsets, name) is None:
        return [step * nodes for step in range(done)]
    return [int(first) for first in _numbers(file, offsets, name, done)]


@dataclass(frozen=True)
class BlockMesh:
    """The mesh of a level in a results file."""

    file: Path
    block: str

    def coordinates(self) -> DataSet:
        """Where the coordinates (N, 3) lie."""
        return DataSet(self.file, f"{self.block}/Points")

    def cells(self) -> Cells:
        """Cells; those of a level that stores none are the vertices of its nodes."""
        found = self._with(lambda handle: _cells(self.file, handle[self.block]))
        return _no_cells() if found.only_points else found

    def boundaries(self) -> dict[str, Cells]:
        """Faces of the blocks beside the levels: those share the nodes of the finest."""
        if not self.block.endswith("/level_0"):
            return {}
        return self._with(self._boundaries)

    def attributes(self) -> dict[str, Any]:
        """Attributes of the file's root group."""
        return self._with(lambda handle: hdf5.attributes(handle[ROOT]))

    def _with(self, read: Callable[[h5py.File], Read]) -> Read:
        with hdf5.opened(self.file) as handle:
            return read(handle)

    def _boundaries(self, handle: h5py.File) -> dict[str, Cells]:
        root = handle[ROOT]
        others = [name for name in hdf5.names(root) if name != "Assembly" and not LEVEL.match(name)]
        return {
            name: _cells(self.file, root[name])
            for name in others
            if isinstance(root[name], h5py.Group)
        }


def _no_cells() -> Cells:
    none = np.empty(0, dtype=np.int64)
    return Cells(np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64), none)


def _cells(file: Path, block: h5py.Group) -> Cells:
    """Read the cells of a block and check that they fit together."""
    parts = []
    for name in ("Types", "Offsets", "Connectivity"):
        data = hdf5.find(block, name)
        if (
            data is None
            or data.shape is None
            or len(data.shape) != 1
            or hdf5.kind(data) not in "iu"
        ):
            raise InvalidInputError(
                f"{file}: {block.name}/{name} is not a list of integers. Remake the file."
            )
        parts.append(np.asarray(hdf5.require_numbers(data)))
    types, offsets, corners = parts[0], parts[1].astype(np.int64), parts[2].astype(np.int64)
    fits = len(offsets) == len(types) + 1 and offsets[0] == 0 and offsets[-1] == len(corners)
    if not fits or bool(np.any(np.diff(offsets) < 0)):
        raise InvalidInputError(
            f"{file}: cells of {block.name} do not fit together (Types, Offsets and Connectivity "
            "differ). Remake the file."
        )
    return Cells(types.astype(np.uint8), offsets, corners)
