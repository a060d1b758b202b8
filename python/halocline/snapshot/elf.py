# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions of an ELF file by address, and whether it has source lines.

Reads 64-bit little-endian files, the only ones that the recorder runs in. Layout: System V
Application Binary Interface, chapters "Object Files" and "Symbol Table". Nothing in a file is
trusted: what lies outside of it is not there.
"""

from __future__ import annotations

import bisect
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC_64_LITTLE = b"\x7fELF\x02\x01"
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
SYMBOL_TABLES = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
FUNCTIONS = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
LINE_SECTIONS = frozenset({b".debug_line", b".zdebug_line", b".gnu_debuglink"})


@dataclass(frozen=True)
class SymbolTable:
    """Functions of one file by address; `has_lines`: addr2line may know source lines."""

    starts: list[int]
    ends: list[int]
    names: list[str]
    has_lines: bool = False

    def name_at(self, address: int) -> str | None:
        """Return the function whose extent holds `address`."""
        place = bisect.bisect_right(self.starts, address) - 1
        if place < 0 or address >= self.ends[place]:
            return None
        return self.names[place]


@dataclass(frozen=True)
class _Section:
    """What of a section header is used."""

    name: int
    kind: int
    offset: int
    size: int
    link: int


def read_symbols(path: str) -> SymbolTable:
    """Return the functions of a file; none where it is no ELF file or damaged."""
    try:
        with Path(path).open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        with data:
            return _read(data)
    except (OSError, OverflowError, ValueError, struct.error):
        return SymbolTable([], [], [])


def _read(data: mmap.mmap) -> SymbolTable:
    if data[:6] != MAGIC_64_LITTLE:
        raise ValueError("no 64-bit little-endian ELF file")
    sections = _sections(data)
    (names_at,) = struct.unpack_from("<H", data, 62)
    names = _text(data, sections[names_at]) if names_at < len(sections) else b""
    found = {_name(names, section.name) for section in sections}
    functions = sorted(
        entry for section in sections for entry in _functions(data, sections, section)
    )
    return SymbolTable(
        [start for start, _, _ in functions],
        [end for _, end, _ in functions],
        [name.decode("utf-8", "replace") for _, _, name in functions],
        has_lines=not found.isdisjoint(LINE_SECTIONS),
    )


def _sections(data: mmap.mmap) -> list[_Section]:
    (begin,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    if size != SECTION.size:
        return []
    rows = (SECTION.unpack_from(data, begin + place * size) for place in range(count))
    return [_Section(row[0], row[1], row[4], row[5], row[6]) for row in rows]


def _text(data: mmap.mmap, section: _Section) -> bytes:
    return data[section.offset : section.offset + section.size]


def _functions(
    data: mmap.mmap, sections: list[_Section], table: _Section
) -> Iterator[tuple[int, int, bytes]]:
    """Yield start, end and name of each function with an extent."""
    if table.kind not in SYMBOL_TABLES or table.link >= len(sections):
        return
    names, rows = _text(data, sections[table.link]), _text(data, table)
    whole = len(rows) - len(rows) % SYMBOL.size
    for name, info, _, section, start, size in SYMBOL.iter_unpack(rows[:whole]):
        if size and section and info & 15 in FUNCTIONS:
            yield start, start + size, _name(names, name)


def _name(names: bytes, begin: int) -> bytes:
    end = names.find(b"\0", begin)
    return names[begin:end] if end >= 0 else b""
