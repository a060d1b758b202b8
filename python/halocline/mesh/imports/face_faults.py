# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What blocks find of faces: the boundary, and sentences on what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.imports.source import Patch, Polygons, Source, broken

UNNAMED = -1
NAMELESS = "unnamed"
"""The boundary that faces without one are given to."""


@dataclass
class BoundaryFaces:
    """Boundary faces with k corners, turned outwards: nodes (F, k); patch (F,) or UNNAMED."""

    nodes: AnyArray
    patch: AnyArray


@dataclass
class Findings:
    """Boundary faces of a block by their number of corners, and what is wrong with its faces."""

    faces: dict[int, BoundaryFaces] = field(default_factory=dict)
    crowded: int = 0
    """Faces with more than two cells."""
    crowded_first: tuple[AnyArray, int] | None = None
    overlap: tuple[AnyArray, list[int]] | None = None
    contested: tuple[AnyArray, list[int]] | None = None
    lost: tuple[AnyArray, int] | None = None
    inside: dict[int, int] = field(default_factory=dict)
    """Faces of patches that lie between two cells, by patch."""


def refuse(source: Source, found: list[Findings]) -> None:
    """Tell the first of what is wrong."""
    crowded = _first(found, "crowded_first")
    if crowded is not None:
        nodes, cells = crowded
        raise broken(
            source.path,
            f"{sum(part.crowded for part in found):,} faces have more than two cells, the first at "
            f"{place(source.points, nodes)} with {cells}, so the mesh does not divide a volume",
            "Remove cells that are there twice.",
        )
    overlap = _first(found, "overlap")
    if overlap is not None:
        nodes, (first, second) = overlap
        raise broken(
            source.path,
            f"cells {first} and {second} (counted from 0) lie on the same side of the face "
            f"between them, at {place(source.points, nodes)}, so one of them is turned inside out",
            "Repair the mesh there; its generator can show cells of negative volume.",
        )
    contested = _first(found, "contested")
    if contested is not None:
        nodes, numbers = contested
        names = sorted(source.patches[number].name for number in numbers)
        raise broken(
            source.path,
            f"a boundary face at {place(source.points, nodes)} belongs to "
            f"'{names[0]}' and to '{names[1]}'",
            "Let each face belong to one boundary.",
        )
    lost = _first(found, "lost")
    if lost is not None:
        raise _no_face_of_a_cell(source, source.patches[lost[1]], lost[0])


def _first(found: list[Findings], what: str) -> Any:
    """Return what the first block says that says anything."""
    return next((said for part in found if (said := getattr(part, what)) is not None), None)


def place(points: Floats, nodes: AnyArray) -> str:
    """Return the middle of some nodes in words."""
    x, y, z = points[nodes].mean(axis=0)
    return f"({x:.6g}, {y:.6g}, {z:.6g})"


def _no_face_of_a_cell(source: Source, patch: Patch, nodes: AnyArray) -> InvalidInputError:
    return broken(
        source.path,
        f"boundary '{patch.name}' has a face at {place(source.points, nodes)} that is not "
        "a face of any cell",
        "Write surface and volume of one and the same mesh.",
    )


def require_named(source: Source, faces: dict[int, BoundaryFaces], accepted: bool) -> None:
    """Give nameless boundary faces to a boundary NAMELESS if accepted, or say where they are."""
    bare = {k: np.flatnonzero(found.patch == UNNAMED) for k, found in faces.items()}
    total = sum(len(rows) for rows in bare.values())
    if not total:
        return
    nodes: Polygons = {k: faces[k].nodes[rows] for k, rows in bare.items() if len(rows)}
    centres = np.concatenate([source.points[rows].mean(axis=1) for rows in nodes.values()])
    twice = len(centres) - len(np.unique(centres, axis=0))
    at = place(source.points, next(iter(nodes.values()))[0])
    if twice:
        raise broken(
            source.path,
            f"{2 * twice:,} faces have a cell on one side and touch another face that has the same "
            f"corners under other node numbers (one of the faces without a boundary is at {at})",
            "Join the nodes with --merge-nodes 1e-9.",
        )
    if not accepted:
        side = "side" if source.dimension == 2 else "face"
        raise broken(
            source.path,
            f"{total:,} boundary {side}s belong to no named boundary, the first at {at}",
            "Name them in the mesh generator, or give all of them a group with "
            "--default-boundary wall (or far-field, inlet, outlet, symmetry, 0 to 7); where no "
            "boundary should be, cells do not match there.",
        )
    source.patches.append(Patch(NAMELESS, {}))
    for k, rows in bare.items():
        faces[k].patch[rows] = len(source.patches) - 1
