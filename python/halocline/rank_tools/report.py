# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The file `with.json`: which tool ran on which rank, its files, and what it said in a line."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import DocumentKind

Count = Annotated[int, Bounds(ge=0, le=2**31)]


class RankRow(DocumentPart):
    """One tool on one rank."""

    rank: Count
    host: str
    pid: Count
    files: list[str] = key(description="in the folder of the report")
    said: str = key(description="what the tool found, in a line; empty: it left nothing")


class ToolRows(DocumentPart):
    """One tool."""

    name: str
    words: list[str]
    ranks: str = key(description="as given")
    rows: list[RankRow] = key(description="ranks on which it started, ascending")


class ToolReport(DocumentPart):
    """What tools on chosen ranks did."""

    schema_name: Literal["halocline.with"] = key(name="schema")
    schema_version: Literal[1]
    code_version: str
    command: list[str]
    exit_code: Annotated[int, Bounds(ge=-256, le=256)] | None = key(
        None, description="of the launch line; null: a batch job reports it elsewhere"
    )
    folder: str
    tools: list[ToolRows]


TOOL_REPORT = DocumentKind(ToolReport, "halocline.with", 1, "report of tools on ranks")
