# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a results file as runs do: planned for some steps, of which some are complete."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np

HEXAHEDRA = ((0, 1, 4, 3, 6, 7, 10, 9), (1, 2, 5, 4, 7, 8, 11, 10))
WALL = (0, 1, 4, 3, 1, 2, 5, 4)
POINTS = np.array([(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1, 2)], dtype=float)
"""Two unit cubes side by side; the wall is their lower side."""


def write_results(path: Path, planned: int = 5, done: int = 3, *, shift: float = 0.0) -> Path:
    """Write two levels and a wall.

    Step number s (from 0) is number 5 s + 5, at time (s + 1) / 2 s. Density is x + 100 s + shift,
    velocity is the point plus 1000 s; level 1 has every second node, no cells, its density.
    """
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF", track_order=True)
        root.attrs["Version"] = np.array([2, 3])
        for name, text in (
            ("Type", "MultiBlockDataSet"),
            ("halocline_format", "halocline-results"),
            ("solver", "mgcfd"),
            ("mesh_hash", "0123456789abcdef"),
        ):
            _text(root, name, text)
        root.attrs["halocline_format_version"] = 1
        fine = _block(root, "level_0", 0, POINTS, np.ravel(HEXAHEDRA), [0, 8, 16], [12, 12])
        fields = {"density": POINTS[:, 0] + shift, "velocity": POINTS}
        _fields(fine, fields, planned, done)
        coarse = POINTS[::2]
        count = len(coarse)
        vertices = (np.arange(count), np.arange(count + 1), np.ones(count))
        _fields(
            _block(root, "level_1", 1, coarse, *vertices),
            {"density": coarse[:, 0] + shift},
            planned,
            done,
        )
        wall = _block(root, "wall", 2, None, WALL, [0, 4, 8], [9, 9])
        for shared in ("Points", "PointData", "Steps"):
            wall[shared] = h5py.SoftLink(f"/VTKHDF/level_0/{shared}")
        wall["NumberOfPoints"] = [len(POINTS)]
        assembly = root.create_group("Assembly", track_order=True)
        for name in ("level_0", "level_1", "wall"):
            assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")
    _shorten_times(path, planned, done)
    return path


def _text(item: h5py.HLObject, name: str, text: str) -> None:
    item.attrs.create(name, np.bytes_(text), dtype=h5py.string_dtype("ascii", len(text)))


def _block(
    root: h5py.Group,
    name: str,
    index: int,
    points: np.ndarray | None,
    corners: object,
    offsets: object,
    types: Any,
) -> h5py.Group:
    block = root.create_group(name)
    block.attrs["Version"], block.attrs["Index"] = np.array([2, 3]), index
    _text(block, "Type", "UnstructuredGrid")
    if points is not None:
        block["Points"], block["NumberOfPoints"] = points, [len(points)]
    block["Connectivity"] = np.asarray(corners, dtype=np.int64)
    block["Offsets"] = np.asarray(offsets, dtype=np.int64)
    block["Types"] = np.asarray(types, dtype=np.uint8)
    block["NumberOfCells"], block["NumberOfConnectivityIds"] = (
        [len(types)],
        [block["Connectivity"].shape[0]],
    )
    return block


def _fields(block: h5py.Group, fields: dict[str, np.ndarray], planned: int, done: int) -> None:
    steps = block.create_group("Steps")
    steps.attrs["NSteps"] = np.int64(done)
    _text(steps, "time_unit", "s")
    steps["Values"] = np.where(np.arange(planned) < done, 0.5 * np.arange(1, planned + 1), 0.0)
    steps["step"] = 5 * np.arange(1, planned + 1)
    zeros = np.zeros(planned, dtype=np.int64)
    for name in ("PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"):
        steps[name] = zeros
    steps["NumberOfParts"] = zeros + 1
    units = {"density": "kg m-3", "velocity": "m s-1"}
    for name, first in fields.items():
        apart = 100.0 if first.ndim == 1 else 1000.0
        values = np.zeros((planned, *first.shape))
        values[:done] = first + apart * np.arange(done).reshape(-1, *[1] * first.ndim)
        stored = block.create_dataset(
            f"PointData/{name}", data=values.reshape(planned * len(first), *first.shape[1:])
        )
        _text(stored, "unit", units[name])
        block[f"Steps/PointDataOffsets/{name}"] = len(first) * np.arange(planned)


def _shorten_times(path: Path, planned: int, done: int) -> None:
    """VTK needs as many times as there are steps: the extent is overwritten in place."""
    if planned == done:
        return
    with h5py.File(path) as file:
        levels = ("level_0", "level_1")
        starts = [h5py.h5o.get_info(file[f"VTKHDF/{name}/Steps/Values"].id).addr for name in levels]
    data = path.read_bytes()
    with path.open("r+b") as file:
        for start in starts:
            extent = data.index(struct.pack("<Q", planned), start)
            file.seek(extent)
            file.write(struct.pack("<Q", done))
