# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names and source lines of addresses in programs and libraries.

A name is given only when the address lies inside the symbol's extent: in stripped files the
nearest symbol before an address is most often another function. Lines come from addr2line, where
debug information exists.
"""

from __future__ import annotations

import bisect
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADDRESSES_AT_ONCE = 500
TIME_LIMIT_S = 120


@dataclass(frozen=True)
class Place:
    """Where an address lies, as far as the file tells."""

    symbol: str | None = None
    file: str | None = None
    line: int | None = None


def resolve(path: str, addresses: Iterable[int]) -> dict[int, Place]:
    """Return the place of each address (of the ELF file, not of the process) in `path`."""
    wanted = sorted(set(addresses))
    if not Path(path).is_file():
        return {address: Place() for address in wanted}
    symbols, has_lines = _read_elf(path)
    names = {address: symbols.name_at(address) for address in wanted}
    lines = _ask_for_lines(path, wanted) if has_lines else {}
    readable = _demangled(sorted({name for name in names.values() if name}))
    return {
        address: _merge(lines.get(address), readable.get(names[address] or "", names[address]))
        for address in wanted
    }


def _merge(found: Place | None, symbol: str | None) -> Place:
    if found is None:
        return Place(symbol)
    return Place(found.symbol or symbol, found.file, found.line)


@dataclass(frozen=True)
class SymbolTable:
    """Functions of one file by address."""

    starts: list[int]
    ends: list[int]
    names: list[str]

    def name_at(self, address: int) -> str | None:
        """Return the function whose extent holds `address`."""
        place = bisect.bisect_right(self.starts, address) - 1
        if place < 0 or address >= self.ends[place]:
            return None
        return self.names[place]


def _read_elf(path: str) -> tuple[SymbolTable, bool]:
    """Return the functions of a file, and whether it may have source lines."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        with Path(path).open("rb") as stream:
            elf = ELFFile(stream)
            functions = sorted(_functions(elf))
            sections = [".debug_line", ".zdebug_line", ".gnu_debuglink"]
            has_lines = any(elf.get_section_by_name(name) for name in sections)
    except (ELFError, OSError):
        return SymbolTable([], [], []), False
    starts, ends, names = map(list, zip(*functions, strict=True)) if functions else ([], [], [])
    return SymbolTable(starts, ends, names), has_lines


def _functions(elf: Any) -> Iterator[tuple[int, int, str]]:
    for section_name in (".symtab", ".dynsym"):
        section = elf.get_section_by_name(section_name)
        for symbol in section.iter_symbols() if section else ():
            kind = symbol["st_info"]["type"]
            if kind in ("STT_FUNC", "STT_GNU_IFUNC") and symbol["st_size"]:
                start = symbol["st_value"]
                yield start, start + symbol["st_size"], symbol.name


def _ask_for_lines(path: str, addresses: list[int]) -> dict[int, Place]:
    if shutil.which("addr2line") is None:
        return {}
    found: dict[int, Place] = {}
    for first in range(0, len(addresses), ADDRESSES_AT_ONCE):
        part = addresses[first : first + ADDRESSES_AT_ONCE]
        words = ["addr2line", "-C", "-f", "-e", path, *(hex(address) for address in part)]
        answer = _output_of(words, "").splitlines()
        if len(answer) == 2 * len(part):
            for place, address in enumerate(part):
                found[address] = _parse(answer[2 * place], answer[2 * place + 1])
    return found


def _parse(name: str, position: str) -> Place:
    file, _, rest = position.partition(" (")[0].rpartition(":")
    if file in ("", "??") or not rest.isdigit() or rest == "0":
        return Place()  # without a line, addr2line's name is the nearest symbol: not to be trusted
    return Place(None if name == "??" else name, file, int(rest))


def _demangled(names: list[str]) -> dict[str, str]:
    if not names or shutil.which("c++filt") is None:
        return {name: name for name in names}
    answer = _output_of(["c++filt"], "\n".join(names) + "\n").splitlines()
    return dict(zip(names, answer if len(answer) == len(names) else names, strict=True))


def _output_of(words: list[str], given: str) -> str:
    try:
        done = subprocess.run(
            words, input=given, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def short_name(symbol: str) -> str:
    """Return a function name without its parameter list and return type."""
    depth = 0
    start = 0
    for place, letter in enumerate(symbol):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0 and letter == "(" and not symbol.startswith("(anonymous", place):
            return symbol[start:place]
        if depth == 0 and letter == " " and not symbol.startswith("namespace)", place + 1):
            start = place + 1
    return symbol
