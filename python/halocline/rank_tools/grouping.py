# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a report for people: ranks of which a tool said the same stand together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.rank_tools.report import RankRow, ToolReport

NOTHING = "nothing"
HOSTS_NAMED = 2


@dataclass(frozen=True)
class Group:
    """Ranks of one tool that said the same."""

    tool: str
    ranks: str
    hosts: str
    said: str


def grouped(report: ToolReport) -> list[Group]:
    """Return the rows, by tool and then by first rank."""
    groups = []
    for tool in report.tools:
        by_text: dict[str, list[RankRow]] = {}
        for row in tool.rows:
            by_text.setdefault(row.said or NOTHING, []).append(row)
        groups += [
            Group(tool.name, ranges([row.rank for row in rows]), _hosts(rows), said)
            for said, rows in by_text.items()
        ]
    return groups


def ranges(numbers: Sequence[int]) -> str:
    """Return e.g. `0-3, 7` for ascending numbers."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def _hosts(rows: Sequence[RankRow]) -> str:
    hosts = list(dict.fromkeys(row.host for row in rows))
    return ", ".join(hosts) if len(hosts) <= HOSTS_NAMED else f"{len(hosts)} hosts"
