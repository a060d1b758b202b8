# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Joins the faces of cells: which two cells share a face, which faces are boundary, and of whom.

In two dimensions the same code sees the sides of triangles and quadrilaterals as faces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.cells import KINDS, Kind
from halocline.mesh.imports.row_keys import grouped, row_keys
from halocline.mesh.imports.source import CellFaces, Patch, Source, broken

UNNAMED = -1
NAMELESS = "unnamed"
"""The boundary that faces without one are given to."""


@dataclass
class FaceBlock:
    """Faces with k corners, turned outwards of their first cell.

    nodes (F, k); owner (F,); neighbour (F,), -1 at the boundary; patch (F,), UNNAMED inside.
    """

    nodes: AnyArray
    owner: AnyArray
    neighbour: AnyArray
    patch: AnyArray

    @property
    def outer(self) -> Bools:
        """Which faces lie on the boundary."""
        return np.asarray(self.neighbour < 0)


def joined_faces(source: Source) -> dict[int, FaceBlock]:
    """Return all faces of a mesh, each once, by their number of corners.

    Raises:
        InvalidInputError: a face with three cells, cells that overlap, boundaries that fit nowhere.
    """
    local = local_faces(source)
    blocks = {}
    for corners in sorted(local.nodes):
        nodes, cells = local.nodes.pop(corners), local.cells.pop(corners)
        blocks[corners] = _join(source, nodes, cells)
    _name_boundary(source, blocks)
    return blocks


def local_faces(source: Source) -> CellFaces:
    """Return the faces of all cells, those of inner faces twice."""
    nodes: dict[int, list[AnyArray]] = {}
    cells: dict[int, list[AnyArray]] = {}
    first = 0
    for name, corners in source.cells.items():
        numbers = np.arange(first, first + len(corners), dtype=np.int32)
        first += len(corners)
        for face in _faces_of(KINDS[name]):
            for rows, kept in without_repeats(corners[:, list(face)]):
                nodes.setdefault(rows.shape[1], []).append(rows)
                cells.setdefault(rows.shape[1], []).append(
                    numbers if kept is None else numbers[kept]
                )
    if source.polyhedra is not None:
        for k, rows in source.polyhedra.nodes.items():
            nodes.setdefault(k, []).append(rows)
            cells.setdefault(k, []).append((source.polyhedra.cells[k] + first).astype(np.int32))
    joined = CellFaces()
    for k in list(nodes):
        joined.nodes[k] = np.concatenate(nodes.pop(k))
        joined.cells[k] = np.concatenate(cells.pop(k))
    return joined


def _faces_of(kind: Kind) -> tuple[tuple[int, ...], ...]:
    if kind.dimension == 3:
        return kind.faces
    ring = kind.faces[0]
    return tuple(zip(ring, ring[1:] + ring[:1], strict=True))


def without_repeats(faces: AnyArray) -> list[tuple[AnyArray, Ints | None]]:
    """Take faces that name a node twice for what they are: triangles, or nothing.

    Returns:
        Pieces: rows, and which of the faces they are (None: all).
    """
    k = faces.shape[1]
    following = np.roll(faces, -1, axis=1)
    same = faces == following
    repeated = same.any(axis=1)
    if k == 4:
        repeated |= (faces[:, 0] == faces[:, 2]) | (faces[:, 1] == faces[:, 3])
    if not repeated.any():
        return [(faces, None)]
    whole = np.flatnonzero(~repeated)
    pieces: list[tuple[AnyArray, Ints | None]] = [(faces[whole], whole)]
    if k == 4:
        once = np.flatnonzero(
            (same.sum(axis=1) == 1) & (faces[:, 0] != faces[:, 2]) & (faces[:, 1] != faces[:, 3])
        )
        drop = same[once].argmax(axis=1)
        kept = np.arange(4)[None, :] != drop[:, None]
        pieces.append((faces[once][kept].reshape(-1, 3), once))
    return pieces


def _join(source: Source, nodes: AnyArray, cells: AnyArray) -> FaceBlock:
    keys = row_keys(nodes, len(source.points))
    order, starts = grouped(keys)
    del keys
    sharing = np.diff(starts)
    _refuse_third_cell(source, nodes, order, starts, sharing)
    first = order[starts[:-1]]
    inner = np.flatnonzero(sharing == 2)
    second = order[starts[inner] + 1]
    neighbour = np.full(len(first), -1, dtype=np.int32)
    neighbour[inner] = cells[second]
    _refuse_overlap(source, nodes, first[inner], second, cells)
    patch = np.full(len(first), UNNAMED, dtype=np.int32)
    return FaceBlock(nodes[first], cells[first], neighbour, patch)


def _refuse_third_cell(
    source: Source, nodes: AnyArray, order: Ints, starts: Ints, sharing: Ints
) -> None:
    many = np.flatnonzero(sharing > 2)
    if len(many):
        at = place(source.points, nodes[order[starts[many[0]]]])
        raise broken(
            source.path,
            f"{len(many):,} faces have more than two cells, the first at {at} with "
            f"{sharing[many[0]]}, so the mesh is no division of a volume",
            "Remove cells that are there twice.",
        )


def _refuse_overlap(
    source: Source, nodes: AnyArray, one: Ints, other: Ints, cells: AnyArray
) -> None:
    """Two cells see the face between them from opposite sides; else one is inside out."""
    step = 4_000_000
    for start in range(0, len(one), step):
        mine, theirs = nodes[one[start : start + step]], nodes[other[start : start + step]]
        wrong = np.flatnonzero(_turn_alike(mine, theirs))
        if len(wrong):
            row = int(wrong[0])
            at = place(source.points, mine[row])
            first, second = sorted((cells[one[start + row]], cells[other[start + row]]))
            raise broken(
                source.path,
                f"cells {first} and {second} (counted from 0) lie on the same side of the face "
                f"between them, at {at}, so one of them is turned inside out",
                "Repair the mesh there; its generator can show cells of negative volume.",
            )


def _turn_alike(one: AnyArray, other: AnyArray) -> Bools:
    """Whether rows of the same nodes run around in the same direction."""
    if one.shape[1] == 2:
        return np.asarray(one[:, 0] == other[:, 0])
    at = (other == one[:, :1]).argmax(axis=1)
    following = np.take_along_axis(other, ((at + 1) % one.shape[1])[:, None], axis=1)[:, 0]
    return np.asarray(following == one[:, 1])


def place(points: Floats, nodes: AnyArray) -> str:
    """Return the middle of some nodes in words."""
    x, y, z = points[nodes].mean(axis=0)
    return f"({x:.6g}, {y:.6g}, {z:.6g})"


def _name_boundary(source: Source, blocks: dict[int, FaceBlock]) -> None:
    """Give boundary faces the number of the named boundary that lists them."""
    for k, block in blocks.items():
        if (block.patch[block.outer] != UNNAMED).any():
            continue
        lists = [(n, patch.faces[k]) for n, patch in enumerate(source.patches) if k in patch.faces]
        if not lists:
            continue
        outer = np.flatnonzero(block.outer)
        listed = np.concatenate([rows for _, rows in lists])
        owners = np.concatenate([np.full(len(rows), n, np.int32) for n, rows in lists])
        _name_block(source, block, outer, listed, owners)
    for number, patch in enumerate(source.patches):
        for k in patch.faces:
            if k not in blocks:
                raise _no_face_of_a_cell(source, source.patches[number], patch.faces[k][0])


def _name_block(
    source: Source, block: FaceBlock, outer: Ints, listed: AnyArray, owners: AnyArray
) -> None:
    both = np.concatenate([block.nodes[outer], listed])
    order, starts = grouped(row_keys(both, len(source.points)))
    numbers = np.empty(len(both), dtype=np.int64)
    numbers[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    at_value = np.full(len(starts) - 1, -1, dtype=np.int64)
    at_value[numbers[: len(outer)]] = outer
    face = at_value[numbers[len(outer) :]]
    fits = np.flatnonzero(face >= 0)
    named = block.patch[:]
    named[face[fits]] = owners[fits]
    contested = fits[named[face[fits]] != owners[fits]]
    if len(contested):
        row = int(contested[0])
        names = sorted({source.patches[n].name for n in (owners[row], named[face[row]])})
        raise broken(
            source.path,
            f"a boundary face at {place(source.points, listed[row])} belongs to "
            f"'{names[0]}' and to '{names[1]}'",
            "Let each face belong to one boundary.",
        )
    lost = np.flatnonzero(face < 0)
    if len(lost):
        _explain_lost(source, block, listed, owners, lost)


def _explain_lost(
    source: Source, block: FaceBlock, listed: AnyArray, owners: AnyArray, lost: Ints
) -> None:
    """Faces of named boundaries that are no boundary: inside the mesh (a note), or nowhere."""
    inner = np.flatnonzero(~block.outer)
    every = row_keys(np.concatenate([listed[lost], block.nodes[inner]]), len(source.points))
    inside = np.isin(every[: len(lost)], every[len(lost) :])
    if not inside.all():
        row = int(lost[np.flatnonzero(~inside)[0]])
        raise _no_face_of_a_cell(source, source.patches[owners[row]], listed[row])
    for number in np.unique(owners[lost]):
        count = int((owners[lost] == number).sum())
        source.notes.append(
            f"{count:,} faces of '{source.patches[number].name}' lie inside the mesh, with cells on"
            " both sides; they are no boundary and were left out."
        )


def _no_face_of_a_cell(source: Source, patch: Patch, nodes: AnyArray) -> InvalidInputError:
    return broken(
        source.path,
        f"boundary '{patch.name}' has a face at {place(source.points, nodes)} that is no face of "
        "any cell",
        "Write surface and volume of one and the same mesh.",
    )


def require_named(source: Source, blocks: dict[int, FaceBlock], accepted: bool) -> None:
    """Give nameless boundary faces to a boundary NAMELESS if accepted, or say where they are."""
    bare = {
        k: np.flatnonzero(block.outer & (block.patch == UNNAMED)) for k, block in blocks.items()
    }
    total = sum(len(rows) for rows in bare.values())
    if not total:
        return
    k = next(k for k, rows in bare.items() if len(rows))
    centres = np.concatenate(
        [source.points[blocks[k].nodes[rows]].mean(axis=1) for k, rows in bare.items() if len(rows)]
    )
    twice = len(centres) - len(np.unique(centres, axis=0))
    at = place(source.points, blocks[k].nodes[bare[k][0]])
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
        blocks[k].patch[rows] = len(source.patches) - 1
