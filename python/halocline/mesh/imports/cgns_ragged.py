# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sections of CGNS whose elements are of several sizes (MIXED, NGON), hyperslab by hyperslab.

ElementStartOffset says where each element begins (CGNS/SIDS, section 7.3), so that several
processes read pieces. Each piece is read twice: first elements of each kind are counted, then they
go to their places in the tables of all pieces. Memory: the tables, and a piece a process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.imports.blocks import PIECE, in_processes, shared_table

KindsOf = Callable[[Ints, Ints], Ints]
"""Kinds (n,) of the elements of a piece, from its entries and where elements begin (n + 1,) there.
Negative where an entry is none or its size does not fit."""


@dataclass(frozen=True)
class Ragged:
    """Elements that lie one behind the other, and where each begins: data sets of an open file."""

    entries: Any
    starts: Any

    @property
    def count(self) -> int:
        """How many elements there are."""
        return len(self.starts) - 1

    def is_sound(self) -> bool:
        """Tell whether the ends of the offsets are those of the entries."""
        return bool(
            len(self.entries.shape) == len(self.starts.shape) == 1
            and len(self.starts) > 0
            and self.starts[0] == 0
            and self.starts[-1] == len(self.entries)
        )

    def piece(self, number: int) -> tuple[int, Ints, Ints] | None:
        """Return first element, entries and begins (n + 1,) of a piece; None if begins go back."""
        first, last = number * PIECE, min((number + 1) * PIECE, self.count)
        begins = np.asarray(self.starts[first : last + 1], dtype=np.int64)
        if (np.diff(begins) < 0).any():
            return None
        entries = np.asarray(self.entries[begins[0] : begins[-1]], dtype=np.int64)
        return first, entries, begins - begins[0]


@dataclass(frozen=True)
class Kind:
    """Where an element of a kind has its corners: behind `skip` entries, `corners` of them."""

    skip: int
    corners: int


def read_by_kind(
    ragged: Ragged, kinds_of: KindsOf, shape_of: Callable[[int], Kind], shift: int, processes: int
) -> dict[int, tuple[AnyArray, Ints]] | None:
    """Return for each kind its corners (n, corners) plus `shift`, and the numbers of elements (n,).

    Elements keep their order. None where one breaks off or is of no kind.
    """
    pieces = -(-ragged.count // PIECE)

    def count(number: int) -> dict[int, int] | None:
        found = _kinds_of_piece(ragged, kinds_of, number)
        if found is None:
            return None
        kinds, counts = np.unique(found[1], return_counts=True)
        return dict(zip(kinds.tolist(), counts.tolist(), strict=True))

    counted = in_processes(count, pieces, processes)
    counts = [piece for piece in counted if piece is not None]
    if len(counts) < pieces:
        return None
    tables, places = {}, {}
    for kind in sorted({kind for piece in counts for kind in piece}):
        ends = np.cumsum([piece.get(kind, 0) for piece in counts])
        places[kind] = ends - [piece.get(kind, 0) for piece in counts]
        rows = shared_table(int(ends[-1]), shape_of(kind).corners, "i4")
        tables[kind] = (rows, shared_table(int(ends[-1]), 1, "i8").reshape(-1))

    def fill(number: int) -> None:
        found = _kinds_of_piece(ragged, kinds_of, number)
        if found is None:  # counted before: the file changes under our hands
            return
        (first, entries, begins), kinds = found
        for kind in np.unique(kinds).tolist():
            mine = np.flatnonzero(kinds == kind)
            at, shape = int(places[kind][number]), shape_of(kind)
            columns = begins[mine][:, None] + shape.skip + np.arange(shape.corners)
            rows, numbers = tables[kind]
            rows[at : at + len(mine)] = entries[columns] + shift
            numbers[at : at + len(mine)] = mine + first

    in_processes(fill, pieces, processes)
    return tables


def _kinds_of_piece(
    ragged: Ragged, kinds_of: KindsOf, number: int
) -> tuple[tuple[int, Ints, Ints], Ints] | None:
    piece = ragged.piece(number)
    if piece is None:
        return None
    _, entries, begins = piece
    if len(begins) > 1 and (begins[:-1] >= max(1, len(entries))).any():
        return None
    kinds = kinds_of(entries, begins)
    return None if (kinds < 0).any() else (piece, kinds)
