# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names and source lines of addresses in programs and libraries.

A name is given only when the address lies inside the symbol's extent: in stripped files the
nearest symbol before an address is most often another function. Lines come from addr2line, where
debug information exists.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from halocline.snapshot.elf import read_symbols

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
    symbols = read_symbols(path)
    names = {address: symbols.name_at(address) for address in wanted}
    lines = _ask_for_lines(path, wanted) if symbols.has_lines else {}
    readable = _demangled(sorted({name for name in names.values() if name}))
    return {
        address: _merge(lines.get(address), readable.get(names[address] or "", names[address]))
        for address in wanted
    }


def _merge(found: Place | None, symbol: str | None) -> Place:
    if found is None:
        return Place(symbol)
    return Place(found.symbol or symbol, found.file, found.line)


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
    """Names of C need no c++filt."""
    if not any(name.startswith("_Z") for name in names) or shutil.which("c++filt") is None:
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
