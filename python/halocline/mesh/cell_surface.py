# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Boundary surfaces of a block: faces of cells, and what they give to their nodes.

In the plane faces are lines, each side of the block a row of them. A surface may be part of a
side: its mask says which cells of the side belong.
"""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.dual import Family
from halocline.mesh.element_dual import at_corner
from halocline.mesh.element_surface import PlaneFace, faces_on
from halocline.mesh.elements import Division, runs
from halocline.mesh.face_shares import face_shares, line_shares
from halocline.mesh.lattice import Lattice
from halocline.mesh.layout import Layout
from halocline.mesh.slab import Surface, SurfacePlan, no_rows


def plan_cell_surface(layout: Layout, family: Family) -> SurfacePlan:
    """Count the entries and faces of a surface plane by plane."""
    touched = _touched(family.mask)
    others = [wraps for axis, wraps in enumerate(layout.wraps) if axis != family.axis]
    for axis, wraps in enumerate(others[: touched.ndim]):
        touched = _folded(touched, axis) if wraps else touched
    cells = family.mask.reshape(len(family.mask), -1).sum(axis=1)
    nodes, faces = np.zeros(layout.planes, np.int64), np.zeros(layout.planes, np.int64)
    if family.axis == 0:
        side = _outer_faces(layout, family)[-1 if family.side > 0 else 0]
        nodes[family.index], faces[family.index] = touched.sum(), cells.sum() * len(side)
    else:
        nodes[...] = touched.reshape(len(touched), -1).sum(axis=1)
        per_cell = np.array([len(each) for each in _outer_faces(layout, family)])
        faces[: len(cells)] = cells * per_cell
    return SurfacePlan(family, touched, _starts(nodes), _starts(faces))


def cell_surface(lattice: Lattice, plan: SurfacePlan) -> Surface:
    """Rows of one surface in the own planes."""
    family, own = plan.family, lattice.own
    index = family.index - lattice.low if family.axis == 0 else family.index
    if family.axis == 0 and not own.start <= index < own.stop:
        return no_rows()
    ids = _in_plane(lattice.ids, family.axis, index, lattice.layout)
    places = _in_plane(lattice.nodes, family.axis, index, lattice.layout)
    faces = _Faces.of(lattice, family, ids, places)
    nodes, vectors = faces.entries(lattice.own_range)
    return Surface(nodes, vectors, faces.own_corners())


class _Faces:
    """Faces of a surface near the own planes: corners and places by number of corners."""

    def __init__(self) -> None:
        self._ids: list[Ints] = []
        self._shares: list[Floats] = []
        self._corners: list[Ints] = []

    @classmethod
    def of(cls, lattice: Lattice, family: Family, ids: Ints, places: Floats) -> _Faces:
        """Collect the faces, layer by layer along i or, of an i-plane, all of it."""
        made = cls()
        outer = _outer_faces(lattice.layout, family)
        if family.axis == 0:
            faces = outer[-1 if family.side > 0 else 0]
            made._add(ids, places, faces, family.mask, np.ones(len(family.mask), dtype=bool))
            return made
        layers = np.arange(lattice.low, lattice.low + len(ids) - 1) % len(outer)
        own = np.zeros(len(layers), dtype=bool)
        own[lattice.own] = True
        for run, faces in runs([outer[layer] for layer in layers]):
            planes = slice(run.start, run.stop + 1)
            made._add(ids[planes], places[:, planes], faces, family.mask[layers[run]], own[run])
        return made

    def _add(
        self, ids: Ints, places: Floats, faces: tuple[PlaneFace, ...], mask: Bools, own: Bools
    ) -> None:
        rows = []
        for face in faces:
            corners = np.stack([at_corner(ids, place) for place in face], axis=-1)
            at = np.stack([at_corner(places, place) for place in face], axis=-1)
            at = np.moveaxis(at[:, mask], 0, -1)
            shares = line_shares(at) if len(face) == 2 else face_shares(at)
            self._ids.append(corners[mask].ravel())
            self._shares.append(shares.reshape(-1, 3))
            rows.append(corners[..., [min(n, len(face) - 1) for n in range(4)]])
        wanted = mask & own.reshape(-1, *([1] * (mask.ndim - 1)))
        self._corners.append(np.stack(rows, axis=-2)[wanted].reshape(-1, 4))

    def entries(self, own: tuple[int, int]) -> tuple[Ints, Floats]:
        """Own nodes of the surface in ascending order, and their inward vectors."""
        ids, shares = np.concatenate(self._ids), np.concatenate(self._shares)
        mine = (ids >= own[0]) & (ids < own[1])
        nodes, at = np.unique(ids[mine], return_inverse=True)
        parts = shares[mine].T
        inward = [-np.bincount(at, part, minlength=len(nodes)) for part in parts]
        return nodes, np.stack(inward, axis=-1)

    def own_corners(self) -> Ints:
        """Corners (F, 4) of the faces above own planes; those that have fewer repeat the last."""
        return np.concatenate(self._corners)


def _outer_faces(layout: Layout, family: Family) -> list[tuple[PlaneFace, ...]]:
    """Faces of a cell of each layer along i on a surface, as positions in its plane."""
    if layout.flat:
        rising = (family.side > 0) == (family.axis == 0)
        line: PlaneFace = [(0,), (1,)] if rising else [(1,), (0,)]
        return [(line,)] * (layout.shape[0] - 1)
    known: dict[Division, tuple[PlaneFace, ...]] = {}
    for division in layout.divisions():
        if division not in known:
            known[division] = tuple(faces_on(family, division))
    return [known[division] for division in layout.divisions()]


def _in_plane(values: AnyArray, axis: int, index: int, layout: Layout) -> AnyArray:
    """What is stored on a logical plane; in a flat layout on a line."""
    plane: AnyArray = np.take(values, index, axis=values.ndim - 3 + axis)
    return plane[..., 0] if layout.flat else plane


def _touched(mask: Bools) -> Bools:
    """Lines that a face of the surface touches."""
    touched = np.zeros([n + 1 for n in mask.shape], dtype=bool)
    for steps in np.ndindex(*[2] * mask.ndim):
        touched[tuple(slice(s, s + n) for s, n in zip(steps, mask.shape, strict=True))] |= mask
    return touched


def _folded(touched: Bools, axis: int) -> Bools:
    """Let the first line stand for its image at the end."""
    along = np.moveaxis(touched, axis, 0)
    folded = along[:-1].copy()
    folded[0] |= along[-1]
    return np.moveaxis(folded, 0, axis)


def _starts(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
