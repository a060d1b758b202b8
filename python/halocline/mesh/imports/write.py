# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a level that lies in memory, in the layout of docs/file_formats.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from halocline.files.hdf5_sink import Hdf5Output
from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.edge_rows import Stiffness
from halocline.mesh.imports.cell_dual import Dual
from halocline.mesh.imports.face_faults import BoundaryFaces
from halocline.mesh.level_file import LEGACY_NAMES

ROWS = 4_000_000


@dataclass
class LevelArrays:
    """A level and what only pictures need: parents, cells by dataset, boundary faces."""

    dual: Dual
    groups: Ints
    parents: AnyArray | None = None
    cells: dict[str, AnyArray] = field(default_factory=dict)
    quads: AnyArray | None = None
    quad_groups: AnyArray | None = None
    stiffness: Stiffness | None = None


def write_level(
    path: Path, level: LevelArrays, factor: float, attributes: dict[str, object]
) -> None:
    """Write a level file.

    Args:
        path: made exclusively.
        level: its rows; `groups` has the group of each boundary that entries name.
        factor: on all area vectors.
        attributes: of the file.
    """
    dual = level.dual
    data: dict[str, AnyArray] = {
        "node_coordinates": dual.points,
        "areas": dual.volumes[:, None],
        "edge-->node": dual.edges,
        "edge_weights": dual.vectors,
        "bnd_node-->node": dual.entry_nodes[:, None],
        "bnd_node-->group": level.groups[dual.entry_patches][:, None].astype(np.int32),
        "bnd_node_weights": dual.entry_vectors,
    }
    if level.quads is not None and level.quad_groups is not None:
        data |= {"bnd_quads": level.quads, "bnd_quad_group": level.quad_groups}
    if level.parents is not None:
        data["node-->mg_node"] = level.parents[:, None]
    data |= _laplacian(level) | level.cells
    with Hdf5Output(path, create=True) as file:
        for name, rows in data.items():
            scale = factor if name in ("edge_weights", "bnd_node_weights") else 1.0
            kind = "f8" if rows.dtype.kind == "f" else "i4"
            dataset = file.create_dataset(name, shape=rows.shape, dtype=kind)
            for first in range(0, len(rows), ROWS):
                part = rows[first : first + ROWS]
                dataset[first : first + len(part)] = part * scale if kind == "f8" else part
        for alias, name in LEGACY_NAMES.items():
            if name in file:
                file[alias] = file[name]
        for name, value in attributes.items():
            file.attrs[name] = value


def _laplacian(level: LevelArrays) -> dict[str, AnyArray]:
    """Weights of the Laplacian on edges and on diagonals, where there are any."""
    found = level.stiffness
    if found is None:
        return {}
    data: dict[str, AnyArray] = {"edge_stiffness": found.edges[:, None]}
    if len(found.diagonals):
        data["diagonal-->node"] = found.diagonals
        data["diagonal_stiffness"] = found.diagonal_weights[:, None]
    if found.faces is not None and found.diagonal_faces is not None:
        data["edge_faces"] = found.faces
        data["diagonal_faces"] = found.diagonal_faces
    return data


def boundary_quads(faces: dict[int, BoundaryFaces], groups: Ints) -> tuple[AnyArray, AnyArray]:
    """Return boundary faces as (Q, 4) corners and the group of each, boundary by boundary.

    A triangle repeats its last corner, a line does so twice; a polygon becomes a fan of
    quadrilaterals and triangles.
    """
    rows, patches = [np.empty((0, 4), np.int32)], [np.empty(0, np.int64)]
    for k, found in faces.items():
        for start in range(1, max(k - 1, 2), 2):
            fan = [0, *(min(start + step, k - 1) for step in range(3))]
            rows.append(found.nodes[:, fan])
            patches.append(found.patch.astype(np.int64))
    of = np.concatenate(patches)
    order = np.argsort(of, kind="stable")
    return np.concatenate(rows)[order], groups[of[order]].astype(np.int32)
