# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""SU2's text format. Our own reader: meshio throws away the names of markers.

numpy reads the numbers, in pieces of whole lines and by several processes; lines of Python are
spent on mixed elements alone.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.imports.blocks import in_processes
from halocline.mesh.imports.source import Patch, Polygons, Source, broken, numbers_in

CELLS = {
    5: ("cells_triangle", 3),
    9: ("cells_quadrilateral", 4),
    10: ("cells_tetrahedron", 4),
    12: ("cells_hexahedron", 8),
    13: ("cells_prism", 6),
    14: ("cells_pyramid", 5),
}
SIDES = {3: 2, 5: 3, 9: 4}
KEY = re.compile(rb"^[ \t]*([A-Z_]+)[ \t]*=[ \t]*([^%\r\n]*)", re.MULTILINE)
NO_MESH = "Is it a mesh of SU2?"
CUT = "Is the file complete?"
PIECE_BYTES = 1 << 24
"""Of text that is parsed together."""
HEAD_BYTES = 1 << 18
"""Of text that shows what a block holds: a thousand elements and more."""
Span = tuple[int, int]
Parsed = TypeVar("Parsed")
COUNTED = (b"NELEM", b"NPOIN", b"MARKER_ELEMS")


def read_su2(path: Path, processes: int = 1) -> Source:
    """Read an SU2 mesh of one zone."""
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                raise broken(path, "it is empty", NO_MESH)
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise broken(path, f"cannot be read ({error.strerror})", "Check the path.") from None
    with text:
        return _Parser(path, text, processes).source()


class _Parser:
    """Walks over the keys of a file."""

    def __init__(self, path: Path, text: mmap.mmap, processes: int) -> None:
        self._path = path
        self._text = text
        self._processes = processes
        self._keys = list(KEY.finditer(text))
        self._dimension = 0
        self._points: Floats | None = None
        self._cells: dict[str, AnyArray] = {}
        self._patches: list[Patch] = []

    def source(self) -> Source:
        """Return what the file holds."""
        marker = ""
        for number, key in enumerate(self._keys):
            name, value = key[1], key[2].strip().decode(errors="replace")
            if name == b"NDIME":
                self._dimension = self._integer("NDIME", value)
            elif name == b"NZONE" and value != "1":
                raise broken(self._path, f"it has {value} zones", "Write one file a zone.")
            elif name == b"MARKER_TAG":
                marker = value
            elif name in COUNTED:
                count = self._integer(name.decode(), value)
                self._block(name, count, self._body(number), marker)
        if self._dimension not in (2, 3) or self._points is None or not self._cells:
            missing = [
                key
                for key, there in (
                    ("NDIME", self._dimension in (2, 3)),
                    ("NPOIN", self._points is not None),
                    ("NELEM", bool(self._cells)),
                )
                if not there
            ]
            raise broken(
                self._path, f"it is no SU2 mesh ({', '.join(missing)} is missing or empty)"
            )
        return Source(self._path, self._points, self._cells, self._patches)

    def _block(self, name: bytes, count: int, body: Span, marker: str) -> None:
        if name == b"NPOIN":
            self._points = self._read_points(count, body)
        elif name == b"NELEM":
            rows = self._elements(count, body, {n: k for n, (_, k) in CELLS.items()}, "NELEM")
            self._cells = {CELLS[kind][0]: corners for kind, corners in rows.items()}
        else:
            rows = self._elements(count, body, SIDES, f"marker '{marker}'")
            faces: Polygons = {SIDES[kind]: corners for kind, corners in rows.items()}
            self._patches.append(Patch(marker, faces))

    def _body(self, number: int) -> Span:
        """Where the lines behind a key stand, up to the next one."""
        more = number + 1 < len(self._keys)
        end = self._keys[number + 1].start() if more else len(self._text)
        start = self._text.find(b"\n", self._keys[number].end())
        return (end, end) if start < 0 else (start, max(start, end))

    def _integer(self, key: str, value: str) -> int:
        try:
            return int(value.split(maxsplit=1)[0])
        except (IndexError, ValueError):
            raise broken(self._path, f"{key} = '{value}' is not a number") from None

    def _read_points(self, count: int, body: Span) -> Floats:
        numbers = np.concatenate(self._parsed(body, partial(self._numbers, np.float64, "NPOIN")))
        columns = len(numbers) // count if count else 0
        if columns not in (self._dimension, self._dimension + 1) or columns * count != len(numbers):
            raise broken(
                self._path,
                f"NPOIN = {count} does not fit the {len(numbers)} numbers that follow",
                CUT,
            )
        points = np.zeros((count, 3))
        points[:, : self._dimension] = numbers.reshape(count, columns)[:, : self._dimension]
        return points

    def _elements(
        self, count: int, body: Span, corners: dict[int, int], where: str
    ) -> dict[int, AnyArray]:
        """Return the corners of elements by SU2's number of their kind."""
        uniform = self._of_one_kind(count, body, corners, where)
        if uniform is not None:
            return uniform
        numbers = np.concatenate(self._parsed(body, partial(self._numbers, np.int64, where)))
        if count == 0 and len(numbers) == 0:
            return {}
        if len(numbers) == 0:
            raise broken(self._path, f"{where} declares {count} elements and has none", CUT)
        extra = self._trailing(numbers, count, corners, where)
        kind = int(numbers[0])
        width = 1 + corners[kind] + extra
        if count * width == len(numbers) and (numbers[::width] == kind).all():
            rows = numbers.reshape(count, width)[:, 1 : 1 + corners[kind]]
            return {kind: rows.astype(np.int32)}
        starts = self._starts(numbers, count, corners, extra, where)
        kinds = numbers[starts]
        found = {}
        for kind in np.unique(kinds).tolist():
            at = starts[kinds == kind]
            rows = numbers[at[:, None] + np.arange(1, 1 + corners[kind])]
            found[kind] = rows.astype(np.int32)
        return found

    def _of_one_kind(
        self, count: int, body: Span, corners: dict[int, int], where: str
    ) -> dict[int, AnyArray] | None:
        """Return a large block of elements that are all of one kind; None: it is none."""
        if body[1] - body[0] < max(PIECE_BYTES, HEAD_BYTES):
            return None
        end = self._text.rfind(b"\n", body[0], body[0] + HEAD_BYTES)
        head = self._numbers(np.int64, where, (body[0], max(body[0], end)))
        if len(head) == 0 or int(head[0]) not in corners:
            return None
        kind = int(head[0])
        width = 1 + corners[kind] + self._trailing(head, count, corners, where)

        def rows_of(span: Span) -> AnyArray | None:
            numbers = self._numbers(np.int64, where, span)
            if len(numbers) % width or not (numbers[::width] == kind).all():
                return None
            rows = numbers.reshape(-1, width)[:, 1 : 1 + corners[kind]]
            return rows.astype(np.int32)

        parts = self._parsed(body, rows_of)
        rows = [part for part in parts if part is not None]
        if len(rows) < len(parts) or sum(map(len, rows)) != count:
            return None
        return {kind: np.concatenate(rows)}

    def _parsed(self, body: Span, parse: Callable[[Span], Parsed]) -> list[Parsed]:
        """Return what `parse` makes of the pieces of a block, in several processes."""
        cuts = [body[0]]
        while cuts[-1] < body[1]:
            end = self._text.find(b"\n", min(cuts[-1] + PIECE_BYTES, body[1]), body[1])
            cuts.append(body[1] if end < 0 else end)
        spans = list(pairwise(cuts)) or [body]
        return in_processes(lambda number: parse(spans[number]), len(spans), self._processes)

    def _trailing(self, numbers: Ints, count: int, corners: dict[int, int], where: str) -> int:
        """Return 1 where elements end with their own number, which SU2 does not need."""
        for extra in (1, 0):
            at = 0
            for _ in range(min(count, 1000)):
                if at >= len(numbers) or int(numbers[at]) not in corners:
                    break
                at += 1 + corners[int(numbers[at])] + extra
            else:
                if (at == len(numbers)) or (at < len(numbers) and count > 1000):
                    return extra
        raise broken(
            self._path,
            f"the {len(numbers)} numbers of {where} are not {count} elements of known kinds",
            CUT,
        )

    def _starts(
        self, numbers: Ints, count: int, corners: dict[int, int], extra: int, where: str
    ) -> Ints:
        width = {kind: 1 + k + extra for kind, k in corners.items()}
        values = numbers.tolist()
        starts: list[int] = []
        at = 0
        for _ in range(count):
            if at >= len(values) or values[at] not in width:
                raise broken(
                    self._path,
                    f"element {len(starts)} of {where} has no known kind, or is missing",
                    CUT,
                )
            starts.append(at)
            at += width[values[at]]
        if at != len(values):
            raise broken(
                self._path,
                f"{where} has more numbers than its {count} elements need",
                "Correct the count.",
            )
        return np.array(starts, dtype=np.int64)

    def _numbers(self, kind: type, where: str, span: Span) -> AnyArray:
        text = self._text[span[0] : span[1]]
        if b"%" in text:
            text = re.sub(rb"%[^\r\n]*", b"", text)
        return numbers_in(text, kind, self._path, where)
