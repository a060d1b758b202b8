# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads result files of halocline-cores; docs/cores.md describes them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import parse, read_tool_result

FORMAT, VERSION = "halocline-cores-result", 1

Count = Annotated[int, Bounds(ge=0, le=2**62)]
Cores = Annotated[int, Bounds(ge=1, le=100_000)]
Rate = Annotated[float, Bounds(ge=1e-12, le=1e18)]


class Part(DocumentPart):
    """Further keys are left alone: newer programs may say more."""

    __open__ = True


class Code(Part):
    """The program that ran."""

    version: str
    git: str


class Row(Part):
    """One kind of work on one number of cores at once."""

    cores: Cores = key(description="that were busy at once")
    work: str = key(description="multiply_add, divide, triad or gather")
    set_bytes: Count = key(description="memory that a core works on; 0 of computing")
    rate: Rate = key(description="of a core: operations, bytes or lines a second; harmonic mean")
    slowest_rate: Rate = key(description="of the slowest core")
    repeats: list[Rate] = key(min_length=1, description="`rate` of each repetition")


class CoresResult(Part):
    """A result."""

    format: Literal["halocline-cores-result"]
    version: Literal[1]
    code: Code
    started: str
    command: list[str]
    host: str
    cpu: str
    cores: Cores = key(description="of the host that could be used")
    cache_bytes: Count = key(description="last-level caches together")
    places: list[str] = key(description="hardware threads of each core, in the order of use")
    time_s: Rate = key(description="seconds of a row")
    rows: list[Row] = key(min_length=1)

    def rates(self, work: str) -> dict[int, dict[int, float]]:
        """Return the rate of a core by bytes that it works on, then by busy cores."""
        found: dict[int, dict[int, float]] = {}
        for row in self.rows:
            if row.work == work:
                found.setdefault(row.set_bytes, {})[row.cores] = row.rate
        return found


def read_result(path: Path) -> CoresResult:
    """Read a file that `halocline-cores --json` wrote."""
    data = read_tool_result(path, "halocline cores", FORMAT, VERSION)
    return parse(CoresResult, data, str(path))
