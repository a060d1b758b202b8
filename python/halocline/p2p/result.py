# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads result files of halocline-p2p; docs/formats/p2p-result.md describes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halocline.documents.store import parse, read_tool_result
from halocline.p2p.model import P2pResult

FORMAT = "halocline-p2p-result"
VERSION = 2


@dataclass(frozen=True)
class Result:
    """A run of the benchmark; `data` is its JSON object, which keeps to `P2pResult`."""

    data: dict[str, Any]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of all tables, in the order in which they were measured."""
        rows: list[dict[str, Any]] = self.data["rows"]
        return rows

    @property
    def sweep(self) -> list[dict[str, Any]]:
        """Rows of the block sweep; empty without one."""
        rows: list[dict[str, Any]] = (self.data["sweep"] or {"rows": []})["rows"]
        return rows

    def patterns(self) -> list[str]:
        """Patterns that were measured."""
        return list(dict.fromkeys(row["pattern"] for row in self.rows))

    def paths(self) -> list[str]:
        """Paths that were measured."""
        return list(dict.fromkeys(row["path"] for row in self.rows))

    def curve(self, path: str, pattern: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of one path and pattern by size."""
        for row in self.rows:
            if row["path"] == path and row["pattern"] == pattern:
                yield row


def read_result(path: Path) -> Result:
    """Read a file that `halocline-p2p --json` wrote."""
    data = read_tool_result(path, "halocline p2p", FORMAT, VERSION)
    parse(P2pResult, data, str(path))
    return Result(data)
